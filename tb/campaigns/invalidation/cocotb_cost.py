"""Measures each case on one MMU, whose main TLB has MAIN_ENTRIES; writes what it saw into FOUND.

cycles  from the acceptance of the first command of a case to the end of its last one.
hit     of a page that is not covered, the slowest answer of the micro TLB meanwhile.
lookup  the same of the main TLB, in cycles more than when nothing goes on.
walks   to pages that were there and are not covered, meanwhile.
lost    entries that are not covered and are gone afterwards; stayed: and those that are there.
"""

import itertools
import json
import os
from pathlib import Path

import cocotb

from campaigns.invalidation.world import CASES, HOME, OTHERS, PAGE, Case, World
from drivers.lockstep import MmuBench
from model import Access, Kind
from support.configurations import MAIN_HIT_CYCLES

AFTER = 40  # cycles in which lookups are watched after the last command is complete


class Watched:
    """One port that asks all the time, for one page after the other; its `slowest` answer."""

    def __init__(self, bench: MmuBench, kind: Kind, pages: list[int]):
        self.bench, self.kind = bench, kind
        self.side = bench.side(Access(pages[0], kind))
        self.pages = itertools.cycle(pages)
        self.slowest = 0

    def step(self) -> None:
        if self.side.busy:
            return
        if self.side.answer is not None:
            self.slowest = max(self.slowest, self.side.answer.cycles)
        self.bench.request(Access(next(self.pages), self.kind))


async def measure(world: World, case: Case) -> dict:
    bench = world.bench
    await world.fill()
    world.run_as(OTHERS)
    *far, hot = [HOME[OTHERS] + n * PAGE for n in range(world.each)]
    await bench.check(Access(hot))
    bench.walk.reads.clear()
    bench.data.answer = bench.fetch.answer = None
    ports = Watched(bench, Kind.READ, [hot]), Watched(bench, Kind.EXECUTE, far)
    bench.inv.commands = bench.inv.completions = 0
    waiting, first, over = list(case.commands), None, 0
    while waiting or bench.inv.busy or over < AFTER:
        for port in ports:
            port.step()
        if waiting and not bench.inv.pending:
            bench.inv.chain(waiting.pop(0), bench.cycle)
        await bench.step()
        if first is None and bench.inv.commands:
            first = bench.inv.accepted
        over = 0 if waiting or bench.inv.busy else over + 1
    cycles = bench.inv.done - first
    await bench.until(lambda: not any(p.side.busy for p in ports), "the last lookups")
    walks = len(bench.walk.reads)
    await bench.swept()
    lost, stayed = await world.count(lambda asid, n: not case.covers(asid, n))
    hit, lookup = (port.slowest for port in ports)
    cost = {"case": case.name, "cycles": cycles, "hit": hit}
    cost |= {"lookup": max(0, lookup - MAIN_HIT_CYCLES)}
    return cost | {"walks": walks, "lost": lost, "stayed": stayed}


@cocotb.test()
async def costs(dut):
    world = await World.start(dut, int(os.environ["MAIN_ENTRIES"]))
    found = [await measure(world, case) for case in CASES]
    Path(os.environ["FOUND"]).write_text(json.dumps(found))
