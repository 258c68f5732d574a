"""The pages of each lab are about the parts that the grader has."""

import re
from functools import cache

import pytest

from labs.lab import Check, Prose, Sheet
from labs.labs import LABS
from labs.trial import Trial, slow
from support.root import ROOT

RUBRIC = "Rubric of what a person reads"
MEASURED = [2, 4, 5, 6, 7]  # a sheet of these asks the simulator
SHEETS = [slow(number) if number in MEASURED else number for number in LABS]


def page(folder: str, number: int) -> str:
    return (ROOT / "docs" / folder / f"lab{number}.md").read_text()


@cache
def sheet(number: int) -> Sheet:
    return Trial(number).sheet


def shown(row: str) -> list[str]:
    """Names of parts in the first column of a table; `maps_...` are several."""
    return [name.replace("...", "") for name in re.findall(r"`([a-z_.]+)`", row.split("|")[1])]


@pytest.mark.parametrize("number", SHEETS)
def test_a_rubric_gives_the_points_of_its_question(number: int) -> None:
    asked = {part.id: part.points for part in sheet(number).parts if isinstance(part, Prose)}
    text = page("teachers", number)
    rubric = re.split(r"^## ", text.split(f"## {RUBRIC}\n")[1], flags=re.M)[0]
    said = re.findall(r"^\*\*(\w+)\*\* \((\d) points\)\. (.*?)(?=\n\n|\Z)", rubric, re.M | re.S)
    assert {name: int(points) for name, points, _ in said} == asked
    for _, points, how in said:
        reasons = how.count(";") + 1 if "One point each" in how else how.count("One point")
        assert int(points) == reasons, how


@pytest.mark.parametrize("number", SHEETS)
def test_a_handout_lists_the_parts_of_the_grader(number: int) -> None:
    """Those that run something, in its table; and no others."""
    table = re.search(r"^\| part \|.*\n\|---\|---\|\n((?:\|.*\n)+)", page("labs", number), re.M)
    listed = [name for row in table[1].splitlines() for name in shown(row)] if table else []
    checks = [part.id for part in sheet(number).parts if isinstance(part, Check)]
    if number == 7:  # its table is a list
        listed = [
            "levels",
            "shifts",
            "entries",
            "pages",
            "waste",
            "tables",
            "copied",
            "walks_",
            "reach",
        ]
    for part in checks:
        assert part == "compiles" or any(part.startswith(name) for name in listed), part
    for name in listed:
        assert any(part.startswith(name) for part in checks), name
