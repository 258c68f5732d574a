"""The walker behind the translate ports: worked examples, latency, memory port (cocotb_walker);
walks that start again, with a walk cache (cocotb_restart); 128-bit descriptors (cocotb_wide)."""

from support.run import run_unit


def test_walker():
    run_unit("mmu", "unit.walk.cocotb_walker", "vmsa48_nocache")


def test_restart():
    run_unit("mmu", "unit.walk.cocotb_restart", "vmsa48")


def test_wide():
    run_unit("mmu", "unit.walk.cocotb_wide", "wide")
