"""Lab 5: the reference has full marks, the starter what a kernel without colours has, and typical
mistakes cost what they should."""

from pathlib import Path

import pytest

from labs import judge, lab5
from labs.trial import NAMES, Trial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab5")]

TRIAL = Trial(5)
graded, changed = TRIAL.graded, TRIAL.changed
FULL = 25
PARTS = {"sets", "colours", "zero", "rtl_colours", "rtl_plain"}


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, lost, said = graded(tmp_path, TRIAL.reference, name)
    assert total == judge.Total(FULL, FULL, 0, 5), (lost, said)


def test_starter(tmp_path: Path) -> None:
    total, lost, said = TRIAL.started(tmp_path)
    assert total.points == 3 and lost == {"sets", "colours", "zero", "rtl_colours"}
    assert "misses with 1 zero page\n" in said


WRONG = {
    "the whole cache instead of a way": (
        "sets(machine) * line_bytes(machine);",
        "sets(machine) * line_bytes(machine) * ((machine->ccsidr >> 3 & 0x1fffff) + 1);",
        {"colours", "zero", "rtl_colours", "rtl_plain"},
    ),
    "TG0 read as TG1": ("{12, 16, 14, 12}", "{16, 14, 12, 16}", {"colours", "zero", "rtl_colours"}),
    "16 and 64 KiB exchanged": ("{12, 16, 14, 12}", "{12, 14, 16, 12}", {"colours", "zero"}),
    "sets without one": (
        "0xffffff) + 1", "0xffffff)", {"sets", "colours", "zero", "rtl_colours"},
    ),
    "no colour where a way is small": (
        "pages ? pages : 1", "pages", {"colours", "zero", "rtl_plain"},
    ),
    "colours count from the line": (
        "va >> page_shift(machine) &", "va / line_bytes(machine) &", {"zero", "rtl_colours"},
    ),
    "a set of the next line": ("va / line_bytes(machine) & ", "va / line_bytes(machine) + 1 & ",
                               {"sets"}),
}  # fmt: skip


@pytest.mark.parametrize("old, new, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(tmp_path: Path, old: str, new: str, expected: set[str]) -> None:
    total, lost, said = graded(tmp_path, changed((old, new)))
    assert lost == expected, said
    assert total.points == FULL - TRIAL.points_of(expected)


def test_colours_may_be_numbered_otherwise(tmp_path: Path) -> None:
    text = changed(("return va >> page_shift(machine) &", "return ~va >> page_shift(machine) &"))
    assert graded(tmp_path, text)[0].points == FULL


def test_misses_are_those_of_documents_experiment() -> None:
    """A-1, A-4 and A-5 of e002 in a hundred passes: as many in the first one as there are lines to
    be brought in, all or none later."""
    for lines in (1, 2, 3, 8):
        assert lab5.misses("teaching", "4k", "lines", lines, 100) == lines
    assert lab5.misses("teaching", "4k", "lines", 9, 100) == 900
    assert lab5.misses("teaching", "4k", "one", 8, 100) == 1
    assert lab5.misses("ulx3s", "4k", "one", 8, 100) == 800
    assert lab5.misses("ulx3s", "4k", "student", 8, 100) == 4


def test_it_crashes(tmp_path: Path) -> None:
    text = changed(("return pages ? pages : 1;", "return *(volatile unsigned *)pages;"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"sets", "colours", "zero", "rtl_colours", "rtl_plain"}
    assert "your code crashed at zero.c:" in said


def test_it_does_not_end(tmp_path: Path) -> None:
    head = "unsigned zero_page(const struct machine *machine, uint64_t va)\n{\n"
    text = changed((head, head + "    for (;;)\n        ;\n"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"sets", "colours", "zero", "rtl_colours", "rtl_plain"}
    assert said.count("is there an endless loop?") == 5


def test_a_zero_page_that_is_not_there(tmp_path: Path) -> None:
    text = changed(("va >> page_shift(machine) & (colours(machine) - 1)",
                    "(va >> page_shift(machine)) + 1000"))  # fmt: skip
    _, lost, said = graded(tmp_path, text)
    assert lost == {"zero", "rtl_colours", "rtl_plain"} and "memory for 32" in said


def test_it_does_not_compile(tmp_path: Path) -> None:
    total, lost, said = graded(tmp_path, changed(("unsigned set_of(", "unsigned set_off(")))
    assert lost == {"compiles", *PARTS} and total.points == FULL - 14
    assert "undefined reference to `set_of'" in said


def test_two_names_have_different_questions() -> None:
    asked = [[part.what for part in TRIAL.sheet(name).parts] for name in NAMES]
    assert asked[0] != asked[1]
