"""Time, and the two interrupts that software makes of it (cocotb_timer)."""

from support.run import run_unit


def test_timer():
    run_unit("Timer", "unit.soc.cocotb_timer", inside="simsoc")
