"""Physical memory protection, of random entries (cocotb_pmp_check)."""

from support.run import run_unit


def test_pmp_check():
    run_unit("pmpcheck", "unit.walk.cocotb_pmp_check")


def test_with_all_sixteen_entries():
    run_unit("pmpcheck_16", "unit.walk.cocotb_pmp_check")
