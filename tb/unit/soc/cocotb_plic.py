"""The interrupt controller as software sees it: RISC-V PLIC specification 1.0.0."""

import random

from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.apb import Apb
from support.on import On
from support.parts import start

RUNS = [On("plic:teaching")]

SOURCES = range(1, 6)
PENDING = 0x1000
CONTEXTS = {"machine": 0, "supervisor": 1}
SETTLED = 5  # cycles from a line to a context


def priority(source: int) -> int:
    return 4 * source


def enable(context: int) -> int:
    return 0x2000 + 0x80 * context


def threshold(context: int) -> int:
    return 0x200000 + 0x1000 * context


def claim(context: int) -> int:
    return threshold(context) + 4


class Plic:
    """The controller, and its model: what is pending, and what waits for a completion."""

    @classmethod
    async def start(cls, dut):
        plic = cls()
        plic.dut, plic.apb = dut, Apb(dut)
        await start(dut, io_lines=0)
        return plic

    async def lines(self, *sources: int) -> None:
        self.dut.io_lines.value = sum(1 << source - 1 for source in sources)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(SETTLED):
            await FallingEdge(self.dut.clk)

    def reaches(self) -> set[str]:
        return {name for name in CONTEXTS if int(getattr(self.dut, f"io_{name}").value)}

    async def write(self, register: int, value: int, kept: int) -> None:
        """The bits that are `kept` are read back."""
        await self.apb.write(register, value)
        assert await self.apb.read(register) == value & kept, hex(register)

    async def claim(self, context: int) -> int:
        number = await self.apb.read(claim(context))
        await self.settle()
        return number

    async def complete(self, context: int, number: int) -> None:
        await self.apb.write(claim(context), number)
        await self.settle()


@bench_test(Plic)
async def nothing_interrupts_after_reset(plic):
    await plic.lines(*SOURCES)
    assert plic.reaches() == set()
    for context in CONTEXTS.values():
        assert await plic.apb.read(enable(context)) == 0
        assert await plic.claim(context) == 0
    assert await plic.apb.read(PENDING) == 0b111110


@bench_test(Plic)
async def a_source_comes_again_only_after_its_completion(plic):
    for name, context in CONTEXTS.items():
        await plic.apb.write(priority(2), 1)
        await plic.apb.write(enable(context), 1 << 2)
        await plic.lines(2)
        assert plic.reaches() == {name}
        assert await plic.claim(context) == 2
        assert plic.reaches() == set() and await plic.claim(context) == 0
        await plic.complete(context, 2)
        assert plic.reaches() == {name}, "the line is still high"
        assert await plic.claim(context) == 2
        await plic.lines()
        await plic.complete(context, 2)
        assert plic.reaches() == set()
        await plic.apb.write(enable(context), 0)


@bench_test(Plic)
async def the_threshold_keeps_an_interrupt_back_but_no_claim(plic):
    """Software that polls with the highest threshold finds what waits."""
    for context in CONTEXTS.values():
        await plic.apb.write(priority(4), 7)
        await plic.apb.write(enable(context), 1 << 4)
        await plic.apb.write(threshold(context), 7)
        await plic.lines(4)
        await plic.lines()
        assert plic.reaches() == set()
        assert await plic.claim(context) == 4
        assert await plic.claim(context) == 0
        await plic.complete(context, 4)
        await plic.apb.write(priority(4), 0)  # "never interrupt"
        await plic.lines(4)
        assert await plic.claim(context) == 0
        await plic.apb.write(priority(4), 7)
        assert await plic.claim(context) == 4
        await plic.lines()
        await plic.complete(context, 4)
        await plic.apb.write(enable(context), 0)


@bench_test(Plic)
async def a_completion_is_of_a_source_that_is_enabled_here(plic):
    """What is not is ignored: the other context's, one disabled meanwhile, and every number whose
    low bits alone are a source's."""
    for mine, other in ((0, 1), (1, 0)):
        await plic.apb.write(priority(1), 1)
        await plic.apb.write(enable(mine), 1 << 1)
        await plic.apb.write(enable(other), 1 << 2)
        await plic.lines(1)
        assert await plic.claim(mine) == 1
        await plic.complete(other, 1)
        assert plic.reaches() == set(), f"context {other} completed what context {mine} claimed"
        for number in (0, 2, 3, 9, 17, 33, 0x101, 0x10001, 0x8000_0001, 0xFFFF_FFFF):
            await plic.complete(mine, number)
            assert plic.reaches() == set(), f"{number:#x} completed interrupt 1"
        await plic.apb.write(enable(mine), 0)
        await plic.complete(mine, 1)
        await plic.apb.write(enable(mine), 1 << 1)
        await plic.settle()
        assert await plic.apb.read(PENDING) == 0, "a disabled source was completed"
        await plic.complete(mine, 1)
        assert await plic.apb.read(PENDING) == 0b10
        assert await plic.claim(mine) == 1
        await plic.lines()
        await plic.complete(mine, 1)


@bench_test(Plic)
async def random_priorities_thresholds_and_enables(plic):
    """The highest priority goes first, of equal ones the lowest number; each is claimed once. Only
    what is above the threshold interrupts. There are 3 bits of priority, and no interrupt 0. A
    completion without a claim takes nothing back."""
    draw = random.Random(7)
    claimed_together = 0
    for _ in range(300):
        level = {source: draw.randrange(8) for source in SOURCES}
        for source in SOURCES:
            await plic.write(priority(source), level[source] | draw.getrandbits(29) << 3, 7)
        wanted, claimable = {}, {}
        for name, context in CONTEXTS.items():
            bits, least = draw.getrandbits(32), draw.choice((0, 0, draw.randrange(8)))
            await plic.write(enable(context), bits, 0b111110)
            await plic.write(threshold(context), least, 7)
            claimable[name] = {s for s in SOURCES if bits >> s & 1 and level[s]}
            wanted[name] = {s for s in claimable[name] if level[s] > least}
        pending = {source for source in SOURCES if draw.random() < 0.6}
        await plic.lines(*pending)
        await plic.lines()
        for source in pending:
            await plic.complete(draw.choice(list(CONTEXTS.values())), source)
        assert await plic.apb.read(PENDING) == sum(1 << source for source in pending)
        served = []
        while True:
            assert plic.reaches() == {name for name, sources in wanted.items() if sources & pending}
            name, context = draw.choice(list(CONTEXTS.items()))
            best = min(claimable[name] & pending, key=lambda s: (-level[s], s), default=0)
            assert await plic.claim(context) == best
            if not best:
                if not plic.reaches():
                    break
                continue
            pending.discard(best)
            served.append((context, best))
        claimed_together = max(claimed_together, len(served))
        for context, number in served:
            await plic.complete(context, number)
        for source in pending:  # nobody serves it now
            await plic.apb.write(priority(source), 7)
            await plic.apb.write(threshold(0), 0)
            await plic.apb.write(enable(0), 1 << source)
            await plic.settle()
            assert await plic.claim(0) == source
            await plic.complete(0, source)
    assert claimed_together == len(SOURCES)
