"""Data cache, in every geometry that is built as a unit."""

import pytest

from support.rare import rare
from support.run import run_unit
from unit.cache.geometry import DATA, OFTEN


def run(name, module):
    unit, config = name.split(":")
    run_unit(unit, f"unit.cache.{module}", config, extra_env={"GRANULE_CACHE": name})


def geometries(condition=lambda _: True) -> list:
    """Of those that meet it, what is only a size or a policy more is rare."""
    names = [name for name in DATA if condition(name)]
    others = (name for name in names if name not in OFTEN)
    return [*(name for name in names if name in OFTEN), *rare(*others)]


def wide(name: str) -> bool:
    return name.endswith(":wide")


@pytest.mark.parametrize("name", geometries(lambda name: not wide(name)))
@pytest.mark.parametrize(
    "module",
    ("cocotb_l1data", "cocotb_l1data_walk", "cocotb_l1data_lines", "cocotb_l1data_bus"),
)
def test_directed(name, module):
    run(name, module)


@pytest.mark.parametrize("name", geometries(wide))
@pytest.mark.parametrize("module", ("cocotb_l1data_walk", "cocotb_l1data_walk16"))
def test_accesses_of_the_walker_with_16_bytes(name, module):
    run(name, module)


@pytest.mark.parametrize("name", geometries(lambda name: DATA[name].way_bytes > 4096))
def test_lines_under_several_colours(name):
    run(name, "cocotb_l1data_aliases")


@pytest.mark.parametrize("name", geometries())
def test_random(name):
    run(name, "cocotb_l1data_random")
