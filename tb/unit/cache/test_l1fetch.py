"""Instruction cache, in every geometry that is built as a unit."""

import pytest

from support.run import run_unit
from unit.cache.geometry import FETCH


@pytest.mark.parametrize("name", FETCH)
def test_l1fetch(name):
    unit, config = name.split(":")
    run_unit(unit, "unit.cache.cocotb_l1fetch", config, extra_env={"GRANULE_CACHE": name})
