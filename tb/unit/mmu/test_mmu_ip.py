"""The MMU with its register block, as an IP block (cocotb_mmu_ip)."""

from support.run import run_unit


def test_mmu_ip():
    run_unit("mmuip", "unit.mmu.cocotb_mmu_ip")
