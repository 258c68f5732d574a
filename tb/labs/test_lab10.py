"""Lab 10: the reference has full marks, the starter walks one size of address spaces, and each rule
that is missed costs the sizes that it is about. Each run compiles Scala and simulates, so they are
not of one group."""

from pathlib import Path

import pytest

from labs import judge, lab10
from labs.seed import Seed
from labs.trial import NAMES, Trial
from support.root import ROOT

pytestmark = pytest.mark.slow

TRIAL = Trial(10)
STARTER, graded, changed = TRIAL.starter, TRIAL.graded, TRIAL.changed
FULL, BY_HAND, QUESTIONS = 23, 3, 5
WALKS = {"keeps", "levels", "walks_4k", "walks_16k", "walks_64k"}


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(tmp_path: Path, name: str) -> None:
    assert graded(tmp_path, TRIAL.reference, name)[0] == judge.Total(FULL, FULL, 0, BY_HAND)


def test_starter(tmp_path: Path) -> None:
    total, lost, said = TRIAL.started(tmp_path)
    assert total.points == 3 and lost == WALKS - {"keeps"} and "reads of 0x4" in said


WRONG = {
    "nine index bits": (
        changed(("stride = granule - 3", "stride = 9")), {"levels", "walks_16k", "walks_64k"},
    ),
    "the first table is full": (
        changed(("(U(64 - lowest(level), 6 bits) - tnsz).resize(4)", "U(stride, 4 bits)")),
        {"walks_4k", "walks_16k", "walks_64k"},
    ),
    "no level 0": (
        changed(("val higher = level > 0 &&", "val higher = level > 1 &&"),
                ("reaches && (if", "Bool(level > 0) && reaches && (if")),
        {"levels", "walks_4k", "walks_16k"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("text, expected", WRONG.values(), ids=WRONG)
def test_typical_mistakes(tmp_path: Path, text: str, expected: set[str]) -> None:
    total, lost, _ = graded(tmp_path, text)
    assert lost == expected
    assert total.points == FULL - TRIAL.points_of(expected)


def test_code_that_does_not_compile(tmp_path: Path) -> None:
    text = STARTER.replace("(tnsz: UInt): UInt = U(9)", "(tnsz: UInt): Bits = U(9)")
    total, lost, said = graded(tmp_path, text)
    assert lost == {"compiles", "verilog", *WALKS} and total.points == QUESTIONS
    assert "Levels.scala:16: error: type mismatch" in said and str(tmp_path) not in said


def test_hardware_that_cannot_be(tmp_path: Path) -> None:
    """Bits that are not there: SpinalHDL's message, and the line of the student's file."""
    _, lost, said = graded(tmp_path, STARTER.replace("va(38 downto 30)", "va(58 downto 50)"))
    assert lost == {"verilog", *WALKS}
    assert "gives no Verilog at Levels.scala:23" in said and str(tmp_path) not in said


def test_numbers_of_the_pages() -> None:
    spaces = len(lab10.GRANULES) * len(lab10.BITS)
    for where in ("labs", "teachers"):
        assert f"{spaces} address spaces" in (ROOT / "docs" / where / "lab10.md").read_text()


def test_an_address_of_every_level_is_tried() -> None:
    of = lab10.space(Seed("anna", 10), 12, 48)
    assert {len(lab10.reads_of(of, va)) for va in of.addresses} >= {1, 2, 3, 4}


def test_a_place_that_is_not_in_the_sources_once() -> None:
    place = lab10.Place("Levels.scala", "walk/Geometry.scala", (("no such text", ""),), "", "", "")
    with pytest.raises(ValueError, match="is 0 times in walk/Geometry.scala, must be once"):
        place.changed()


def test_two_names_have_different_questions() -> None:
    asked = [[part.what for part in TRIAL.sheet(name).parts] for name in NAMES]
    assert asked[0] != asked[1]
    spaces = [lab10.space(Seed(name, 10), 14, 40).addresses for name in NAMES]
    assert spaces[0] != spaces[1]
