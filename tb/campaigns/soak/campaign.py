"""A campaign: many random cases of some shapes on one configuration, in parallel batches."""

import multiprocessing
import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.coverage.bins import bin_of
from campaigns.soak.judge import Judge, Judged
from campaigns.soak.player import HarnessError, play, script
from cases.generate import ACCESSES, Case, case
from cases.shapes import SHAPES
from model import Features, vectors
from model.features import names_of
from model.steps import Ask, Load
from support.run import SIM

BATCH = 300  # cases that one run of the harness plays


@dataclass(frozen=True)
class Job:
    """Cases `first` to `first + count` of a shape; a case is random by seed, shape and number."""

    harness: Path
    config: str
    features: Features
    walk_cache: bool
    shape: str
    seed: int
    first: int
    count: int


@dataclass
class Outcome:
    """failure: what is wrong, with the vector file that shows it again."""

    shape: str
    accesses: int = 0
    cycles: int = 0
    bins: Counter = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        self.accesses += other.accesses
        self.cycles += other.cycles
        self.bins.update(other.bins)
        self.failures += other.failures


def case_of(job: Job, number: int) -> Case:
    return case(random.Random(f"{job.seed}/{job.shape}/{number}"), SHAPES[job.shape], job.features)


def run(job: Job) -> Outcome:
    """One batch: generate, play, judge."""
    outcome = Outcome(job.shape)
    cases = [case_of(job, job.first + n) for n in range(job.count)]
    lines = [line for c in cases for line in script(c.steps, c.delays)]
    work = SIM / "soak" / f"{job.config}-{job.shape}-{job.seed}-{job.first}-{os.getpid()}"
    broken = None
    try:
        answers = play(job.harness, lines, work)
    except HarnessError as error:
        answers, broken = error.answers, str(error)
    judge = Judge(job.features, walk_cache=job.walk_cache)
    stream = iter(answers)
    for number, c in enumerate(cases, job.first):
        judged = []
        for result in judge.case(c.steps, stream):
            judged.append(result)
            outcome.accesses += 1
            outcome.cycles += result.answer.cycles + 1
            outcome.bins[bin_of(job.features, result)] += 1
            if result.wrong:
                break
        if judged and judged[-1].wrong:
            outcome.failures.append(_failure(job, number, c, judged))
            break
        if broken and len(judged) < c.accesses:
            text = f"{broken}; seed {job.seed} shape {job.shape} case {number}"
            outcome.failures.append(f"{text} after {len(judged)} accesses; script {work}.script")
            break
    if not outcome.failures:
        for suffix in (".script", ".answers"):
            work.with_suffix(suffix).unlink()
    return outcome


def _failure(job: Job, number: int, c: Case, judged: list[Judged]) -> str:
    """Writes the case up to the failing access as a vector file, and says what happened."""
    path = SIM / "soak" / f"{job.config}-{job.shape}-{job.seed}-{number}.json.gz"
    vectors.write(
        path,
        [as_vectors(c, judged)],
        source=f"make soak SEED={job.seed}, shape {job.shape}, case {number}",
        features=names_of(job.features),
        seed=job.seed,
        config=job.config,
    )
    last = judged[-1]
    check = _check(last)
    where = f"{job.config} {job.shape} seed {job.seed} case {number} access {len(judged) - 1}"
    return f"{where}: {check}: {last.wrong}; replay: make conformance VECTORS={path}"


def _check(judged: Judged) -> vectors.Check:
    return vectors.Check.of(judged.step.access, judged.expected)


def as_vectors(c: Case, judged: list[Judged]) -> vectors.Case:
    steps, asked = [], 0
    for step in c.steps:
        steps.append(step)
        asked += isinstance(step, Ask)
        if asked == len(judged):
            break
    first = next(s.registers for s in steps if isinstance(s, Load))
    return vectors.Case(first, {}, tuple(map(_check, judged)), steps=tuple(steps))


def campaign(jobs: list[Job], processes: int, speak: bool) -> dict[str, Outcome]:
    """Runs the batches, merges their outcomes by shape; the first failure of a shape is enough."""
    total: dict[str, Outcome] = {}
    start, done, all_cases = time.monotonic(), 0, sum(job.count for job in jobs)
    with multiprocessing.Pool(processes) as pool:
        for outcome in pool.imap_unordered(run, jobs):
            total.setdefault(outcome.shape, Outcome(outcome.shape)).add(outcome)
            before, done = done, done + outcome.accesses
            if speak and done * 20 // (all_cases * ACCESSES) > before * 20 // (
                all_cases * ACCESSES
            ):
                _progress(done, all_cases * ACCESSES, time.monotonic() - start)
    return total


def _progress(done: int, total: int, elapsed: float) -> None:
    rate = done / elapsed
    left = (total - done) / rate
    print(f"{100 * done // total:4d} %  {done:,} of {total:,} translations, {rate:,.0f} a second, "
          f"about {left:.0f} s left", flush=True)  # fmt: skip
