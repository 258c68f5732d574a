"""The part of each policy, from the data cache that has it."""

import pytest

from support.run import run_unit

REMEMBERED = ["agrees_with_the_model", "a_clear_wins_over_a_use"]
RANDOM = ["random_victims_are_spread", "random_victims_hang_on_picks_and_uses_alone"]


@pytest.mark.parametrize(
    ("inside", "tests"),
    [
        ("l1data", REMEMBERED),
        ("l1data_plru", REMEMBERED),
        ("l1data_nru", REMEMBERED),
        ("l1data_random", RANDOM),
    ],
)
def test_victim_chooser(inside, tests):
    env = {"GRANULE_CACHE": f"{inside}:teaching"}
    module = "unit.cache.cocotb_victim_chooser"
    run_unit("VictimChooser", module, inside=inside, extra_env=env, tests=tests)
