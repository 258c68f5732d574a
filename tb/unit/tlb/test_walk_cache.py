"""The tables that walks remember (cocotb_walk_cache)."""

from support.run import run_unit


def test_walk_cache():
    run_unit("WalkCache", "unit.tlb.cocotb_walk_cache", inside="mmu")
