"""Tag and data RAMs of a cache (cocotb_line_arrays)."""

import pytest

from support.rare import rare
from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", *rare("ulx3s")])
def test_line_arrays(config):
    run_unit("LineArrays", "unit.cache.cocotb_line_arrays", config, inside="l1data")
