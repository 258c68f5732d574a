"""Interrupts of several sources to two contexts (cocotb_plic)."""

from support.run import run_unit


def test_plic():
    run_unit("plic", "unit.soc.cocotb_plic")
