"""Lab 4: the reference has full marks, the starter hardly any, and each forgotten, misplaced or
needless invalidation costs what it should."""

from pathlib import Path

import pytest

from labs import judge, lab4
from labs.seed import Seed
from labs.trial import NAMES, Trial

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab4")]

TRIAL = Trial(4)
graded, changed = TRIAL.graded, TRIAL.changed
FULL = 25


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    assert graded(tmp_path, TRIAL.reference, name)[0] == judge.Total(FULL, FULL, 0, 4)


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 1 and lost == TRIAL.checks() - {"compiles"}


UNMAP = """    set_descriptor(descriptor_of(va), 0);
    invalidate(K_VA, va_operand(va));
"""
PROTECT = """    set_descriptor(descriptor, *descriptor | READ_ONLY);
    invalidate(K_VA, va_operand(va));
"""
WRONG = {
    "forgotten": (
        [(UNMAP, UNMAP.splitlines()[0])],
        {"unmap", "remap", "precise"},
    ),
    "before": (
        [(PROTECT, "\n".join(reversed(PROTECT.splitlines())))],
        {"protect", "precise"},
    ),
    "no break": (
        [("    unmap_page(va);\n", ""),
         ("attributes | pa);", "attributes | pa);\n    invalidate(K_VA, va_operand(va));")],
        {"remap", "precise"},
    ),
    "everything": (
        [("invalidate(K_ASID, asid_operand(of))", "invalidate(K_ALL, (uint64_t)of)"),
         ("    invalidate_pages(va, pages);", "    (void)invalidate_pages;\n"
          "    invalidate(K_ALL, 0);")],
        {"space", "precise"},
    ),
    "page by page": (
        [("    invalidate_pages(va, pages);",
          "    (void)invalidate_pages;\n    for (unsigned i = 0; i < pages; i++)\n"
          "        invalidate(K_VA, va_operand(va + (i << page_shift)));")],
        {"few"},
    ),
    "half a range": ([("units - 1));", "units / 2));")], {"range", "few", "precise"}),
    "other ASID": ([("asid_operand(of)", "asid_operand(of + 1)")], {"space"}),
}  # fmt: skip


@pytest.mark.parametrize("changes, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(
    tmp_path: Path, changes: list[tuple[str, str]], expected: set[str]
) -> None:
    total, lost, _ = graded(tmp_path, changed(*changes))
    assert lost == expected
    assert total.points == FULL - TRIAL.points_of(expected)


def test_it_does_not_end(tmp_path: Path) -> None:
    """Only what calls it fails."""
    text = changed(
        ("{\n    invalidate(K_ASID", "{\n    for (;;)\n        ;\n    invalidate(K_ASID")
    )
    _, lost, said = graded(tmp_path, text)
    assert lost == {"space"} and "is there an endless loop?" in said


def test_costs_have_the_shape_that_the_questions_rely_on() -> None:
    """Page by page grows by the same for each page; a range and all do not grow."""
    for granule in lab4.GRANULES:
        rows = lab4.costs(granule)
        steps = {later[1] - row[1] for row, later in zip(rows, rows[1:], strict=False)}
        assert max(steps) - min(steps) <= 8
        assert len({row[3] for row in rows}) == 1
        even = rows[1::2]
        assert max(row[2] for row in even) < 3 * min(row[2] for row in even)


def test_two_names_have_different_questions() -> None:
    asked = [[part.what for part in TRIAL.sheet(name).parts] for name in NAMES]
    assert asked[0] != asked[1]
    assert lab4.cases(Seed("anna", 4)) != lab4.cases(Seed("bert", 4))
