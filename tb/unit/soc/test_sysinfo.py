"""What software reads first (cocotb_sysinfo)."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", "wide"])
def test_sysinfo(config):
    run_unit("Sysinfo", "unit.soc.cocotb_sysinfo", config, inside="simsoc")
