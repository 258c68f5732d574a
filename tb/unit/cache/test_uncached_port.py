"""Accesses that go past the data cache (cocotb_uncached_port)."""

from support.run import run_unit


def test_uncached_port():
    run_unit("UncachedPort", "unit.cache.cocotb_uncached_port", inside="cacheip")
