"""One invalidation for several agents (cocotb_invalidate_broadcast)."""

from support.run import run_unit


def test_invalidate_broadcast():
    run_unit(
        "InvalidateBroadcast",
        "unit.tlb.cocotb_invalidate_broadcast",
        "teaching_dma",
        inside="mmuip",
    )
