"""Questions with one right answer, and how answers are read."""

from dataclasses import dataclass

from labs.lab import Handin, Verdict

MOST_DIGITS = 70  # 64 of them in binary, and a prefix


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
class Number:
    """A question for a number. `hexadecimal`: how it is shown. `spread`: how far from `answer` is
    still right, as a part of it, for what was measured."""

    id: str
    points: int
    asks: str
    answer: int
    hexadecimal: bool = False
    spread: float = 0.0
    needs: tuple[str, ...] = ()
    bonus: bool = False

    @property
    def what(self) -> str:
        return self.asks.splitlines()[0]

    @property
    def form(self) -> str:
        return "a number, like 0x40001000" if self.hexadecimal else "a number, like 12"

    def show(self, value: int) -> str:
        return f"{value:#x}" if self.hexadecimal else str(value)

    @property
    def key(self) -> str:
        return self.show(self.answer)

    def judge(self, handin: Handin) -> Verdict:
        given = handin.answers.get(self.id, "")
        if given == "":
            return Verdict(False, open=True)
        value = number(given)
        if value is None:
            return Verdict(False, self.key, f"{quoted(given)}, which is not {self.form}")
        right = abs(value - self.answer) <= self.spread * self.answer
        return Verdict(right, self.key, self.show(value))


@dataclass(frozen=True)
class Word:
    """A question for one of some words."""

    id: str
    points: int
    asks: str
    answer: str
    choices: tuple[str, ...]
    needs: tuple[str, ...] = ()
    bonus: bool = False

    def __post_init__(self) -> None:
        if self.answer not in self.choices:
            raise ValueError(f"'{self.answer}' is none of {self.choices}")

    @property
    def what(self) -> str:
        return self.asks.splitlines()[0]

    @property
    def form(self) -> str:
        return "one of: " + ", ".join(self.choices)

    @property
    def key(self) -> str:
        return self.answer

    def judge(self, handin: Handin) -> Verdict:
        given = str(handin.answers.get(self.id, "")).strip().lower()
        if not given:
            return Verdict(False, open=True)
        if given not in self.choices:
            return Verdict(False, self.key, f"{quoted(given)}, which is not {self.form}")
        return Verdict(given == self.answer, self.key, given)


Question = Number | Word
