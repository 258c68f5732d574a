"""Whose turn it is to walk (cocotb_walk_turn)."""

from support.run import run_unit


def test_walk_turn():
    run_unit("walkturn", "unit.mmu.cocotb_walk_turn")
