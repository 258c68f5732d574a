"""Instruction cache, in every geometry that is built as a unit."""

import pytest

from support.rare import rare
from support.run import run_unit
from unit.cache.geometry import FETCH

TEACHING, *OTHERS = FETCH


@pytest.mark.parametrize("name", [TEACHING, *rare(*OTHERS)])
def test_l1fetch(name):
    unit, config = name.split(":")
    run_unit(unit, "unit.cache.cocotb_l1fetch", config, extra_env={"GRANULE_CACHE": name})
