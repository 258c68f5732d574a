"""Rules about single entries (cocotb_mmu_entries)."""

from support.run import run_unit


def test_entries():
    run_unit("mmu", "mmu.cocotb_mmu_entries", "wide")
