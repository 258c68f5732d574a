"""Replays a vector file on the RTL or on the golden model.

| case | pass | when |
|---|---|---|
| without steps | cold | after an invalidation of everything |
| | hot | again |
| | resident | all checks of the case in a row, with what the others left in the TLB |
| with steps | steps | every check once, in order, as the file says |
| whose last step updates a descriptor | hot | again: neither a walk nor an update |
| | updated | after an invalidation: the walk finds what the update left |

The golden model has no TLB: of these, `hot` and `resident` mean nothing to it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from campaigns.coverage.bins import bin_of
from campaigns.soak.judge import Judged
from campaigns.soak.player import Answer, play, script
from model import Features, Registers, vectors
from model.bits import mask
from model.riscv import SCHEMES, mode_of
from model.steps import Ask, Delays, Flush, Golden, Step
from model.tlbi import Invalidation, Kind

PASSES = ("cold", "hot", "resident")
SHOWN = 10  # disagreements printed in full
ALL = Flush(Invalidation(Kind.ALL))


@dataclass(frozen=True)
class Asked:
    """An access that is made, and what must come out. `reads`: how often a walk reads; None: the
    file does not say."""

    which: str
    case: int
    check: vectors.Check
    reads: int | None = None


@dataclass
class Plan:
    """What happens in one case, and its accesses in order."""

    steps: list[Step] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def ask(self, which: str, case: int, check: vectors.Check, reads: int | None = None) -> None:
        self.steps.append(Ask(check.access))
        self.asked.append(Asked(which, case, check, reads))


class Tally:
    """Counts of agreement by pass."""

    def __init__(self):
        self.agree: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.wrong: list[str] = []

    def note(self, asked: Asked, answer: Answer) -> None:
        self.total[asked.which] += 1
        reason = _difference(asked, answer)
        if reason is None:
            self.agree[asked.which] += 1
            return
        self.wrong.append(f"case {asked.case}, {asked.which}: {asked.check}: {reason}")
        if len(self.wrong) <= SHOWN:
            print(f"disagreement: {self.wrong[-1]}", flush=True)


def _difference(asked: Asked, answer: Answer) -> str | None:
    check = asked.check
    if answer.fault:
        agrees = check.fsc == answer.status
    else:
        agrees = (check.pa, check.attr) == (answer.pa, answer.attr)
    if not agrees:
        return f"expected {check.expected}, got {answer}"
    won = tuple((address, value & mask(64)) for address, value in answer.writes)
    if check.changed is not None and won != check.changed:
        return f"expected the updates {check.changed}, got {won}"
    if asked.which == "hot" and answer.reads and not answer.fault:
        return f"got {answer} (walked again although it translates)"
    if asked.reads not in (None, len(answer.reads)):
        return f"expected {asked.reads} reads of entries, got {len(answer.reads)}"
    return None


def pte_reads(registers: Registers, check: vectors.Check) -> int | None:
    """How many entries a RISC-V walk reads before it faults: the fault's level says it. None: it
    does not fault, or the format is Arm's, whose first level depends on more."""
    mode = mode_of(registers.satp)
    if mode is None or check.fsc is None:
        return None
    if not SCHEMES[mode].canonical(check.va):
        return 0
    return (check.fsc & 3) - SCHEMES[mode].geometry.start_level + 1


def sample(file: vectors.VectorFile, count: int | None) -> list[tuple[vectors.Check, ...]]:
    """Of each case the checks to make: `count` of the file, evenly spread; None: all. A case with
    steps is made whole or left out."""
    total = file.checks
    if count is None or count >= total:
        return [case.checks for case in file.cases]
    wanted = {n * total // count for n in range(count)}
    chosen, at = [], 0
    for case in file.cases:
        mine = [check for n, check in enumerate(case.checks, at) if n in wanted]
        at += len(case.checks)
        chosen.append(case.checks if case.steps and mine else tuple(mine))
    return chosen


def _plain(number: int, case: vectors.Case, checks, *, tlb: bool) -> Plan:
    plan = Plan(case.beginning)
    for check in checks:
        plan.steps.append(ALL)
        plan.ask("cold", number, check, pte_reads(case.registers, check))
        if tlb:
            plan.ask("hot", number, check)
    if tlb:
        plan.steps.append(ALL)
        for check in checks:
            plan.ask("resident", number, check)
    return plan


def _stepped(number: int, case: vectors.Case, *, tlb: bool) -> Plan:
    last = case.checks[-1]
    plan = Plan(list(case.steps), [Asked("steps", number, check) for check in case.checks])
    if isinstance(case.steps[-1], Ask) and last.changed:
        settled = replace(last, changed=())
        if tlb:
            plan.ask("hot", number, settled)
        plan.steps.append(ALL)
        plan.ask("updated", number, settled)
    return plan


def plans(file: vectors.VectorFile, count: int | None, *, tlb: bool) -> Iterator[Plan]:
    chosen = sample(file, count)
    for number, (case, checks) in enumerate(zip(file.cases, chosen, strict=True)):
        if checks:
            plan = _stepped(number, case, tlb=tlb) if case.steps else None
            yield plan or _plain(number, case, checks, tlb=tlb)


def replay(path: Path, harness: Path, work: Path, count: int | None = None) -> Tally:
    """Plays the file on the RTL; `count`: so many of its checks."""
    made = list(plans(vectors.read(path), count, tlb=True))
    lines = [line for plan in made for line in script(plan.steps, Delays())]
    return _tally(made, iter(play(harness, lines, work)))


def replay_on_model(
    file: vectors.VectorFile, features: Features, count: int | None = None
) -> Tally:
    made = list(plans(file, count, tlb=False))
    return _tally(made, (a for plan in made for a in _answers(plan.steps, features)))


def _answers(steps: list[Step], features: Features) -> Iterator[Answer]:
    golden = Golden(features)
    for step in steps:
        golden.take(step)
        if isinstance(step, Ask):
            yield Answer.of(golden.outcome(step))


def _tally(made: list[Plan], given: Iterator[Answer]) -> Tally:
    tally = Tally()
    asked = [asked for plan in made for asked in plan.asked]
    for one, answer in zip(asked, given, strict=True):
        tally.note(one, answer)
    return tally


def covered(path: Path, features: Features, count: int | None = None) -> Counter:
    """Bins of functional coverage that the cold pass of the file hits, by what the model says."""
    bins: Counter = Counter()
    file = vectors.read(path)
    for case, checks in zip(file.cases, sample(file, count), strict=True):
        if case.steps:
            continue
        golden = Golden(features)
        for step in case.beginning:
            golden.take(step)
        for ask in (Ask(check.access) for check in checks):
            judged = Judged(ask, case.registers, golden.outcome(ask), None, None)
            bins[bin_of(features, judged)] += 1
    return bins
