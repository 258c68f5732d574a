import pytest

from support.run import run_unit


@pytest.mark.xdist_group("bridge-random")
def test_axi_bridge():
    run_unit("devicemmu", "unit.bridge.cocotb_bridge_random", "vmsa48_nocache")
