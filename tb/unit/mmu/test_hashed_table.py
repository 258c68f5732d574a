"""The hashed table of translations, in the MMU (cocotb_hashed_table), and the MMU with it off."""

import pytest

from support.run import run_unit

OFF = {"invalidate": None, "race": ["no_update_after_completion"], "random": None, "traffic": None}


def test_hashed_table():
    run_unit("mmu", "unit.mmu.cocotb_hashed_table", "vmsa48_hashed")


@pytest.mark.parametrize("name", OFF)
def test_mmu_while_it_is_off(name):
    run_unit("mmu", f"unit.mmu.cocotb_mmu_{name}", "vmsa48_hashed", tests=OFF[name])
