"""The walker behind the translate ports: worked examples, latency, memory port (cocotb_walker)."""

from support.run import run_unit


def test_walker():
    run_unit("mmu", "walk.cocotb_walker", "vmsa48_nocache")
