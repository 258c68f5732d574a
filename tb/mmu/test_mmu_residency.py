"""What stays in the TLB of the RTL (cocotb_mmu_residency)."""

from support.run import run_unit


def test_residency():
    run_unit("mmu", "mmu.cocotb_mmu_residency", "vmsa48_nocache")
