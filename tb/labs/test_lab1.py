"""Lab 1: the reference has full marks, the starter nearly none, and typical mistakes, and code that
breaks, cost what they should."""

from pathlib import Path

import pytest

from labs import judge
from labs.lab import Handin
from labs.trial import NAMES, Trial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab1")]

TRIAL = Trial(1)
graded, changed = TRIAL.graded, TRIAL.changed
RTL = {"rtl_4k", "rtl_16k", "rtl_64k"}
MAPS = {"maps_4k", "maps_16k", "maps_64k"}
AFTER_ALL = {"rights", "tables"}
ALL = MAPS | RTL | AFTER_ALL | {"errors", "memory", "block"}


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, _, said = graded(tmp_path, TRIAL.reference, name)
    assert total == judge.Total(25, 25, 3, 3), said


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 1 and lost == ALL


def test_nine_index_bits(tmp_path: Path) -> None:
    """Written for pages of 4 KiB."""
    total, lost, _ = graded(
        tmp_path, changed(("return space->granule - 3;", "(void)space;\n    return 9;"))
    )
    assert lost == {"maps_16k", "maps_64k", "rtl_16k", "rtl_64k", "block"} | AFTER_ALL
    assert total.points == 25 - 2 * 2 - 2 * 3 - 2 - 1


def test_an_existing_page_is_overwritten(tmp_path: Path) -> None:
    check = "            if (*descriptor & VALID)\n                return -EEXIST;\n"
    total, lost, said = graded(tmp_path, changed((check, "")))
    assert lost == {"errors"} and total.points == 23 and total.bonus == 3
    assert "0" in said


def test_attributes_are_forgotten(tmp_path: Path) -> None:
    """AF is set, and nothing else: every page is the kernel's to write, and code."""
    total, lost, said = graded(
        tmp_path, changed(("pa | attributes |", "pa | (attributes & 1 << 10) |"))
    )
    assert lost == {"rights", *RTL} and total.points == 25 - 2 - 9
    assert "0x0" in said


def test_a_new_table_each_time(tmp_path: Path) -> None:
    """The tables of earlier pages are lost."""
    lost = graded(tmp_path, changed(("if (!(*descriptor & VALID)) {", "if (level < last) {")))[1]
    assert lost >= MAPS | RTL


FIRST = "uint64_t *table = table_at(space->root);"
BROKEN = {
    "syntax": ("int map_page(", "error"),
    "missing": (TRIAL.reference.replace("int map_block", "int no_block"), "undefined reference"),
    "wild": (changed(("if (level == last) {", "if (level == 9) {")), "your code crashed"),
    "pointer": (changed((FIRST, FIRST + "\n    *(volatile int *)8 = 0;")), "crashed at map.c:"),
    "beside": (changed((FIRST, FIRST + "\n    table[100000] = 3;")), "beside the tables"),
    "next": (
        changed((FIRST, FIRST + "\n    table[1u << (space->granule - 3)] = 0;")),
        "crashed at map.c:",
    ),
    "loop": (changed((FIRST, FIRST + "\n    for (;;)\n        ;")), "is there an endless loop?"),
}


@pytest.mark.parametrize("text, said", BROKEN.values(), ids=BROKEN)
def test_broken_code_gets_a_message(tmp_path: Path, text: str, said: str) -> None:
    """And the questions keep their points."""
    total, lost, told = graded(tmp_path, text)
    assert said in told and total.points >= 3 and lost & ALL
    assert str(tmp_path) not in told


def test_a_missing_file(tmp_path: Path) -> None:
    rows = list(judge.rows(TRIAL.sheet(), Handin(tmp_path)))
    assert "map.c is missing" in {row.id: row.got for row in rows}["compiles"]


def test_what_only_the_rtl_reaches(tmp_path: Path) -> None:
    """A loop and a crash there have messages too: this code knows where it runs."""
    for trick, said in (("for (;;)\n;", "endless loop"), ("*(volatile int *)0 = 0;", "")):
        inside = (
            f"#ifdef __riscv\n    {trick}\n#endif\n    return map_at(space, va, pa, attributes, 3);"
        )
        text = changed(("return map_at(space, va, pa, attributes, 3);", inside))
        _, lost, told = graded(tmp_path, text)
        assert RTL <= lost <= RTL | {"block"} and said in told


def test_two_names_have_different_questions() -> None:
    assert TRIAL.sheet("anna").given != TRIAL.sheet("bert").given
