"""Lab 2: the reference has full marks, the starter hardly any, and typical mistakes cost what they
should."""

import re
import shutil
from pathlib import Path

import pytest

from labs import answers, judge, lab2
from labs.lab import Handin
from labs.seed import Seed
from support.root import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab2")]

FINDS = {"finds_4k", "finds_16k", "finds_64k", "finds_groups"}


def graded(folder: Path, text: str) -> tuple[judge.Total, set[str], str]:
    """Points, what brought none, and all that was said."""
    sheet = lab2.sheet(Seed("anna", 2))
    (folder / "reach.c").write_text(text)
    rows = list(judge.rows(sheet, Handin(folder, answers.key(sheet))))
    lost = {row.id for row in rows if row.state in (judge.State.FAILED, judge.State.NOT_RUN)}
    return judge.total(rows), lost, "\n".join(row.got for row in rows)


def changed(old: str, new: str) -> str:
    text = lab2.REFERENCE.read_text()
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_the_reference_finds_what_the_configuration_has() -> None:
    """The one truth that does not come from the reference itself."""
    fields = "".join(path.read_text() for path in (ROOT / "rtl/src/granule").rglob("*Config.scala"))
    (built,) = re.findall(r"dataTlbEntries: Int = (\d+)", fields)
    assert lab2.entries() == int(built)
    groups = lab2.reference(lab2.Machine("4k", groups=True, find=True))
    assert lab2.reach_of(groups) == int(built) * lab2.GROUP


@pytest.mark.parametrize("name", ["anna", "bert"])
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    sheet = lab2.sheet(Seed(name, 2))
    shutil.copy(lab2.REFERENCE, tmp_path)
    rows = list(judge.rows(sheet, Handin(tmp_path, answers.key(sheet))))
    assert judge.total(rows) == judge.Total(19, 19, 0, 3), rows


def test_starter(tmp_path: Path) -> None:
    text = (ROOT / "tb/labs/starter/lab2/reach.c").read_text()
    _, lost, _ = graded(tmp_path, text)
    assert lost == {"flat", "knee"} | FINDS
    rows = list(judge.rows(lab2.sheet(Seed("anna", 2)), Handin(tmp_path)))
    assert judge.total(rows).points == 1
    handout = " ".join((ROOT / "docs/labs/lab2.md").read_text().split())
    assert "starter has 1 of 19 points" in handout


def test_the_first_word_of_each_page(tmp_path: Path) -> None:
    """All in one set of the cache, which ends before the TLB does."""
    total, lost, _ = graded(tmp_path, changed(" + page * LINE % arena->page_size", ""))
    assert lost == {"flat", "knee"} | FINDS
    assert total.points == 19 - 3 - 2 - 6 - 3


def test_one_page_too_many(tmp_path: Path) -> None:
    """The first chain that misses instead of the last one that does not."""
    total, lost, said = graded(tmp_path, changed("return good;", "return bad;"))
    assert lost == FINDS and total.points == 19 - 6 - 3
    assert f"{lab2.entries() + 1} pages" in said


def test_the_number_instead_of_a_measurement(tmp_path: Path) -> None:
    """Right for pages; groups tell."""
    wrong = changed("    return good;", f"    return {lab2.entries()};")
    total, lost, _ = graded(tmp_path, wrong)
    assert lost == {"finds_groups"} and total.points == 16


def test_two_accesses_beyond_the_arena(tmp_path: Path) -> None:
    """A fault is told with its address."""
    wrong = changed("return arena->base + page", "return 0x30000000 + arena->base + page")
    assert "your code made an access to 0x5000" in graded(tmp_path, wrong)[2]


def test_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab2, "MOST", 200_000)
    said = graded(tmp_path, changed("while (steps--)", "while (1)"))[2]
    assert "is there an endless loop?" in said


def test_two_names_have_different_questions() -> None:
    parts = {str(lab2.sheet(Seed(f"{i}", 2)).parts[-2].asks) for i in range(12)}
    assert len(parts) == 4
