"""What protection says of a piece of memory, against the golden model: random entries, and pieces
of every size at the edges of their regions.

SEED and COUNT in the environment repeat or lengthen it.
"""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge

from drivers.pmp import Protection
from model.bits import mask
from model.pmp import ADDRESS, CONFIG, EXECUTE, GRAIN, KIND, LOCKED, READ, TOR, WRITE, Pmp
from support.on import On
from support.parts import Pins, settle, start
from support.seed import run_seed

RUNS = [On("pmpcheck:teaching"), On("pmpcheck_16:teaching", rare=True)]

WIDTH = 36  # bits of a physical address
SIZES = (4, 8, 16, 4096, 16384, 65536, 1 << 21, 1 << 25, 1 << 30, 1 << 34)
RIGHTS = {"read": READ, "write": WRITE, "execute": EXECUTE}


def draw_entries(rng: random.Random, count: int) -> Pmp:
    """Regions of all sizes that are close to each other, and sometimes anywhere."""
    pmp = Pmp(count)
    base = rng.getrandbits(32)
    for i in range(count):
        near = base + rng.choice((0, 1, 2, 4, 1 << 10, 1 << 19)) * rng.randrange(-2, 3)
        address = rng.choice((near, near, near, rng.getrandbits(32), mask(32), 0)) & mask(32)
        if rng.random() < 0.5:  # an aligned region: zeros, then a zero and ones
            ones = rng.choice((0, 1, 2, 9, 10, 11, 18, 19, 20, 28, 31))
            address = address & ~mask(ones + 1) | mask(ones)
        pmp.write(ADDRESS + i, address)
    for word in range((count + 3) // 4):
        pmp.write(CONFIG + word, rng.getrandbits(32) & rng.getrandbits(32))
        if rng.random() < 0.7:
            pmp.write(CONFIG + word, rng.getrandbits(32))
    return pmp


def draw_piece(rng: random.Random, pmp: Pmp) -> tuple[int, int]:
    size = rng.choice(SIZES)
    region = pmp.region(rng.randrange(len(pmp.entries))) or range(rng.getrandbits(WIDTH))
    edge = rng.choice((region.start, region.stop))
    first = edge + size * rng.randrange(-2, 3) + GRAIN * rng.randrange(-2, 3)
    return first & mask(WIDTH) & -size, size


def is_exact(pmp: Pmp, first: int, size: int) -> bool:
    """A TOR region without a word may refuse a piece that has both of its ends inside."""
    for i, entry in enumerate(pmp.entries):
        if entry.kind == TOR and not pmp.region(i):
            ends = [pmp.entries[n].address * GRAIN for n in (i - 1, i) if n >= 0]
            if all(first < end < first + size for end in ends):
                return False
    return True


async def ask(pins: Pins, *, word: int, size: int, machine: bool, needs: int) -> None:
    pins.put(word=word, inside=size // GRAIN - 1, machine=int(machine))
    pins.put(**{f"needs_{name}": int(bool(needs & bit)) for name, bit in RIGHTS.items()})
    await FallingEdge(pins.dut.clk)


async def answer(pins: Pins) -> int:
    await settle()
    return sum(bit for name, bit in RIGHTS.items() if pins.get(f"rights_{name}"))


@cocotb.test()
async def random_entries(dut):
    rng, pins, protection = random.Random(run_seed(7)), Pins(dut), Protection(dut)
    await start(dut)
    seen = set()
    for _ in range(int(os.environ.get("COUNT", "400"))):
        pmp = draw_entries(rng, protection.count)
        protection.drive(pmp)
        for _ in range(40):
            (first, size), machine = draw_piece(rng, pmp), rng.random() < 0.5
            word = first // GRAIN + rng.randrange(size // GRAIN)
            needs = rng.randrange(1, 8)
            await ask(pins, word=word, size=size, machine=machine, needs=needs)
            found = await answer(pins)
            assert pins.get("suffices") == (needs & ~found == 0), "not what the rights say"
            expected = pmp.rights(first, size, machine=machine)
            if not is_exact(pmp, first, size):
                assert found & ~expected == 0
                continue
            assert found == expected, (
                f"{size:#x} bytes at {first:#x}, machine {machine}: {found}, the model says "
                f"{expected}; {[(e.config & KIND, hex(e.address)) for e in pmp.entries]}"
            )
            locked = any(e.config & LOCKED for e in pmp.entries)
            seen.add((size, machine, expected, locked))
    assert len(seen) > 60, f"only {len(seen)} different situations"


@cocotb.test()
async def an_answer_is_that_of_one_cycle(dut):
    """All entries change in the cycle between question and answer: the old ones answer, and the
    new ones a cycle later."""
    rng, pins, protection = random.Random(run_seed(8)), Pins(dut), Protection(dut)
    await start(dut)
    differ = 0
    old = draw_entries(rng, protection.count)
    protection.drive(old)
    for _ in range(int(os.environ.get("COUNT", "2000"))):
        new = draw_entries(rng, protection.count)
        (first, size), machine = draw_piece(rng, rng.choice((old, new))), rng.random() < 0.5
        await ask(pins, word=first // GRAIN, size=size, machine=machine, needs=READ)
        protection.drive(new)
        said = []
        for pmp in (old, new):
            said.append(await answer(pins))
            expected = pmp.rights(first, size, machine=machine)
            if is_exact(pmp, first, size):
                assert said[-1] == expected, f"{said}: the model says {expected}"
            await FallingEdge(dut.clk)
        differ += said[0] != said[1]
        old = new
    assert differ > 200, f"only {differ} answers changed"
