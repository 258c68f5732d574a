"""The register block of the MMU over APB (cocotb_mmu_registers), and TLBIs that are posted
(cocotb_mmu_posted)."""

from support.run import run_unit


def test_mmu_registers():
    run_unit("mmuip", "unit.mmu.cocotb_mmu_registers")


def test_posted_tlbis():
    run_unit("mmuip", "unit.mmu.cocotb_mmu_posted", "teaching_dma")
