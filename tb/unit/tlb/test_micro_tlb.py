"""The micro TLBs behind the translate ports (cocotb_micro_tlb)."""

from support.run import run_unit


def test_micro_tlb():
    run_unit("mmu", "unit.tlb.cocotb_micro_tlb", "vmsa48_nocache")
