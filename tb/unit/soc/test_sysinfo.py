"""What software reads first (cocotb_sysinfo)."""

import pytest

from support.rare import rare
from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", *rare("wide")])
def test_sysinfo(config):
    run_unit("Sysinfo", "unit.soc.cocotb_sysinfo", config, inside="simsoc")
