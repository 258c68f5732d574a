"""Plays shapes on the RTL, and holds what comes out against the model."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.litmus.model import asked, ends_of, text
from campaigns.litmus.script import end_of, script, warm
from campaigns.litmus.shapes import SHAPES, Shape
from campaigns.litmus.steps import Store
from campaigns.soak.build import run
from support.run import SIM


@dataclass(frozen=True)
class Bounds:
    """What is enumerated. `leads`: cycles that one agent begins before or after another; `reads`,
    `others`, `swaps`: cycles that memory takes, for every second read, for the other reads, for
    swaps; `holds`: that a swap waits; `stores`: that a store of an agent waits. `random`: runs
    with up to four times as much of each, and reads and swaps that take longer than an
    invalidation."""

    leads: range
    reads: range
    others: range
    swaps: range
    holds: range
    stores: range
    random: int


QUICK = Bounds(leads=range(-42, 27), reads=range(1, 2), others=range(3, 4), swaps=range(1, 6, 4),
               holds=range(1), stores=range(0, 5, 4), random=500)  # fmt: skip
FULL = Bounds(leads=range(-48, 37), reads=range(1, 4), others=range(1, 4), swaps=range(1, 8, 2),
              holds=range(0, 4, 3), stores=range(0, 7, 3), random=20_000)  # fmt: skip
LONG = 48  # cycles
DELAYS = ("lead", "lead3", "read", "read2", "swap", "hold", "store", "late", "warm")


def _ranges(shape: Shape, bounds: Bounds) -> list[range]:
    """Of each delay; those that the shape cannot notice stay at their first value."""
    one = range(0, 1)
    agents = len(shape.agents)
    swaps = any(getattr(v, "af", 1) == 0 or getattr(v, "dbm", 0) for v in shape.memory.values())
    stores = any(isinstance(s, Store) for program in shape.agents.values() for s in program)
    return [
        bounds.leads if agents > 1 else one,
        range(0, 1),  # a third agent waits for another one
        bounds.reads,
        bounds.others,
        bounds.swaps if swaps else bounds.swaps[:1],
        bounds.holds if swaps else bounds.holds[:1],
        bounds.stores if stores else bounds.stores[:1],
        range(0, 2),
        range(0, 3, 2) if warm(shape) == [0, 2] else range(0, len(warm(shape))),
    ]


@dataclass
class Result:
    """Of a shape: runs by end, the delays of the first run that came to it, and what the checks in
    the RTL said."""

    shape: Shape
    runs: Counter = field(default_factory=Counter)
    first: dict[frozenset, str] = field(default_factory=dict)
    checks: set[str] = field(default_factory=set)

    @property
    def allowed(self) -> frozenset[frozenset]:
        return ends_of(self.shape.name)

    @property
    def outside(self) -> list[frozenset]:
        """Ends that the model does not have."""
        return [end for end in self.runs if end not in self.allowed]

    @property
    def reached(self) -> bool:
        """An end that the question asks for has been seen."""
        return any(asked(self.shape, end) for end in self.runs)

    def failures(self) -> list[str]:
        name = self.shape.name
        return [
            *(f"{name}: not in the model: {text(end, self.shape)}; first with {self.first[end]}"
              for end in self.outside),
            *(f"{name}: a check in the RTL: {check}" for check in sorted(self.checks)),
        ]  # fmt: skip


def script_of(shape: Shape, bounds: Bounds, seed: int) -> list[str]:
    """Every combination of delays, then random ones."""
    ranges = _ranges(shape, bounds)
    lines = script(shape)
    lines.append("E " + " ".join(f"{r[0]} {r[-1]} {r.step}" for r in ranges))
    wider = [(r[0], r[-1] if len(r) == 1 or i in (0, 7, 8) else 4 * max(r[-1], 1))
             for i, r in enumerate(ranges)]  # fmt: skip
    wider[2] = wider[3] = (1, LONG)
    if len(ranges[4]) > 1:
        wider[4] = (1, LONG)
    if warm(shape) == [0, 2]:
        wider[8] = (0, 0)
    lines.append(f"H {bounds.random} {seed} " + " ".join(f"{lo} {hi}" for lo, hi in wider))
    return lines


def play(player: Path, shape: Shape, bounds: Bounds, seed: int) -> Result:
    lines = script_of(shape, bounds, seed)
    work = SIM / "litmus" / player.parent.name / re.sub(r"[^\w.+-]+", "_", shape.name)
    ran = run(player, lines, work, "litmus", agents=seed)
    if ran.error:
        raise RuntimeError(f"{shape.name}: {ran.error}")
    result = Result(shape, checks=set(ran.checks))
    for line in ran.answers:
        head, tail = line.split("=")
        count, *delays = map(int, head.split())
        end = end_of(shape, tail)
        result.runs[end] += count
        result.first.setdefault(
            end, " ".join(f"{k} {v}" for k, v in zip(DELAYS, delays, strict=True))
        )
    return result


def play_all(player: Path, names, bounds: Bounds, seed: int, jobs: int) -> list[Result]:
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda name: play(player, SHAPES[name], bounds, seed), names))
