"""Physical memory protection, of random entries (cocotb_pmp_check)."""

import pytest

from support.run import run_unit


def test_pmp_check():
    run_unit("pmpcheck", "unit.walk.cocotb_pmp_check")


@pytest.mark.slow
def test_with_all_sixteen_entries():
    run_unit("pmpcheck_16", "unit.walk.cocotb_pmp_check")
