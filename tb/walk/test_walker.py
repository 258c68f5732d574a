"""The walker behind the translate ports: worked examples, latency, memory port (cocotb_walker);
walks that start again, with a walk cache (cocotb_restart)."""

from support.run import run_unit


def test_walker():
    run_unit("mmu", "walk.cocotb_walker", "vmsa48_nocache")


def test_restart():
    run_unit("mmu", "walk.cocotb_restart", "vmsa48")
