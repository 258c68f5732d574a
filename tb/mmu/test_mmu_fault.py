"""Faults, illegal programming and bus errors on the RTL (cocotb_mmu_fault)."""

from support.run import run_unit


def test_fault():
    run_unit("mmu", "mmu.cocotb_mmu_fault", "wide")
