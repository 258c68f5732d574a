"""Translations of every size, permission and attribute on the RTL (cocotb_mmu_translate)."""

from support.run import run_unit


def test_translate():
    run_unit("mmu", "mmu.cocotb_mmu_translate", "vmsa48_nocache")
