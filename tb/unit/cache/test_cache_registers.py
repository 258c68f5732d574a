"""What software is told of the caches, and whole-cache maintenance (cocotb_cache_registers)."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", "ulx3s"])
def test_cache_registers(config):
    run_unit("CacheRegisters", "unit.cache.cocotb_cache_registers", config, inside="cacheip")
