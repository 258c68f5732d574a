"""What invalidations remove on the RTL (cocotb_mmu_invalidate)."""

from support.run import run_unit


def test_invalidate():
    run_unit("mmu", "mmu.cocotb_mmu_invalidate", "vmsa48_nocache")


def test_a_base_in_64k_steps():
    run_unit("mmu", "mmu.cocotb_mmu_invalidate", "wide", tests="range_with_a_base_in_64k_steps")
