"""What becomes of addresses, and what invalidations do to them."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("name", ("translate", "invalidate"))
def test_translator(name):
    run_unit("devicemmu", f"unit.bridge.cocotb_bridge_{name}", "vmsa48_nocache")
