"""Lab 9: the reference has full marks, the starter hardly any, and each rule that is missed costs
what it should. Each run compiles Scala and simulates, so they are not of one group."""

from pathlib import Path

import pytest

from labs import judge, lab9, scala
from labs.lab import Handin
from labs.lab9 import Ages, Rules
from labs.seed import Seed
from labs.trial import NAMES, Trial
from support.root import ROOT

pytestmark = pytest.mark.slow

TRIAL = Trial(9)
STARTER, graded = TRIAL.starter, TRIAL.graded
FULL, BY_HAND = 25, 3
TRIED = {"cleared", "once", "long", "mixed", "size"}


def reference(of: Rules) -> str:
    """What a student with these rules writes."""
    text = TRIAL.reference
    for name, drawn, value in (("most", "5", of.most), ("highest", "false", of.highest),
                               ("younger", "false", of.younger)):  # fmt: skip
        old = f"val {name} = {drawn}\n"
        assert text.count(old) == 1
        text = text.replace(old, f"val {name} = {str(value).lower()}\n")
    return text


def anna() -> Rules:
    return lab9.rules(Seed("anna", 9))


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    text = reference(lab9.rules(Seed(name, 9)))
    assert graded(tmp_path, text, name)[0] == judge.Total(FULL, FULL, 0, BY_HAND)


def test_starter(tmp_path: Path) -> None:
    total, lost, said = TRIAL.started(tmp_path)
    assert total.points == 2 and lost == TRIED and "way 1" in said


RESET = "(way(i) ? U(0, width bits) | (stays ? age | (age + 1))).asBits"
WRONG = {
    "the other of several oldest ways": (
        lambda: reference(Rules(anna().most, not anna().highest, anna().younger)), TRIED,
    ),
    "who becomes older": (
        lambda: reference(Rules(anna().most, anna().highest, not anna().younger)),
        {"long", "mixed", "size"},
    ),
    "a use makes nothing younger": (
        lambda: reference(anna()).replace(RESET, "(stays ? age | (age + 1)).asBits"),
        {"once", "long", "mixed", "size"},
    ),
    "a bit more for each way": (
        lambda: reference(anna()).replace("log2Up(most + 1)", "log2Up(most + 1) + 1"), {"size"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("text, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(tmp_path: Path, text, expected: set[str]) -> None:
    total, lost, _ = graded(tmp_path, text())
    assert lost == expected
    assert total.points == FULL - TRIAL.points_of(expected)


def test_code_that_does_not_compile(tmp_path: Path) -> None:
    total, lost, said = graded(
        tmp_path, STARTER.replace("stateBits: Int = 1", "stateBits: Int = x")
    )
    assert lost == {"compiles", "verilog"} | TRIED and total.points == 6
    assert "Policy.scala:13: error: not found: value x" in said and str(tmp_path) not in said


def test_hardware_that_cannot_be(tmp_path: Path) -> None:
    """A bit that is not there: SpinalHDL's message, and the line of the student's file."""
    text = STARTER.replace("B(2, ways bits)", "state(9 downto 2)")
    _, lost, said = graded(tmp_path, text)
    assert lost == {"verilog"} | TRIED
    assert "gives no Verilog at Policy.scala:19" in said and str(tmp_path) not in said


def test_a_missing_file(tmp_path: Path) -> None:
    rows = {row.id: row for row in judge.rows(TRIAL.sheet(), Handin(tmp_path))}
    assert "Policy.scala is missing" in rows["compiles"].got


def test_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scala.places.cache_clear()
    monkeypatch.setattr(scala.shutil, "which", lambda name: None)
    assert "there is no java; run `make setup`" in graded(tmp_path, STARTER)[2]


def test_with_no_end_and_no_tie_it_is_lru() -> None:
    """The model against a policy that everybody knows."""
    ages, order = Ages(Rules(7, False, True)), list(range(lab9.WAYS))
    for way in (3, 1, 4, 1, 5, 2, 6, 0, 7, 3, 5, 5, 2):
        ages.use(way)
        order.remove(way)
        order.append(way)
        assert set(order[-3:]).isdisjoint({ages.victim()})
    assert ages.victim() == order[0]


def test_two_names_have_different_rules() -> None:
    """As many as the teachers' page says."""
    drawn = {lab9.rules(Seed(f"{i}", 9)) for i in range(60)}
    assert len(drawn) == 12 and len({str(of) for of in drawn}) == 12
    assert "12 policies" in (ROOT / "docs/teachers/lab9.md").read_text()


def test_numbers_of_the_handout() -> None:
    text = (ROOT / "docs/labs/lab9.md").read_text()
    assert f"{lab9.MIXED:,} uses and clears" in text and f"here {lab9.WAYS}." in text
    assert f"if {lab9.LINES} lines of one set" in text
