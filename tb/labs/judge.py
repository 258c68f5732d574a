"""Judges a hand-in, part after part."""

from collections.abc import Iterator
from dataclasses import dataclass

from labs.lab import Handin, Open, Prose, Question, Sheet, Trouble

# What became of a part: OPEN has no answer yet, BY_HAND waits for a person.
PASSED, FAILED, OPEN, NOT_RUN, BY_HAND = "passed", "failed", "open", "not run", "by hand"


@dataclass(frozen=True)
class Row:
    """One part and how it came out. `expected` and `got` say why it failed."""

    id: str
    what: str
    of: int
    bonus: bool
    state: str
    points: int = 0
    expected: str = ""
    got: str = ""


def rows(sheet: Sheet, handin: Handin, *, key: bool = False) -> Iterator[Row]:
    """Each as soon as it is known. `key`: with the right answers of questions."""
    passed: set[str] = set()
    for part in sheet.parts:
        head = (part.id, part.what, part.points, part.bonus)
        missing = [need for need in part.needs if need not in passed]
        if isinstance(part, Prose):
            yield Row(*head, BY_HAND)
        elif missing:
            yield Row(*head, NOT_RUN, got=f"needs '{missing[0]}'")
        else:
            try:
                part.judge(handin)
            except Open:
                yield Row(*head, OPEN)
            except Trouble as why:
                told = why.expected if key or not isinstance(part, Question) else ""
                yield Row(*head, FAILED, expected=told, got=why.got)
            else:
                passed.add(part.id)
                yield Row(*head, PASSED, part.points)


@dataclass(frozen=True)
class Total:
    """Points that the grader gave, of those that it can give; `by_hand`: those that wait for a
    person."""

    points: int
    of: int
    bonus: int
    by_hand: int


def total(found: list[Row]) -> Total:
    return Total(
        points=sum(row.points for row in found if not row.bonus),
        of=sum(row.of for row in found if not row.bonus and row.state is not BY_HAND),
        bonus=sum(row.points for row in found if row.bonus),
        by_hand=sum(row.of for row in found if row.state is BY_HAND),
    )
