"""Instruction fetch ahead of decode (cocotb_fetch)."""

from support.run import run_unit


def test_fetch():
    run_unit("Fetch", "unit.cpu.cocotb_fetch", inside="simsoc")
