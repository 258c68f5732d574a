"""COMMANDS random invalidations on one MMU, whose main TLB has MAIN_ENTRIES and is full of pages.
Nothing takes the place of another page, so whatever goes was invalidated or lost."""

import json
import os
import random
from pathlib import Path

import cocotb

from campaigns.invalidation.cases import HOME, PAGE
from campaigns.invalidation.world import World
from model.tlbi import Entry, Invalidation, Kind, must_go, range_length, range_operand, va_operand
from support.seed import run_seed

LOOKUPS = 3  # after each command
Page = tuple[int, int]  # ASID and number
# How often a command is of a kind.
WEIGHTS = {
    Kind.VA: 100,
    Kind.VA_ALL_ASIDS: 30,
    Kind.RANGE: 30,
    Kind.RANGE_ALL_ASIDS: 10,
    Kind.ASID: 2,
    Kind.ALL: 1,
}


def command(rng: random.Random, each: int) -> tuple[Invalidation, list[Page]]:
    """One at random, and the pages that it covers."""
    kind = rng.choices(list(WEIGHTS), WEIGHTS.values())[0]
    home, asid = rng.choice(list(HOME.values())), rng.choice((*HOME, *HOME, 3))
    asids = [a for a in HOME if (kind.any_asid or a == asid) and HOME[a] == home]
    first = rng.randrange(-each // 4, each + each // 4)  # some are not mapped
    operand, count = va_operand(home + first * PAGE, asid), 1
    if kind.is_range:
        num, scale = rng.choice(((0, 0), (1, 0), (7, 0), (rng.randrange(32), 0), (0, 1)))
        operand = range_operand(home + first * PAGE, 12, num, scale, asid=asid)
        count = range_length(num, scale)
    if kind in (Kind.ASID, Kind.ALL):
        first, count = 0, each
        asids = [a for a in HOME if kind is Kind.ALL or a == asid]
    numbers = range(max(0, first), min(each, first + count))
    return Invalidation(kind, operand, rng.random() < 0.5), [(a, n) for a in asids for n in numbers]


@cocotb.test()
async def only_what_is_covered_goes(dut):
    seed = run_seed()
    rng = random.Random(seed)
    world = await World.start(dut, int(os.environ["MAIN_ENTRIES"]))
    await world.fill()
    pages = [(asid, n) for asid in HOME for n in range(world.each)]
    there = set(pages)
    commands, taken, looked, lost, kept = int(os.environ["COMMANDS"]), 0, 0, 0, 0
    for sent in range(commands):
        op, covered = command(rng, world.each)
        if sent < 1000:
            entries = {p: Entry(HOME[p[0]] + p[1] * PAGE, 12, 12, 3, p[0]) for p in pages}
            assert covered == [p for p in pages if must_go(op, entries[p])], op
        await world.bench.invalidate(op)
        await world.bench.swept()
        taken += sum(page in there for page in covered)
        there.difference_update(covered)
        asid = rng.choice(list(HOME))
        world.run_as(asid)
        await world.bench.step()
        for n in rng.choices(range(world.each), k=LOOKUPS):
            found = await world.is_there(asid, n)
            looked += (asid, n) in there
            lost += (asid, n) in there and not found
            kept += (asid, n) not in there and found
            there.add((asid, n))
    assert kept == 0, f"{kept} pages answer that were invalidated, seed {seed}"
    found = {"commands": commands, "taken": taken, "looked": looked, "lost": lost, "seed": seed}
    Path(os.environ["FOUND"]).write_text(json.dumps(found))
