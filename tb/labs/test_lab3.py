"""Lab 3: the reference has full marks, the starter few, and typical mistakes cost what they
should."""

from pathlib import Path

import pytest

from labs import judge, lab3, machine
from labs.lab import Handin
from labs.seed import Seed
from labs.trial import NAMES, Trial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab3")]

TRIAL = Trial(3)
graded, changed = TRIAL.graded, TRIAL.changed
FULL = 26
FINDS = {"finds_line", "finds_ways", "finds_way", "finds_page", "finds_entries", "finds_colours",
         "finds_policy"}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, lost, said = graded(tmp_path, TRIAL.reference, name)
    assert total == judge.Total(FULL, FULL, 0, 4), (lost, said)


ODD = [  # one way and pages larger than it; hits that take four times as long; all that is small
    lab3.Machine("granule-sim-ulx3s", "64k", 2, (11,)),
    lab3.Machine("granule-sim", "16k", 4, (2, 5, 7, 11)),
    lab3.Machine("granule-sim-ulx3s", "4k", 2, (3, 4, 10, 11)),
]


@pytest.mark.parametrize("on", [*(lab3.of_sheet(Seed(name, 3)) for name in NAMES), *ODD])
def test_the_reference_finds_what_the_questions_are_about(tmp_path: Path, on: lab3.Machine) -> None:
    (tmp_path / "mystery.c").write_text(TRIAL.reference)
    for what, value in on.found.items():
        assert lab3.answer(Handin(tmp_path), on, what) == value, (on, what)


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 2 and lost == FINDS - {"finds_line"}
    shown = lab3.explore(Seed("anna", 3), Handin(tmp_path))
    own = lab3.of_sheet(Seed("anna", 3))
    assert f"bytes of a line {own.found['line']}" in shown.splitlines()


WRONG = {
    "a number instead of a probe": (
        "    return step;", "    return 4096;", {"finds_way"},
    ),
    "the page's line was not there": (
        "        load(at + line);\n        forget", "        forget",
        {"finds_page", "finds_entries"},
    ),
    "all places in one line of their page": (
        "i * page + i * line % page", "i * page", {"finds_entries"},
    ),
    "the first that misses": (
        "return count - 1;", "return count;", {"finds_entries"},
    ),
    "a newcomer before the first was used again": (
        "    load(places[0]);\n    load(places[count - 1]);", "    load(places[count - 1]);",
        {"finds_policy"},
    ),
    "one way too many": (
        "memory_bytes() / MOST_WAYS))\n        count++;\n    return count;",
        "memory_bytes() / MOST_WAYS))\n        count++;\n    return count + 1;",
        {"finds_ways", "finds_way"},
    ),
    "a line under another colour is the same line": (
        "        if (load(0) == least)", "        if (load(0))", {"finds_colours"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("old, new, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(tmp_path: Path, old: str, new: str, expected: set[str]) -> None:
    total, lost, said = graded(tmp_path, changed((old, new)))
    assert lost == expected, said
    assert total.points == FULL - TRIAL.points_of(expected)


def test_no_number_is_right_on_both_machines() -> None:
    for name in map(str, range(40)):
        first, second = lab3.others(Seed(name, 3))
        assert not set(first.found.items()) & set(second.found.items())


def test_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what calls it fails."""
    monkeypatch.setattr(machine, "MOST_CYCLES", 200_000)
    head = "uint32_t colours(void)\n{"
    text = changed((head, f"{head}\n    for (;;)\n        ;"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_colours"} and "is there an endless loop?" in said


def test_a_load_outside_of_the_memory(tmp_path: Path) -> None:
    text = changed(("load_under(0, pages);\n        if", "load(memory_bytes() + 4);\n        if"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_colours"} and "see memory_bytes()" in said


def test_a_wild_pointer(tmp_path: Path) -> None:
    wild = "(*(volatile uint32_t *)0x40000000 & 0)"
    text = changed(("const uint32_t count = ways() + 1;",
                    f"const uint32_t count = ways() + 1 + {wild};"))  # fmt: skip
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_way"} and "an access to 0x40000000 that faults" in said


def test_it_does_not_compile(tmp_path: Path) -> None:
    total, lost, said = graded(tmp_path, changed(("uint32_t ways(void)", "uint32_t ways(int x)")))
    assert lost == {"compiles", *FINDS} and total.points == FULL - 18
    assert "does not compile:\nmystery.c:" in said


def test_two_names_have_different_machines() -> None:
    machines = {lab3.of_sheet(Seed(f"{i}", 3)) for i in range(20)}
    assert len(machines) == 19
