"""Both caches with their registers: maintenance, FENCE.I, and the size that the registers tell."""

import os

import cocotb
from cocotb.triggers import RisingEdge, with_timeout

from drivers.started import bench_test
from support.apb import Apb
from support.on import On
from unit.cache import geometry
from unit.cache.agents import (
    DATA_FIELDS,
    FETCH_FIELDS,
    CpuAgent,
    MaintainAgent,
    Op,
    Request,
    TranslateAgent,
    Translation,
    VacancyAgent,
    WalkAgent,
)
from unit.cache.bench import Bench, Requests
from unit.cache.memory import LOWMEM

RUNS = [
    On("cacheip:teaching"),
    On("cacheip:ulx3s_l2", rare=True),
    On("cacheip:wide", rare=True),
]

CCSIDR, MAINTAIN, ERRORS = 0x10, 0x20, 0x28
CLEAN, INVALIDATE, INSTRUCTION = 1, 2, 4
CONFIG = os.environ.get("GRANULE_CONFIG", "teaching")
DATA = geometry.DATA[f"l1data:{CONFIG.removesuffix('_l2')}"]


class LateApb(Apb):
    """Who waited for an agent wakes up where signals can only be read."""

    async def access(self, address, data=None):
        await RisingEdge(self.clk)
        return await super().access(address, data)


class IpBench(Requests, Bench):
    """CPU ports, registers, FENCE.I and memory; translations are the identity."""

    def __init__(self, dut, seed: int):
        super().__init__(dut, seed)
        self.cpu = CpuAgent(dut, "io_data", DATA_FIELDS, drops=True, ahead=1)
        self.fetcher = CpuAgent(dut, "io_fetch", FETCH_FIELDS, drops=False)
        self.fence = MaintainAgent(dut, "io_fence")
        self.apb = LateApb(dut, limit=20_000)  # as long as a whole cache takes
        self.translation = TranslateAgent(dut, "io_dataTranslate")
        self.walker = WalkAgent(dut)
        self.agents = [
            self.translation,
            TranslateAgent(dut, "io_fetchTranslate"),
            self.cpu,
            self.fetcher,
            self.fence,
            self.walker,
            VacancyAgent(dut),
        ]
        self.slave("dataAxi")
        self.slave("uncachedAxi")
        self.read_slave("fetchAxi")

    async def fetch(self, va: int) -> int:
        r = Request(va=va)
        self.fetcher.queue.append(r)
        await r.done.wait()
        return r.value


@bench_test(IpBench)
async def description_agrees_with_behaviour(b):
    """Ways and sets as CCSIDR gives them are what fits: that many lines stay, one more does not."""
    value = await b.apb.read64(CCSIDR)
    line, ways = 1 << (value & 7) + 4, (value >> 3 & 0x1FFFFF) + 1
    way = ((value >> 32) + 1) * line
    for count, stays in ((ways, True), (ways + 1, False)):
        addresses = [LOWMEM + 0x10_0000 * count + way * i for i in range(count)]
        for address in addresses * 2:
            r = await b.do(address)
        assert (r.latency == 1) == stays
    await b.load(LOWMEM)
    assert (await b.do(LOWMEM + line - 4)).latency == 1
    assert (await b.do(LOWMEM + line)).latency > 1


@bench_test(IpBench)
async def maintain_is_acknowledged_when_done(b):
    """Clean: memory holds every store when the write ends. Invalidate: the lines are gone."""
    lines = [LOWMEM + DATA.line * i for i in range(20)]
    for i, line in enumerate(lines):
        await b.store(line, i)
    await b.apb.write(MAINTAIN, CLEAN)
    assert [b.memory.word(line) for line in lines] == list(range(20))
    assert (await b.do(lines[3])).latency == 1, "a clean keeps the lines"
    await b.store(lines[3], 99)
    await b.apb.write(MAINTAIN, INVALIDATE)
    assert await b.load(lines[3]) == 3
    await b.store(lines[4], 55)
    await b.fetch(LOWMEM)
    b.memory.store(LOWMEM, 0x13)
    await b.apb.write(MAINTAIN, INSTRUCTION | CLEAN)
    assert await b.fetch(LOWMEM) != 0x13, "of instructions a clean is nothing to do"
    await b.apb.write(MAINTAIN, INSTRUCTION | INVALIDATE)
    assert await b.fetch(LOWMEM) == 0x13
    assert b.memory.word(lines[4]) == 4, "the data cache was not touched"


@bench_test(IpBench)
async def fence_i_makes_stores_visible_to_fetch(b):
    """Code stored through the data cache is fetched after FENCE.I, and only then for sure; while
    MAINTAIN is written before it, in the same cycle, or after it.
    """
    for i in range(8):
        await b.fetch(LOWMEM + 4 * i)
    for round_ in range(8):
        for i in range(8):
            b.send(LOWMEM + 4 * i, Op.STORE, data=0x100 * round_ + i)
        while b.cpu.busy:
            await b.settle(1)
        assert await b.fetch(LOWMEM) != 0x100 * round_, "not yet: the line is old"
        other = None
        if round_ >= 2:
            other = cocotb.start_soon(b.apb.write(MAINTAIN, CLEAN | INVALIDATE))
            await b.settle(round_ - 1)
        await with_timeout(b.fence.begin(False, False).wait(), 100, "us")
        for i in range(8):
            assert await b.fetch(LOWMEM + 4 * i) == 0x100 * round_ + i
        if other:
            await with_timeout(other, 100, "us")


@bench_test(IpBench)
async def refused_write_back_is_remembered(b):
    """ERRORS.writeback is set by a refused write-back, of a level-2 cache too."""
    assert await b.apb.read(ERRORS) == 0
    if CONFIG.endswith("_l2"):
        b.dut.io_l2Error.value = 1
        await b.settle(1)
        b.dut.io_l2Error.value = 0
        assert await b.apb.read(ERRORS) == 1
        await b.apb.write(ERRORS, 1)
        assert await b.apb.read(ERRORS) == 0
    b.memory.refuse_write.add(LOWMEM)
    await b.store(LOWMEM, 1)
    await b.apb.write(MAINTAIN, CLEAN)
    assert await b.apb.read(ERRORS) == 1


@bench_test(IpBench)
async def a_fault_drops_what_was_accepted_behind_it(b):
    """A store accepted while the load before it waits for its translation is younger than the
    load's fault: it must not be performed, and what comes after it must. The walker is at work, so
    that the cache can take nothing of the CPU in the cycle of the fault."""
    bad, dropped, after = LOWMEM + 0x1000, LOWMEM + 0x2000, LOWMEM + 0x2004
    await b.store(dropped, 1)
    held = False

    def translate(va, _access, _untranslated):
        pa = va & 0xFFFF_FFFF
        return Translation(pa, fault=0b000111 if pa == bad else None, delay=lambda: held)

    b.translation.translate = translate
    for walks in range(4):
        held = True
        failing, behind = b.send(bad), b.send(dropped, Op.STORE, data=2)
        while behind.accepted < 0:
            await b.settle(1)
        b.walker.queue.extend(Request(va=dropped) for _ in range(walks))
        held = False
        await failing.done.wait()
        await behind.done.wait()
        assert failing.fault == 0b000111
        assert behind.dropped
        await b.store(after, walks)
        assert await b.load(dropped) == 1
        assert await b.load(after) == walks
