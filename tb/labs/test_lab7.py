"""Lab 7: the reference has full marks, the starter hardly any, and what was written for one page
size costs what it should."""

from pathlib import Path

import pytest

from labs import judge, lab7
from labs.questions import Number
from labs.seed import Seed
from labs.trial import NAMES, Trial
from model.geometry import geometry

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab7")]

TRIAL = Trial(7)
graded, changed = TRIAL.graded, TRIAL.changed
FULL, BY_HAND = 29, 6
WALKS = {"walks_4k", "walks_16k", "walks_64k"}


@pytest.fixture(scope="module", autouse=True)
def one_granule_is_measured() -> None:
    """A run of the firmware takes half a minute; who is tested here needs only one."""
    assert len({lab7.forked_granule(Seed(name, 7)) for name in NAMES}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    assert graded(tmp_path, TRIAL.reference, name)[0] == judge.Total(FULL, FULL, 0, BY_HAND)


def test_starter(tmp_path: Path) -> None:
    """It is right for pages of 4 KiB, now and then."""
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 1 and lost == TRIAL.checks() - {"compiles"}


WRONG = {
    "nine index bits": (
        [("return choice->page_shift - ENTRY_SHIFT;", "(void)choice;\n    return 9;")],
        {"levels", "shifts", "entries", "tables"},
    ),
    "full first table": (
        [("return 1ull << (choice->va_bits - index_shift(choice, level));",
          "return 1ull << index_bits(choice);")],
        {"entries"},
    ),
    "levels rounded down": (
        [("(bits + index_bits(choice) - 1) / index_bits(choice)", "bits / index_bits(choice)")],
        {"levels", "entries", "tables"},
    ),
    "start inside a page": (
        [("(last_byte(area) >> choice->page_shift) - (area->start >> choice->page_shift) + 1",
          "(area->bytes + page_size(choice) - 1) >> choice->page_shift")],
        {"pages", *WALKS},
    ),
    "a whole page is wasted": (
        [("-sizes[i] & (page_size(choice) - 1)",
          "page_size(choice) - (sizes[i] & (page_size(choice) - 1))")],
        {"waste"},
    ),
    "a table for each area": ([("            sum--;\n", "            ;\n")], {"tables"}),
    "without the first": ([("uint64_t sum = 1;", "uint64_t sum = 0;")], {"tables"}),
    "4 KiB of reach": (
        [("return tlb_entries * page_size(choice);",
          "return page_size(choice) ? tlb_entries * 4096ull : 0;")],
        {"reach"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("changes, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(
    tmp_path: Path, changes: list[tuple[str, str]], expected: set[str]
) -> None:
    total, lost, said = graded(tmp_path, changed(*changes))
    assert lost == expected, said
    assert total.points == FULL - TRIAL.points_of(expected)


def test_what_crashes(tmp_path: Path) -> None:
    """A shift by the whole width is told with its line."""
    text = changed(("1ull << index_bits(choice);", "1ull << (index_bits(choice) + 64);"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"entries"} and "your code crashed at geometry.c:" in said


def test_it_does_not_end(tmp_path: Path) -> None:
    text = changed(("level < LAST_LEVEL; level++", "level < LAST_LEVEL; sum++"))
    _, lost, said = graded(tmp_path, text)
    assert lost == {"tables"} and "is there an endless loop?" in said


def test_what_does_not_compile(tmp_path: Path) -> None:
    _, lost, said = graded(tmp_path, changed(("unsigned levels(", "unsigned level(")))
    assert "undefined reference to `levels'" in said and str(tmp_path) not in said
    assert {"compiles", "levels", "reach"} < lost


def test_a_table_of_tables_is_counted_by_building_it() -> None:
    """By hand: two areas of 4 KiB, in one 2 MiB and in two."""
    near, far = [(0, 4096), (4096, 4096)], [(0, 4096), (1 << 21, 4096)]
    assert lab7.tables_of(12, 48, near) == 4 and lab7.tables_of(12, 48, far) == 5
    assert len(geometry(16, 16).levels) == lab7.tables_of(16, 48, near) == 3


def test_a_fork_has_the_shape_that_the_questions_rely_on() -> None:
    """A new table is what most of it is spent on, at the largest pages only."""
    granule = lab7.forked_granule(Seed("anna", 7))
    of = lab7.forked(granule)
    assert of.pages << lab7.GRANULES[granule] == lab7.FORKED_KIB << 10
    assert of.fork > of.table > 0 and of.munmap > 0


def test_two_names_have_different_questions() -> None:
    asked = [
        [part.asks for part in TRIAL.sheet(name).parts if isinstance(part, Number)]
        for name in NAMES
    ]
    assert asked[0] != asked[1]
    assert lab7.cases(Seed("anna", 7)) != lab7.cases(Seed("bert", 7))
