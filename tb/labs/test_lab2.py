"""Lab 2: the reference has full marks, the starter hardly any, and typical mistakes cost what they
should."""

import re
from pathlib import Path

import pytest

from labs import judge, lab2
from labs.trial import NAMES, Trial
from support.root import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab2")]

TRIAL = Trial(2)
graded, changed = TRIAL.graded, TRIAL.changed
FINDS = {"finds_4k", "finds_16k", "finds_64k", "finds_groups"}


def test_the_reference_finds_what_the_configuration_has() -> None:
    """The one truth that does not come from the reference itself."""
    fields = "".join(path.read_text() for path in (ROOT / "rtl/src/granule").rglob("*Config.scala"))
    (built,) = re.findall(r"dataTlbEntries: Int = (\d+)", fields)
    assert lab2.entries() == int(built)
    groups = lab2.reference(lab2.Machine("4k", groups=True, find=True))
    assert lab2.reach_of(groups) == int(built) * lab2.GROUP


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    total, _, said = graded(tmp_path, TRIAL.reference, name)
    assert total == judge.Total(19, 19, 0, 3), said


def test_starter(tmp_path: Path) -> None:
    total, lost, _ = TRIAL.started(tmp_path)
    assert total.points == 1 and lost == {"flat", "knee"} | FINDS


def test_the_first_word_of_each_page(tmp_path: Path) -> None:
    """All in one set of the cache, which ends before the TLB does."""
    total, lost, _ = graded(tmp_path, changed((" + page * LINE % arena->page_size", "")))
    assert lost == {"flat", "knee"} | FINDS
    assert total.points == 19 - 3 - 2 - 6 - 3


def test_one_page_too_many(tmp_path: Path) -> None:
    """The first chain that misses instead of the last one that does not."""
    total, lost, said = graded(tmp_path, changed(("return good;", "return bad;")))
    assert lost == FINDS and total.points == 19 - 6 - 3
    assert f"{lab2.entries() + 1} pages" in said


def test_the_number_instead_of_a_measurement(tmp_path: Path) -> None:
    """Right for pages; groups tell."""
    wrong = changed(("    return good;", f"    return {lab2.entries()};"))
    total, lost, _ = graded(tmp_path, wrong)
    assert lost == {"finds_groups"} and total.points == 16


def test_two_accesses_beyond_the_arena(tmp_path: Path) -> None:
    """A fault is told with its address."""
    wrong = changed(("return arena->base + page", "return 0x30000000 + arena->base + page"))
    assert "your code made an access to 0x5000" in graded(tmp_path, wrong)[2]


def test_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab2, "MOST", 200_000)
    said = graded(tmp_path, changed(("while (steps--)", "while (1)")))[2]
    assert "is there an endless loop?" in said


def test_two_names_have_different_questions() -> None:
    parts = {TRIAL.sheet(f"{i}").parts[-2].asks for i in range(12)}
    assert len(parts) == 4
