"""What a lab is: parts that bring points, in an order in which a part may need earlier ones.

Parts of paper do not need each other: who has one index wrong may have the next one right. Parts of
a program do: nothing can be said of the permissions of a page that is not mapped.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labs.seed import Seed

GRANULES = {"4k": 12, "16k": 14, "64k": 16}  # log2 of a page, by the name that programs take
MOST_DIGITS = 70  # of an answer: 64 of them in binary, and a prefix


class Trouble(Exception):
    """The student's work cannot be judged, and why, in words for the student."""

    expected = ""

    @property
    def got(self) -> str:
        return str(self)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence, not where in the grader it comes from."""
        return [f"Error: {self}"]


class Wrong(Trouble):
    """The work was judged; both are shown to the student."""

    got = ""

    def __init__(self, expected: str, got: object):
        super().__init__(f"expected: {expected}, got: {got}")
        self.expected, self.got = expected, str(got)


class Open(Trouble):
    """Nothing was answered."""


def expect(right: bool, expected: str, got: object) -> None:
    """Raises Wrong unless it is right."""
    if not right:
        raise Wrong(expected, got)


@dataclass(frozen=True)
class Handin:
    """What a student hands in: a folder, and the answers that were read from it. `unreadable` says
    why there are none."""

    folder: Path
    answers: Mapping[str, object] = field(default_factory=dict)
    unreadable: str = ""


@dataclass(frozen=True)
class Part:
    """One row of the grader. `needs`: ids of parts without which it means nothing."""

    id: str
    points: int
    asks: str

    needs = ()
    bonus = False

    @property
    def what(self) -> str:
        return self.asks.splitlines()[0]


@dataclass(frozen=True)
class Check(Part):
    """Runs something of the student's, and raises Trouble if that is not right."""

    judge: Callable[[Handin], object]
    needs: tuple[str, ...] = ("compiles",)
    bonus: bool = False


@dataclass(frozen=True)
class Prose(Part):
    """A question whose answer a person reads; the grader says that it waits."""


def number(value: object) -> int | None:
    """A number as people write it: 0x1f, 31, 0b11111, 1_000; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value.bit_length() < MOST_DIGITS else None
    text = str(value).replace(" ", "").replace(",", "")
    try:
        return int(text, 0) if len(text) <= MOST_DIGITS else None
    except ValueError:
        return None


def quoted(value: object) -> str:
    """As it stands in the file of answers, on one line."""
    text = hex(value) if isinstance(value, int) else " ".join(str(value).split())
    return f"'{text[:MOST_DIGITS]}...'" if len(text) > MOST_DIGITS else f"'{text}'"


@dataclass(frozen=True)
class Question(Part):
    """One that has a right answer: `key` says it, and `form` how it is written. `hint`: what a page
    says beside an answer that is not right."""

    hint: str = field(default="", kw_only=True)

    def given(self, handin: Handin) -> object:
        if handin.unreadable:
            raise Trouble("the file of answers cannot be read")
        answer = handin.answers.get(self.id, "")
        if isinstance(answer, str) and not answer.strip():
            raise Open
        return answer

    def malformed(self, given: object) -> Wrong:
        return Wrong(self.key, f"{quoted(given)}, which is not {self.form}")


@dataclass(frozen=True)
class Number(Question):
    """`hexadecimal`: how it is shown. `spread`: how far from `answer` is still right, as a part of
    it, for what was measured."""

    answer: int
    hexadecimal: bool = False
    spread: float = 0.0

    @property
    def form(self) -> str:
        return "a number, like 0x40001000" if self.hexadecimal else "a number, like 12"

    def show(self, value: int) -> str:
        return f"{value:#x}" if self.hexadecimal else str(value)

    @property
    def key(self) -> str:
        return self.show(self.answer)

    def judge(self, handin: Handin) -> None:
        value = number(given := self.given(handin))
        if value is None:
            raise self.malformed(given)
        right = abs(value - self.answer) <= self.spread * self.answer
        expect(right, self.key, self.show(value))


@dataclass(frozen=True)
class Word(Question):
    """A question for one of some words."""

    answer: str
    choices: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.answer not in self.choices:
            raise ValueError(f"'{self.answer}' is none of {self.choices}")

    @property
    def form(self) -> str:
        return "one of: " + ", ".join(self.choices)

    @property
    def key(self) -> str:
        return self.answer

    def judge(self, handin: Handin) -> None:
        word = str(given := self.given(handin)).strip().lower()
        if word not in self.choices:
            raise self.malformed(given)
        expect(word == self.answer, self.key, word)


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
    figures of the handout are made from; `explore` runs what a student tries out; `browser`: what
    is said of the page where it can be done."""

    number: int
    title: str
    sheet: Callable[[Seed], Sheet]
    files: tuple[str, ...] = ()
    measure: Callable[[], str] | None = None
    explore: Callable[[Seed, Handin], str] | None = None
    browser: Callable[[Seed], str] | None = None

    @property
    def hardware(self) -> bool:
        """Students write RTL, which needs all that builds it."""
        return any(name.endswith(".scala") for name in self.files)
