"""How tests try a lab: a student's file goes in, and out come its points, the parts that brought
none, and all that was said."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from labs import answers, judge
from labs.judge import State, Total
from labs.lab import Check, Handin, Lab, Sheet
from labs.labs import LABS
from labs.seed import Seed
from support.root import ROOT

HOME = ROOT / "tb/labs"
NAMES = ("anna", "bert")
Outcome = tuple[Total, set[str], str]


def outcome(rows: list[judge.Row]) -> Outcome:
    lost = {row.id for row in rows if row.state in (State.FAILED, State.NOT_RUN)}
    return judge.total(rows), lost, "\n".join(f"{row.expected}\n{row.got}" for row in rows)


@dataclass(frozen=True)
class Trial:
    """Of a lab in which students write one file."""

    number: int

    @property
    def lab(self) -> Lab:
        return LABS[self.number]

    def _text(self, kind: str) -> str:
        (name,) = self.lab.files
        return (HOME / kind / f"lab{self.number}" / name).read_text()

    @cached_property
    def reference(self) -> str:
        return self._text("reference")

    @cached_property
    def starter(self) -> str:
        return self._text("starter")

    def sheet(self, name: str = NAMES[0]) -> Sheet:
        return self.lab.sheet(Seed(name, self.number))

    def changed(self, *changes: tuple[str, str]) -> str:
        """The reference with other texts in it, of which each was there once."""
        text = self.reference
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text

    def rows(
        self, folder: Path, text: str, name: str = NAMES[0], *, key: bool = True
    ) -> list[judge.Row]:
        """`key`: all questions are answered, and are right."""
        sheet = self.sheet(name)
        (folder / self.lab.files[0]).write_text(text)
        return list(judge.rows(sheet, Handin(folder, answers.key(sheet) if key else {})))

    def graded(self, folder: Path, text: str, name: str = NAMES[0]) -> Outcome:
        return outcome(self.rows(folder, text, name))

    def started(self, folder: Path) -> Outcome:
        """What a student has who has done nothing; the handout says the same. What is lost is
        without the questions."""
        total, lost, said = outcome(self.rows(folder, self.starter, key=False))
        page = (ROOT / f"docs/labs/lab{self.number}.md").read_text().split("## Hand in")[1]
        numbers = [int(number) for number in re.findall(r"\d+", page)]
        assert numbers == [total.points, total.of, *self.more(), total.by_hand], page
        return total, lost & self.checks(), said

    def more(self) -> list[int]:
        """Points of what is a bonus, if something is."""
        bonus = sum(part.points for part in self.sheet().parts if part.bonus)
        return [bonus] if bonus else []

    def checks(self) -> set[str]:
        """Parts that run something of the student's."""
        return {part.id for part in self.sheet().parts if isinstance(part, Check)}

    def points_of(self, parts: set[str]) -> int:
        """Without a bonus."""
        return sum(
            part.points for part in self.sheet().parts if part.id in parts and not part.bonus
        )
