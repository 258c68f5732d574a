"""Instruction cache, in every geometry that is built as a unit."""

import os
import random

import pytest

from support.run import run_unit
from unit.cache.geometry import FETCH


@pytest.mark.parametrize("name", FETCH)
def test_l1fetch(name):
    seed = os.environ.get("GRANULE_SEED", str(random.randrange(1 << 32)))
    print(f"repeat with GRANULE_SEED={seed}")
    unit, config = name.split(":")
    env = {"GRANULE_CACHE": name, "GRANULE_SEED": seed}
    run_unit(unit, "unit.cache.cocotb_l1fetch", config, extra_env=env)
