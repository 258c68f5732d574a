"""Judges a hand-in, part after part."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import Enum

from labs.lab import Handin, Prose, Sheet, Trouble, Verdict
from labs.questions import Number, Word


class State(Enum):
    PASSED = "passed"
    FAILED = "failed"
    OPEN = "open"  # no answer yet
    NOT_RUN = "not run"
    BY_HAND = "by hand"


@dataclass(frozen=True)
class Row:
    """One part and how it came out."""

    id: str
    what: str
    state: State
    points: int
    of: int
    bonus: bool = False
    expected: str = ""
    got: str = ""

    def as_json(self) -> dict:
        return asdict(self) | {"state": self.state.value}


def rows(sheet: Sheet, handin: Handin, *, key: bool = False) -> Iterator[Row]:
    """Each as soon as it is known. `key`: with the right answers of questions."""
    passed: set[str] = set()
    for part in sheet.parts:
        head = {"id": part.id, "what": part.what, "of": part.points, "bonus": part.bonus}
        if isinstance(part, Prose):
            yield Row(**head, state=State.BY_HAND, points=0)
            continue
        missing = [need for need in part.needs if need not in passed]
        if missing:
            yield Row(**head, state=State.NOT_RUN, points=0, got=f"needs '{missing[0]}'")
            continue
        verdict = judged(part, handin)
        if verdict.passed:
            passed.add(part.id)
            yield Row(**head, state=State.PASSED, points=part.points)
        elif verdict.open:
            yield Row(**head, state=State.OPEN, points=0)
        else:
            told = key or not isinstance(part, Number | Word)
            yield Row(**head, state=State.FAILED, points=0,
                      expected=verdict.expected if told else "", got=verdict.got)  # fmt: skip


def judged(part, handin: Handin) -> Verdict:
    if isinstance(part, Number | Word) and handin.unreadable:
        return Verdict(False, got="the file of answers cannot be read")
    try:
        return part.judge(handin)
    except Trouble as trouble:
        return Verdict(False, got=str(trouble))


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
        of=sum(row.of for row in found if not row.bonus and row.state is not State.BY_HAND),
        bonus=sum(row.points for row in found if row.bonus),
        by_hand=sum(row.of for row in found if row.state is State.BY_HAND),
    )
