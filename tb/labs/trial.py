"""How tests try a lab in which students write one file: that file goes in, and out come its points,
the parts that brought none, and all that was said."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from labs import answers, judge, lab9
from labs.judge import FAILED, NOT_RUN, Total
from labs.lab import Check, Handin, Lab, Prose, Sheet
from labs.labs import LABS
from labs.seed import Seed
from labs.student_rtl import changed
from support.root import ROOT

NAMES = ("anna", "bert")


def slow(number: int, *values: object) -> object:
    """A case of a test of this lab. The labs of hardware compile Scala and simulate for each, so
    theirs are not of one group."""
    group = [] if LABS[number].hardware else [pytest.mark.xdist_group(f"lab{number}")]
    return pytest.param(number, *values, marks=[pytest.mark.slow, *group])


@dataclass(frozen=True)
class Outcome:
    total: Total
    lost: set[str]
    said: str


@dataclass(frozen=True)
class Trial:
    number: int
    name: str = NAMES[0]

    @property
    def lab(self) -> Lab:
        return LABS[self.number]

    @property
    def sheet(self) -> Sheet:
        return self.lab.sheet(Seed(self.name, self.number))

    def _text(self, kind: str) -> str:
        (name,) = self.lab.files
        return (ROOT / "tb/labs" / kind / f"lab{self.number}" / name).read_text()

    @property
    def starter(self) -> str:
        return self._text("starter")

    @property
    def reference(self) -> str:
        """What a student of this name writes: only lab 9 asks each for something else."""
        text = self._text("reference")
        if self.number == 9:
            of = lab9.rules(Seed(self.name, 9))
            text = changed(
                text, ("most = 5\n", f"most = {of.most}\n"),
                ("highest = false", f"highest = {of.highest}".lower()),
                ("younger = false", f"younger = {of.younger}".lower()),
            )  # fmt: skip
        return text

    def graded(self, folder: Path, text: str, *, key: bool = True) -> Outcome:
        """`key`: all questions are answered, and are right."""
        sheet = self.sheet
        (folder / self.lab.files[0]).write_text(text)
        rows = list(judge.rows(sheet, Handin(folder, answers.key(sheet) if key else {})))
        lost = {row.id for row in rows if row.state in (FAILED, NOT_RUN)}
        said = "\n".join(f"{row.expected}\n{row.got}" for row in rows)
        return Outcome(judge.total(rows), lost, said)

    @property
    def whole(self) -> Total:
        """What can be had."""
        by_hand = sum(part.points for part in self.sheet.parts if isinstance(part, Prose))
        bonus = sum(part.points for part in self.sheet.parts if part.bonus)
        points = sum(part.points for part in self.sheet.parts) - by_hand - bonus
        return Total(points, points, bonus, by_hand)

    @property
    def checks(self) -> dict[str, Check]:
        """Parts that run something of the student's."""
        return {part.id: part for part in self.sheet.parts if isinstance(part, Check)}

    def points_of(self, parts: set[str]) -> int:
        """Without a bonus."""
        return sum(self.checks[name].points for name in parts if not self.checks[name].bonus)
