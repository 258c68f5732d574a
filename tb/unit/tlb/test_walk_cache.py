"""The tables that walks remember (cocotb_walk_cache)."""

from support.run import run_unit


def test_walk_cache():
    run_unit("WalkCache", "unit.tlb.cocotb_walk_cache", inside="mmu")


def test_tables_that_skip_levels():
    run_unit("WalkCache", "unit.tlb.cocotb_walk_cache_skips", "wide", inside="mmu")
