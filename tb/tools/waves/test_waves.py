"""The timing diagrams of docs/mmu.md show what the RTL does, cycle by cycle."""

import json
import re
from xml.etree import ElementTree

import pytest

from support.run import ROOT
from tools.waves import run


@pytest.fixture(scope="module")
def checked_in() -> dict:
    return json.loads(run.RECORDED.read_text())


@pytest.fixture(scope="module")
def recorded() -> dict:
    return run.record()


@pytest.mark.parametrize("name", run.SCENARIOS)
def test_the_rtl_does_what_is_drawn(name: str, recorded: dict, checked_in: dict) -> None:
    assert recorded[name] == checked_in[name], "if that is meant, `make waves` draws it again"


def test_pictures_are_those_of_the_recording(checked_in: dict) -> None:
    for path, svg in run.pictures(checked_in).items():
        assert path.read_text() == svg, f"{path.name}: `make waves` draws it again"


@pytest.mark.parametrize("name", run.SCENARIOS)
def test_the_page_shows_it_and_speaks_of_no_cycle_beyond(name: str, checked_in: dict) -> None:
    """The story of a diagram is the list below it, up to the next heading or picture."""
    page = (ROOT / "docs" / "mmu.md").read_text()
    story = re.split(r"^#|^!\[", page.split(f"(waves/{name}.svg)")[1], flags=re.M)[0]
    told = [int(cycle) for cycle in re.findall(r"\*\*(\d+)\*\*", story)]
    told += [int(n) for pair in re.findall(r"\*\*(\d+), (\d+)\*\*", story) for n in pair]
    assert told and max(told) < checked_in[name]["cycles"]


def test_the_block_picture_names_units_that_exist() -> None:
    picture = (ROOT / "docs" / "mmu.svg").read_text()
    ElementTree.fromstring(picture)
    sources = "".join(path.read_text() for path in ROOT.glob("rtl/src/granule/*/*.scala"))
    units = set(re.findall(r'class="unit"[^>]*>(\w+)<', picture))
    assert units >= {"TranslateUnit", "MicroTlb", "Walker", "WalkCache", "InvalidateSweep"}
    for unit in units:
        assert re.search(rf"^case class {unit}\(", sources, re.M), f"no unit {unit}"
