"""Data cache, in every geometry that is built as a unit."""

import pytest

from support.run import run_unit
from unit.cache.geometry import DATA


def run(name, module):
    unit, config = name.split(":")
    run_unit(unit, f"unit.cache.{module}", config, extra_env={"GRANULE_CACHE": name})


ALIASES = [name for name, g in DATA.items() if g.way_bytes > 4096]
WIDE = [name for name in DATA if name.endswith(":wide")]


@pytest.mark.parametrize("name", [name for name in DATA if name not in WIDE])
@pytest.mark.parametrize(
    "module",
    ("cocotb_l1data", "cocotb_l1data_walk", "cocotb_l1data_lines", "cocotb_l1data_bus"),
)
def test_directed(name, module):
    run(name, module)


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("module", ("cocotb_l1data_walk", "cocotb_l1data_walk16"))
def test_accesses_of_the_walker_with_16_bytes(name, module):
    run(name, module)


@pytest.mark.parametrize("name", ALIASES)
def test_lines_under_several_colours(name):
    run(name, "cocotb_l1data_aliases")


@pytest.mark.parametrize("name", DATA)
def test_random(name):
    run(name, "cocotb_l1data_random")
