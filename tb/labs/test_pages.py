"""The pages of each lab: a handout has all its steps, a teacher's page has what a teacher needs.
Both are about the parts and the machines that there are."""

import re
from functools import cache

import pytest

from labs import lab2, lab3, machine
from labs.lab import Check, Prose, Sheet
from labs.labs import LABS
from labs.trial import Trial, slow
from support.root import ROOT

STEPS = ["Predict", "Run", "Explain", "Change", "Hand in"]
FOR_TEACHERS = ["Hints", "Rubric of what a person reads", "Typical errors"]
HOURS = {"Three": 3, "Four": 4, "Five": 5}
MEASURED = [2, 4, 5, 6, 7]  # a sheet of these asks the simulator
SHEETS = [slow(number) if number in MEASURED else number for number in LABS]


def page(folder: str, number: int) -> str:
    return (ROOT / "docs" / folder / f"lab{number}.md").read_text()


def words(text: str) -> str:
    return " ".join(text.split())


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.*)$", text, re.M)


@cache
def sheet(number: int) -> Sheet:
    return Trial(number).sheet


def shown(row: str) -> list[str]:
    """Names of parts in the first column of a table; `maps_...` are several."""
    return [name.replace("...", "") for name in re.findall(r"`([a-z_.]+)`", row.split("|")[1])]


@pytest.mark.parametrize("number", LABS)
def test_a_handout_has_each_step(number: int) -> None:
    text = page("labs", number)
    assert [name for name in headings(text) if name in STEPS] == STEPS
    assert text.startswith(f"# Lab {number}") and "**Goal.** " in text and "**You need** " in text
    commands = re.findall(rf"^make (\w+) LAB={number} NAME=anna$", text, re.M)
    assert commands[0] == "lab" and (number == 0 or commands[-1] == "grade")


@pytest.mark.parametrize("number", LABS)
def test_the_list_of_labs_says_what_the_handout_says(number: int) -> None:
    (time,) = re.findall(r"\*\*Time\.\*\* (.*?)\.", page("labs", number))
    for word, hours in HOURS.items():
        time = time.replace(word, str(hours))
    (row,) = re.findall(rf"^\| \[{number}\].*$", (ROOT / "docs/labs/README.md").read_text(), re.M)
    assert row.endswith(f"| {time} |")


@pytest.mark.parametrize("number", LABS)
def test_a_page_for_teachers_has_what_they_need(number: int) -> None:
    text = page("teachers", number)
    found = headings(text)
    assert [name for name in found if name in FOR_TEACHERS] == FOR_TEACHERS
    assert {"What is drawn from the name", "What the answers are made from"} & {*found}
    assert f"make answers LAB={number} NAME=" in text and f"](../labs/lab{number}.md)" in text
    assert re.search(r"^\| what is seen \| what was thought \|\n.*\n(\|.*\n){3,}", text, re.M)
    assert re.search(r"[Tt]ests seed", words(text))


@pytest.mark.parametrize("number", SHEETS)
def test_a_rubric_gives_the_points_of_its_question(number: int) -> None:
    asked = {part.id: part.points for part in sheet(number).parts if isinstance(part, Prose)}
    text = page("teachers", number)
    rubric = re.split(r"^## ", text, flags=re.M)[1 + headings(text).index(FOR_TEACHERS[1])]
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
        listed = ["levels", "shifts", "entries", "pages", "waste", "tables", "walks_", "reach"]
    for part in checks:
        assert part == "compiles" or any(part.startswith(name) for name in listed), part
    for name in listed:
        assert any(part.startswith(name) for part in checks), name


@cache
def data_cache(simulator: str) -> dict[str, int]:
    """As the firmware finds it on the RTL: KiB, sets, ways, bytes of a line, KiB of a way."""
    elf = machine.part("sw/granule.elf", "build/sw/granule.elf")
    text = machine.console(elf, "pagesize=4k run=final", "  colours", simulator)
    found = re.search(r"L1D +(\d+) KiB: (\d+) sets x (\d+) ways x (\d+) B lines, way (\d+)", text)
    return dict(zip(("kib", "sets", "ways", "line", "way"), map(int, found.groups()), strict=True))


@pytest.mark.slow
@pytest.mark.xdist_group("lab2")
def test_pages_describe_the_machines_that_are_simulated() -> None:
    one, other = map(data_cache, ("granule-sim", "granule-sim-ulx3s"))
    low = one["line"].bit_length() - 1
    high = low + one["sets"].bit_length() - 2
    assert (
        f"The data cache has {one['sets']} sets of {one['ways']} lines of {one['line']} bytes: "
        f"address bits {high}:{low} choose the set."
    ) in words(page("labs", 2))
    assert (
        f"({one['ways']} ways of {one['way']} KiB, or {other['ways']} of {other['way']} KiB; "
        f"{one['line']}-byte lines, {lab2.entries()} TLB entries)"
    ) in words(page("teachers", 3))
    assert one["kib"] == other["kib"] and (
        f"both with {one['kib']} KiB of lines of {one['line']} bytes: `teaching` has "
        f"{one['ways']} ways, `ulx3s` has {other['ways']}."
    ) in words(page("labs", 5))
    for of, name in ((one, "granule-sim"), (other, "granule-sim-ulx3s")):
        built = lab3.SIMULATORS[name]
        assert (built.ways, built.way_bytes) == (of["ways"], of["way"] << 10)
