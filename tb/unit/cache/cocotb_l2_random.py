"""Level-2 cache: random bursts against the model, which foretells what happens on both sides."""

import os

import cocotb
from cocotb.triggers import ClockCycles, Event

from support.on import On
from support.seed import run_seed
from unit.cache import geometry
from unit.cache.l2_bench import L2Bench
from unit.cache.memory import HIGHMEM, LOWMEM

RUNS = [On("l2_small:teaching"), On("l2_ways:teaching"), On("l2:ulx3s_l2", rare=True)]

GEO = geometry.current()
BEATS = GEO.line // 4
REQUESTS = int(os.environ.get("GRANULE_REQUESTS", "20000" if GEO.ways == 2 else "8000"))


class Traffic:
    """Random bursts into few sets, of more lines than have room; `begin` chooses others."""

    def __init__(self, b: L2Bench):
        self.b, self.rng = b, b.random
        pages, apart = (LOWMEM, HIGHMEM + 0x4000_0000), max(4096, GEO.way_bytes)
        self.tags = [b.random.choice(pages) + apart * n for n in range(GEO.ways + 4)]

    def begin(self, count: int) -> None:
        b, rng = self.b, self.rng
        self.left, self.done = count, Event()
        first = GEO.line * rng.randrange(min(GEO.sets, 4096 // GEO.line) - 3)
        self.lines = [tag + first + GEO.line * n for tag in self.tags for n in range(3)]
        b.pause(*rng.choices((0, 0, 0.1, 0.4), k=2))
        b.latency = rng.choice((1, 1, 3, 15))
        if rng.random() < 0.3:
            words = [one + 4 * rng.randrange(BEATS) for one in rng.sample(self.lines, 6)]
            b.memory.refuse_beat = set(words)
            b.memory.refuse_write = set(rng.sample(self.lines, 3))
        b.supply = self.send

    async def end(self) -> None:
        """Of what was begun, or of what a reset leaves of it; nothing is refused after that."""
        if self.rng.random() < 0.3:
            await ClockCycles(self.b.dut.clk, self.rng.randrange(1, 4000))
            self.b.supply = None
            await self.b.reset()
        else:
            await self.done.wait()
            self.b.supply = None
            await self.b.drain()
        self.b.memory.refuse_beat = self.b.memory.refuse_write = set()
        self.b.clear()

    def send(self) -> None:
        """For `supply`."""
        if not self.left:
            self.done.set()
            return
        self.left -= 1
        rng = self.rng
        address, kind, size, wraps = rng.choice(self.lines), rng.random(), 2, False
        word, beats = 4 * rng.randrange(BEATS), 1
        if kind < 0.3:
            size = rng.randrange(3)
            address += word + (rng.randrange(4) & -(1 << size))
        elif kind < 0.6:
            wraps, beats = True, rng.choice((2, 4, 8, BEATS, BEATS))
            address += word
        elif kind < 0.75:
            beats = BEATS
        elif kind < 0.98:
            beats = rng.randrange(1, 10)
            address += word + rng.choice((0, 0, rng.randrange(4)))
        else:
            beats = rng.randrange(1, 257)
        if not wraps:
            beats = min(beats, (4096 - address % 4096 + 3) // 4)
        fields = {"wraps": wraps, "size": size, "id": rng.randrange(8)}
        if rng.random() < 0.5:
            lanes = ((1 << (1 << size)) - 1) << address % 4 & 15
            strobes, kind = [15] * beats, rng.random()
            if kind < 0.2:
                strobes[rng.randrange(beats)] = rng.randrange(16)
            elif kind < 0.4:
                strobes = [rng.randrange(16) for _ in range(beats)]
            strobes[0] &= lanes
            fields |= {"strobes": strobes, "data": [rng.getrandbits(32) for _ in range(beats)]}
        self.b.send(address, beats, **fields)


@cocotb.test()
async def random_bursts(dut):
    """Of all kinds, with pauses, errors and resets, against the model; at the end all is read."""
    b = await L2Bench.start(dut, GEO, run_seed())
    traffic, left = Traffic(b), REQUESTS
    while left > 0:
        traffic.begin(400)
        await traffic.end()
        left -= 400 - traffic.left
    for one in sorted({word & -GEO.line for word in b.model.flat.words}):
        b.send(one, BEATS)
    await b.drain()
    cocotb.log.info("%d cycles", b.cycle)
