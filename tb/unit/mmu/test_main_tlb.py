"""The TLB behind the micro TLBs, in the MMU (cocotb_main_tlb)."""

from support.run import run_unit


def test_main_tlb():
    run_unit("mmu", "unit.mmu.cocotb_main_tlb", "vmsa48_main")
