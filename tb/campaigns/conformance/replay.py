"""Replays a vector file on the RTL. Cases without steps: every check cold (after an invalidation of
everything), then hot (again), then resident (all checks of the case in a row, with what the others
left in the TLB). Cases with steps: every check once, in order.
"""

from collections import Counter
from pathlib import Path

from campaigns.coverage.bins import bin_of
from campaigns.soak.judge import Judged
from campaigns.soak.player import Answer, play, script
from model import Fault, Features, Memory, Translation, translate, vectors
from model.bits import mask
from model.steps import Ask, Delays, Flush, Load, Store, Trap, Trouble
from model.tlbi import Invalidation, Kind

PASSES = ("cold", "hot", "resident")
SHOWN = 10  # disagreements printed in full
ALL = Flush(Invalidation(Kind.ALL))


class Tally:
    """Counts of agreement by pass."""

    def __init__(self):
        self.agree: Counter[str] = Counter()
        self.total: Counter[str] = Counter()
        self.wrong: list[str] = []

    def note(self, which: str, case: int, check: vectors.Check, answer: Answer) -> None:
        self.total[which] += 1
        reason = _difference(check, answer)
        if reason is None and which == "hot" and answer.reads and not answer.fault:
            reason = f"got {answer} (walked again although it translates)"
        if reason is None:
            self.agree[which] += 1
            return
        self.wrong.append(f"case {case}, {which}: {check}: {reason}")
        if len(self.wrong) <= SHOWN:
            print(f"disagreement: {self.wrong[-1]}", flush=True)


def _difference(check: vectors.Check, answer: Answer) -> str | None:
    if answer.fault:
        agrees = check.fsc == answer.status
    else:
        agrees = (check.pa, check.attr) == (answer.pa, answer.attr)
    if not agrees:
        return f"expected {check.expected}, got {answer}"
    won = tuple((address, value & mask(64)) for address, value in answer.writes)
    if check.changed is not None and won != check.changed:
        return f"expected the updates {check.changed}, got {won}"
    return None


def thin(checks, share: float):
    """Every n-th check, so that each case keeps some."""
    return checks if share >= 1 else checks[:: max(int(1 / share), 1)]


def plain_steps(case: vectors.Case, checks) -> list:
    """What a case without steps asks: cold and hot in turn, then resident."""
    steps = [Store(address, value) for address, value in case.memory.items()]
    steps += [Trap(address, Trouble.ERROR) for address in case.errors]
    steps.append(Load(case.registers))
    for check in checks:
        steps += [ALL, Ask(check.access), Ask(check.access)]
    return [*steps, ALL, *(Ask(check.access) for check in checks)]


def replay(path: Path, harness: Path, work: Path, checks: int = 0) -> Tally:
    """Plays the file; `checks`: about so many only (0: all)."""
    file = vectors.read(path)
    share = checks / file.checks if checks and file.checks else 1
    lines, plan = [], []
    for case in file.cases:
        chosen = case.checks if case.steps else thin(case.checks, share)
        plan.append(chosen)
        lines += script(list(case.steps) or plain_steps(case, chosen), Delays())
    answers = iter(play(harness, lines, work))
    tally = Tally()
    for number, (case, chosen) in enumerate(zip(file.cases, plan, strict=True)):
        if case.steps:
            for check in chosen:
                tally.note("steps", number, check, next(answers))
            continue
        for check in chosen:
            tally.note("cold", number, check, next(answers))
            tally.note("hot", number, check, next(answers))
        for check in chosen:
            tally.note("resident", number, check, next(answers))
    return tally


def covered(path: Path, features: Features) -> Counter:
    """Bins of functional coverage that the cold pass of the file hits, by what the model says."""
    bins: Counter = Counter()
    for case in vectors.read(path).cases:
        if case.steps:
            continue
        memory = Memory(case.memory, case.errors)
        for check in case.checks:
            outcome: Fault | Translation = translate(case.registers, features, memory, check.access)
            judged = Judged(Ask(check.access), case.registers, outcome, None, None)
            bins[bin_of(features, judged)] += 1
    return bins
