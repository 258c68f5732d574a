"""The register block of the MMU over APB (cocotb_mmu_registers)."""

from support.run import run_unit


def test_mmu_registers():
    run_unit("mmuip", "unit.mmu.cocotb_mmu_registers")
