"""Replays a vector file: every check cold (after an invalidation of everything), then hot (again),
then resident (all checks of the case in a row, with what the others left in the TLB).

Environment: VECTORS the file; CHECKS how many at most, spread evenly over the cases (0: all);
SUMMARY where the counts go; SPEAK 1 to print progress.
"""

import json
import os
from pathlib import Path

import cocotb

from mmu.lockstep import MmuBench
from model import Memory, vectors

PASSES = ("cold", "hot", "resident")
SHOWN = 10  # disagreements printed in full


class Tally:
    """Counts of agreement by pass."""

    def __init__(self, total: int, speak: bool):
        self.total, self.speak = total, speak
        self.done = 0
        self.agree = dict.fromkeys(PASSES, 0)
        self.wrong: list[str] = []

    def note(self, which: str, case: int, check: vectors.Check, answer, *, rewalked=False) -> None:
        if agrees(check, answer) and not rewalked:
            self.agree[which] += 1
            return
        reason = " (walked again although it translates)" if rewalked else ""
        self.wrong.append(
            f"case {case}, {which}: {check}: expected {check.expected}, got {answer}{reason}"
        )
        if len(self.wrong) <= SHOWN:
            print(f"disagreement: {self.wrong[-1]}", flush=True)

    def progress(self) -> None:
        self.done += 1
        if self.speak and (self.done % max(self.total // 10, 1) == 0 or self.done == self.total):
            counts = ", ".join(f"{name} {self.agree[name]:,}" for name in PASSES[:2])
            share = 100 * self.done // self.total
            print(f"{share:4d} %  {self.done:,} checks done; agree: {counts}", flush=True)


def agrees(check: vectors.Check, answer) -> bool:
    if answer.fault:
        return check.fsc == answer.status
    return (check.pa, check.attr) == (answer.pa, answer.mair)


def thin(checks, share: float):
    """Every n-th check, so that each case keeps some."""
    return checks if share >= 1 else checks[:: max(int(1 / share), 1)]


@cocotb.test()
async def replay(dut):
    """All checks of the file agree, cold, hot and resident; a hot success reads no descriptor."""
    file = vectors.read(os.environ["VECTORS"])
    limit = int(os.environ.get("CHECKS", "0"))
    share = limit / file.checks if limit and file.checks else 1
    plan = [(case, thin(case.checks, share)) for case in file.cases]
    tally = Tally(sum(len(checks) for _, checks in plan), os.environ.get("SPEAK") == "1")
    bench = await MmuBench.start(dut)
    for number, (case, checks) in enumerate(plan):
        bench.use_memory(Memory(case.memory, case.errors))
        bench.context(case.registers)
        for check in checks:
            await bench.invalidate_all()
            tally.note("cold", number, check, await bench.translate(check.access))
            bench.walk.reads.clear()
            hot = await bench.translate(check.access)
            rewalked = bool(bench.walk.reads) and not hot.fault
            tally.note("hot", number, check, hot, rewalked=rewalked)
            tally.progress()
        await bench.invalidate_all()
        for check in checks:
            tally.note("resident", number, check, await bench.translate(check.access))
    summary = {"checks": tally.total, "agree": tally.agree, "disagree": tally.wrong}
    Path(os.environ["SUMMARY"]).write_text(json.dumps(summary))
    assert not tally.wrong, f"{len(tally.wrong)} disagreements, the first: {tally.wrong[0]}"
