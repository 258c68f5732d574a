"""What software is told of the caches, and whole-cache maintenance (cocotb_cache_registers)."""

import pytest

from support.rare import rare
from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", *rare("ulx3s")])
def test_cache_registers(config):
    run_unit("CacheRegisters", "unit.cache.cocotb_cache_registers", config, inside="cacheip")
