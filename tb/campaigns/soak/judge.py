"""Compares what the RTL answered with the golden model, step by step.

What both must agree on: outcome, descriptor updates, and which descriptors were read. A hit reads
none; a walk reads what the model reads, or only the end of it when table entries were cached.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from campaigns.soak.player import Answer
from model import Fault, Features, Registers, Translation
from model.bits import mask
from model.faults import FaultKind
from model.steps import Ask, Flush, Golden, Step
from model.tlbi import Kind

UNSUPPORTED = 0b110001
Outcome = Translation | Fault


@dataclass(frozen=True)
class Judged:
    """One access with its registers, what the model says, and what is wrong with the answer."""

    step: Ask
    registers: Registers
    expected: Outcome
    answer: Answer
    wrong: str | None


class Judge:
    """Replays a case on the model. `walk_cache`: the RTL keeps table entries."""

    def __init__(self, features: Features, *, walk_cache: bool):
        self.features, self.walk_cache = features, walk_cache

    def case(self, steps: list[Step], answers: Iterator[Answer]) -> Iterator[Judged]:
        """Judges every access for which there is an answer."""
        self.model = Golden(self.features)
        self.leaves = self.tables = True  # translations, table entries may be cached
        for step in steps:
            self.model.take(step)
            match step:
                case Ask():
                    answer = next(answers, None)
                    if answer is None:
                        return
                    yield self.ask(step, answer)
                case Flush(op) if op.kind is Kind.ALL:
                    self.leaves = False
                    self.tables = self.tables and op.last_level

    def ask(self, step: Ask, answer: Answer) -> Judged:
        memory, before = self.model.memory, None
        if self.features.use_contiguous and not answer.reads:
            before = dict(memory.words)
        expected = self.model.outcome(step)
        wrong = self.difference(step, expected, answer)
        if wrong and before is not None and self._of_the_group(expected, answer):
            memory.words = before
            wrong = None
        permission = isinstance(expected, Fault) and expected.kind is FaultKind.PERMISSION
        self.leaves = self.leaves or not isinstance(expected, Fault) or permission
        self.tables = self.tables or bool(expected.reads)
        return Judged(step, self.model.registers, expected, answer, wrong)

    def _of_the_group(self, expected: Outcome, answer: Answer) -> bool:
        """Another member of a contiguous group answered: its access flag and dirty state stand for
        all (spec 6.4, 5), so that this member's stay as they are."""
        if isinstance(expected, Fault) or not expected.changed or answer.writes or answer.fault:
            return False
        return (answer.pa, answer.attr) == (expected.pa, expected.attr) and self.leaves

    def difference(self, step: Ask, expected: Outcome, answer: Answer) -> str | None:
        if isinstance(expected, Fault):
            if not answer.fault or answer.status != expected.status:
                return f"expected {describe(expected)}, got {answer}"
            if answer.wnr != expected.wnr and expected.status != UNSUPPORTED:
                return f"expected {describe(expected)}, got {answer}"
            if answer.dirty != expected.dirty:
                return f"expected {describe(expected)}, got {answer}"
            changed = ()
        else:
            if answer.fault or (answer.pa, answer.attr) != (expected.pa, expected.attr):
                return f"expected {describe(expected)}, got {answer}"
            changed = expected.changed
        won = tuple((address, value & mask(64)) for address, value in answer.writes)
        # The upper words of 16 bytes stay: what the model changes is in the lower ones.
        words = self.model.memory.words
        torn = [a for a, v in answer.writes if v >> 64 and v >> 64 != words[a + 8]]
        if won != changed or torn:
            return f"expected the updates {_pairs(changed)}, got {_pairs(answer.writes)}"
        return self._reads(step, expected.reads, answer.reads)

    def _reads(self, step: Ask, expected: tuple[int, ...], got: tuple[int, ...]) -> str | None:
        if got == expected or (not got and self.leaves):
            return None
        if self.walk_cache and got and self._remembered(step, expected, got):
            return None
        return f"expected reads of {_list(expected)}, got {_list(got)}"

    def _remembered(self, step: Ask, expected: tuple[int, ...], got: tuple[int, ...]) -> bool:
        """The end of a walk is read, where tables may be remembered. One that lost a race begins
        again behind the entry, and then the first pass has left its tables."""
        lost = step.race and step.race[0] in expected
        first = expected.index(step.race[0]) + 1 if lost else len(expected)
        again = len(expected) - first
        return any(
            got == expected[first - n : first] + expected[len(expected) - m :]
            for n in range(1 if self.tables else first, first + 1)
            for m in range(min(1, again), again + 1)
        )


def describe(expected: Outcome) -> str:
    if isinstance(expected, Fault):
        flags = f"wnr={expected.wnr:d} dirty={expected.dirty:d}"
        return f"fsc={expected.status:#04x} {flags} ({expected.kind.value})"
    return f"pa={expected.pa:#x} attr={expected.attr:#04x}"


def _pairs(changed) -> str:
    return ", ".join(f"{address:#x}={value:#x}" for address, value in changed) or "none"


def _list(addresses) -> str:
    return ", ".join(f"{address:#x}" for address in addresses) or "nothing"
