"""Plays steps on the RTL: writes the script of harness.cpp, runs it, and reads its answers."""

from dataclasses import dataclass
from pathlib import Path

from campaigns.soak.build import run
from drivers.signals import ACCESS
from model import Fault, Registers, Translation
from model.steps import Ask, Delays, Flush, Load, Step, Store, Trap, Trouble

TROUBLE = {Trouble.ERROR: "E", Trouble.SWAP_ERROR: "B", Trouble.NO_SWAP: "N"}
SETTLED = "S"  # the sweep of the last invalidation is over
M64 = (1 << 64) - 1


@dataclass(frozen=True)
class Answer:
    """What the RTL said to an access. `cycles` waited before it, 0 for a hit; `writes` are the
    swaps that were won, as (address, value)."""

    fault: bool
    status: int
    wnr: bool
    dirty: bool
    pa: int
    attr: int
    cycles: int
    reads: tuple[int, ...]
    writes: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, outcome: Translation | Fault, cycles: int = 0) -> "Answer":
        """What hardware that is right and remembers nothing says."""
        if isinstance(outcome, Fault):
            syndrome = outcome.status, outcome.wnr, outcome.dirty
            return cls(True, *syndrome, 0, 0, cycles, outcome.reads, ())
        translation = outcome.pa, outcome.attr, cycles
        return cls(False, 0, False, False, *translation, outcome.reads, outcome.changed)

    def __str__(self) -> str:
        if self.fault:
            return f"fsc={self.status:#04x} wnr={self.wnr:d} dirty={self.dirty:d}"
        return f"pa={self.pa:#x} attr={self.attr:#04x}"


def registers_line(r: Registers, htab: int = 0) -> str:
    words = (
        r.sctlr, r.tcr, r.ttbr0 & M64, r.ttbr0 >> 64, r.ttbr1 & M64, r.ttbr1 >> 64, r.mair, r.mair2,
        r.tcr2, r.pir, r.pire0, r.satp, htab,
    )  # fmt: skip
    return "R " + " ".join(f"{word:x}" for word in words)


def _ask(step: Ask) -> str:
    a = step.access
    fetch = int(a.kind.fetches)
    line = f"A {fetch} {ACCESS[a.kind]} {a.el} {a.pan:d} {a.mxr:d} 0 {a.va:x}"
    return f"X {step.race[0]:x} {step.race[1]:x}\n{line}" if step.race else line


def line(step: Step) -> str:
    """One step, as the script has it."""
    match step:
        case Store(address, value):
            return f"W {address:x} {value:x}"
        case Ask():
            return _ask(step)
        case Flush(op):
            return f"I {int(op.kind)} {op.last_level:d} {op.operand:x} {op.ds:d}"
        case Load(registers):
            return registers_line(registers)
        case Trap(address, trouble):
            return f"{TROUBLE[trouble]} {address:x}"


def script(steps: list[Step], delays: Delays) -> list[str]:
    """The lines of one case."""
    speed = f"L {delays.least:x} {delays.most:x} {delays.ready:x} {delays.seed:x}"
    return ["F", speed, *map(line, steps)]


def _answer(line: str) -> Answer:
    head, tail = line[2:].split("/")
    fault, status, wnr, dirty, *numbers = (int(word, 16) for word in head.split())
    pa, attr, cycles, *reads = numbers
    w = [int(word, 16) for word in tail.split()]
    writes = tuple((w[i], w[i + 1] | w[i + 2] << 64) for i in range(0, len(w), 3))
    flags = bool(fault), status, bool(wnr), bool(dirty)
    return Answer(*flags, pa, attr, cycles, tuple(reads), writes)


class HarnessError(Exception):
    """The MMU broke a protocol or did not answer; the message is the harness's."""

    def __init__(self, message: str, answers: list[Answer]):
        super().__init__(message)
        self.answers = answers


def play(harness: Path, lines: list[str], work: Path) -> list[Answer]:
    """Answers to all accesses of the script, in order. `work`: path without suffix for the two
    files. Raises HarnessError, with the answers up to then."""
    ran = run(harness, lines, work)
    answers = [_answer(line) for line in ran.answers if line[0] == "A" and "/" in line]
    if ran.error:
        checks = [f"FAILURE {check}" for check in ran.checks]
        raise HarnessError("; ".join([ran.error, *checks]), answers)
    return answers
