"""The register block of the MMU over APB (cocotb_registers)."""

from support.run import run_unit


def test_registers():
    run_unit("mmuip", "mmu.cocotb_registers")
