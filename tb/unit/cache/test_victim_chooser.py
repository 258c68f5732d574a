"""The part of each policy, from the data cache that has it."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("inside", ["l1data", "l1data_plru", "l1data_nru", "l1data_random"])
def test_victim_chooser(inside):
    name = f"{inside}:teaching"
    env = {"GRANULE_CACHE": name}
    run_unit("VictimChooser", "unit.cache.cocotb_victim_chooser", inside=inside, extra_env=env)
