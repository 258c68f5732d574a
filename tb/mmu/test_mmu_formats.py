"""Changes of the entry format under a walk (cocotb_mmu_formats)."""

from support.run import run_unit


def test_formats():
    run_unit("mmu", "mmu.cocotb_mmu_formats", "wide")
