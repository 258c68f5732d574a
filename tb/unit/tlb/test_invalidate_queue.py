"""Invalidations that nobody waits for one by one (cocotb_invalidate_queue)."""

from support.run import run_unit


def test_invalidate_queue():
    run_unit("InvalidateQueue", "unit.tlb.cocotb_invalidate_queue", "teaching_dma", inside="mmuip")
