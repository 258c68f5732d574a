"""A lab as data: parts that bring points, in an order in which a part may need earlier ones.

Parts of paper do not need each other: who has one index wrong may have the next one right. Parts of
a program do: nothing can be said of the permissions of a page that is not mapped.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from labs.seed import Seed


class Trouble(Exception):
    """The student's work cannot be judged, and why, in words for the student."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence, not where in the grader it comes from."""
        return [f"Error: {self}"]


@dataclass(frozen=True)
class Handin:
    """What a student hands in: a folder, and the answers that were read from it. `unreadable` says
    why there are none."""

    folder: Path
    answers: Mapping[str, object] = field(default_factory=dict)
    unreadable: str = ""


@dataclass(frozen=True)
class Verdict:
    """Of one part. `expected` and `got` are shown where it failed; `open`: nothing was answered."""

    passed: bool
    expected: str = ""
    got: str = ""
    open: bool = False


class Part(Protocol):
    """One row of the grader. `needs`: ids of parts without which this one means nothing."""

    id: str
    points: int
    needs: tuple[str, ...]
    bonus: bool

    @property
    def what(self) -> str: ...

    def judge(self, handin: Handin) -> Verdict: ...


@dataclass(frozen=True)
class Check:
    """A part that runs something of the student's."""

    id: str
    points: int
    what: str
    run: Callable[[Handin], Verdict]
    needs: tuple[str, ...] = ()
    bonus: bool = False

    def judge(self, handin: Handin) -> Verdict:
        return self.run(handin)


@dataclass(frozen=True)
class Prose:
    """A question whose answer a person reads; the grader says that it waits."""

    id: str
    points: int
    asks: str
    needs: tuple[str, ...] = ()
    bonus: bool = False

    @property
    def what(self) -> str:
        return self.asks.splitlines()[0]

    def judge(self, handin: Handin) -> Verdict:
        raise NotImplementedError("a person judges this part")


@dataclass(frozen=True)
class Sheet:
    """A lab for one student. `given`: what the questions are about, printed before them."""

    given: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for part in self.parts:
            missing = set(part.needs) - seen
            if part.id in seen or missing:
                raise ValueError(f"part '{part.id}' is there twice, or before {sorted(missing)}")
            seen.add(part.id)


@dataclass(frozen=True)
class Lab:
    """`files` are copied to the student from tb/labs/starter/labN; `measure` prints what the
    figures of the handout are made from; `explore` runs what a student tries out; `simulator`:
    whether programs run on it; `browser`: what is said of the page where it can be
    done."""

    number: int
    title: str
    sheet: Callable[[Seed], Sheet]
    files: tuple[str, ...] = ()
    simulator: bool = False
    measure: Callable[[], str] | None = None
    explore: Callable[[Seed, Handin], str] | None = None
    browser: Callable[[Seed], str] | None = None

    @property
    def hardware(self) -> bool:
        """Students write RTL, which needs all that builds it."""
        return any(name.endswith(".scala") for name in self.files)
