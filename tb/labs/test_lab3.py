"""Lab 3: the reference has full marks, the starter few, and typical mistakes cost what they
should."""

from pathlib import Path

import pytest

from labs import answers, judge, lab3, machine
from labs.lab import Handin
from labs.seed import Seed
from support.root import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab3")]

REFERENCE = (ROOT / "tb/labs/reference/lab3/mystery.c").read_text()
STARTER = (ROOT / "tb/labs/starter/lab3/mystery.c").read_text()
FULL = 26
POINTS = {"finds_line": 1, "finds_ways": 3, "finds_way": 2, "finds_page": 3, "finds_entries": 3,
          "finds_colours": 2, "finds_policy": 3}  # fmt: skip


def graded(folder: Path, text: str, name: str = "anna") -> tuple[judge.Total, set[str], str]:
    """Points, what brought none, and all that was said."""
    sheet = lab3.sheet(Seed(name, 3))
    (folder / "mystery.c").write_text(text)
    rows = list(judge.rows(sheet, Handin(folder, answers.key(sheet))))
    lost = {row.id for row in rows if row.state in (judge.State.FAILED, judge.State.NOT_RUN)}
    return judge.total(rows), lost, "\n".join(row.got for row in rows)


def changed(old: str, new: str) -> str:
    assert REFERENCE.count(old) == 1, old
    return REFERENCE.replace(old, new)


@pytest.mark.parametrize("name", ["anna", "bert"])
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, lost, said = graded(tmp_path, REFERENCE, name)
    assert total == judge.Total(FULL, FULL, 0, 4), (lost, said)


ODD = [  # one way and pages larger than it; hits that take four times as long; all that is small
    lab3.Machine("granule-sim-ulx3s", "64k", 2, (11,)),
    lab3.Machine("granule-sim", "16k", 4, (2, 5, 7, 11)),
    lab3.Machine("granule-sim-ulx3s", "4k", 2, (3, 4, 10, 11)),
]


@pytest.mark.parametrize("on", [*(lab3.of_sheet(Seed(name, 3)) for name in ("anna", "bert")), *ODD])
def test_the_reference_finds_what_the_questions_are_about(tmp_path: Path, on: lab3.Machine) -> None:
    (tmp_path / "mystery.c").write_text(REFERENCE)
    for what, value in on.found.items():
        assert lab3.answer(Handin(tmp_path), on, what) == value, (on, what)


def test_starter(tmp_path: Path) -> None:
    assert graded(tmp_path, STARTER)[1] == set(POINTS) - {"finds_line"}
    rows = list(judge.rows(lab3.sheet(Seed("anna", 3)), Handin(tmp_path)))
    assert judge.total(rows).points == 2
    handout = " ".join((ROOT / "docs/labs/lab3.md").read_text().split())
    assert f"starter has 2 of {FULL} points" in handout
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
    total, lost, said = graded(tmp_path, changed(old, new))
    assert lost == expected, said
    assert total.points == FULL - sum(POINTS[name] for name in expected)


def test_no_number_is_right_on_both_machines() -> None:
    for name in map(str, range(40)):
        first, second = lab3.others(Seed(name, 3))
        assert not set(first.found.items()) & set(second.found.items())


def test_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what calls it fails."""
    monkeypatch.setattr(machine, "MOST_CYCLES", 200_000)
    text = changed(
        "uint32_t colours(void)\n{", "uint32_t colours(void)\n{\n    for (;;)\n        ;"
    )
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_colours"} and "is there an endless loop?" in said


def test_a_load_outside_of_the_memory(tmp_path: Path) -> None:
    text = changed("load_under(0, pages);\n        if", "load(memory_bytes() + 4);\n        if")
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_colours"} and "see memory_bytes()" in said


def test_a_wild_pointer(tmp_path: Path) -> None:
    wild = "(*(volatile uint32_t *)0x40000000 & 0)"
    text = changed(
        "const uint32_t count = ways() + 1;", f"const uint32_t count = ways() + 1 + {wild};"
    )
    _, lost, said = graded(tmp_path, text)
    assert lost == {"finds_way"} and "an access to 0x40000000 that faults" in said


def test_it_does_not_compile(tmp_path: Path) -> None:
    total, lost, said = graded(tmp_path, changed("uint32_t ways(void)", "uint32_t ways(int x)"))
    assert lost == {"compiles", *POINTS} and total.points == FULL - 18
    assert "does not compile:\nmystery.c:" in said


def test_two_names_have_different_machines() -> None:
    machines = {lab3.of_sheet(Seed(f"{i}", 3)) for i in range(20)}
    assert len(machines) > 15
