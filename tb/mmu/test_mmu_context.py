"""Context changes under a walk, and two requesters of one walker (cocotb_mmu_context)."""

from support.run import run_unit


def test_context():
    run_unit("mmu", "mmu.cocotb_mmu_context", "vmsa48_nocache")
