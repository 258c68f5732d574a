"""Invalidations against walks in flight on the RTL (cocotb_mmu_race)."""

from support.run import run_unit


def test_race():
    run_unit("mmu", "mmu.cocotb_mmu_race", "vmsa48_nocache")
