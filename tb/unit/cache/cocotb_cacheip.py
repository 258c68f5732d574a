"""Both caches with their registers: identification, maintenance, FENCE.I."""

import os

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, with_timeout

from unit.cache import geometry
from unit.cache.agents import (
    DATA_FIELDS,
    FETCH_FIELDS,
    STORE,
    CpuAgent,
    MaintainAgent,
    Port,
    Request,
    TranslateAgent,
    Translation,
    WalkAgent,
)
from unit.cache.bench import Bench, DataRequests
from unit.cache.memory import LOWMEM

CLIDR, CSSELR, CCSIDR, CTR, MAINTAIN, L1D_INFO, ERRORS = 0, 8, 0x10, 0x18, 0x20, 0x24, 0x28
CLEAN, INVALIDATE, INSTRUCTION = 1, 2, 4
CONFIG = os.environ["GRANULE_CACHE"]
DATA = geometry.DATA[f"l1data:{CONFIG}"]
FETCH = geometry.FETCH[f"l1fetch:{CONFIG}"]
POLICIES = ("lru", "plru", "nru", "random")


class IpBench(DataRequests, Bench):
    """CPU ports, registers, FENCE.I and memory; translations are the identity."""

    def __init__(self, dut, seed: int):
        super().__init__(dut, seed)
        self.cpu = CpuAgent(dut, "io_data", DATA_FIELDS, drops=True, ahead=1)
        self.fetcher = CpuAgent(dut, "io_fetch", FETCH_FIELDS, drops=False)
        self.fence = MaintainAgent(dut, "io_fence")
        self.apb = Port(dut, "io_apb")
        self.apb.set(PSEL=0, PENABLE=0, PWRITE=0)
        self.translation = TranslateAgent(dut, "io_dataTranslate")
        self.walker = WalkAgent(dut)
        self.agents = [
            self.translation,
            TranslateAgent(dut, "io_fetchTranslate"),
            self.cpu,
            self.fetcher,
            self.fence,
            self.walker,
        ]
        self.slave("dataAxi")
        self.slave("uncachedAxi")
        self.read_slave("fetchAxi")

    async def fetch(self, va: int) -> int:
        r = Request(va=va)
        self.fetcher.queue.append(r)
        await r.done.wait()
        return r.value

    async def access(self, address: int, data: int | None = None) -> tuple[int, bool]:
        """One APB transfer: (data read, slave error)."""
        middle, p = FallingEdge(self.dut.clk), self.apb
        await middle
        p.set(PSEL=1, PENABLE=0, PADDR=address, PWRITE=data is not None, PWDATA=data or 0)
        await middle
        p.set(PENABLE=1)
        await ReadOnly()
        while not p.get("PREADY"):
            await middle
            await ReadOnly()
        result = p.get("PRDATA"), bool(p.get("PSLVERROR"))
        await middle
        p.set(PSEL=0, PENABLE=0)
        return result

    async def read(self, address: int) -> int:
        data, error = await self.access(address)
        assert not error, f"register {address:#x} answers with an error"
        return data

    async def write(self, address: int, data: int) -> None:
        _, error = await self.access(address, data)
        assert not error, f"register {address:#x} answers with an error"

    async def read64(self, address: int) -> int:
        return await self.read(address) | await self.read(address + 4) << 32


def ccsidr(g: geometry.Geometry) -> int:
    return (g.line.bit_length() - 1 - 4) | (g.ways - 1) << 3 | (g.sets - 1) << 32


@cocotb.test()
async def identification_describes_what_is_built(dut):
    """CLIDR, CCSIDR by CSSELR, CTR and L1D_INFO of this configuration."""
    b = await IpBench.start(dut)
    assert await b.read(CLIDR) == 3 | 1 << 21 | 1 << 24 | 1 << 27
    for select, wanted in (
        (0, ccsidr(DATA)),
        (1, ccsidr(FETCH)),
        (2, 0),
        (0xE, 0),
        (0, ccsidr(DATA)),
    ):
        await b.write(CSSELR, select)
        assert await b.read(CSSELR) == select
        assert await b.read64(CCSIDR) == wanted
    words = (DATA.line // 4).bit_length() - 1
    fetch_words = (FETCH.line // 4).bit_length() - 1
    policy = 3 if FETCH.way_bytes <= 4096 else 2
    ctr = fetch_words | policy << 14 | words << 16 | words << 20 | words << 24 | 1 << 31
    assert await b.read64(CTR) == ctr
    assert await b.read(L1D_INFO) == POLICIES.index(DATA.policy) | 1 << 4
    for address in (CLIDR, CCSIDR, CTR, L1D_INFO):
        before = await b.read(address)
        await b.write(address, ~before & 0xFFFF_FFFF)
        assert await b.read(address) == before, "read only"
    assert (await b.access(0x30))[1], "no register: slave error"


@cocotb.test()
async def description_agrees_with_behaviour(dut):
    """Ways and sets as CCSIDR gives them are what fits: that many lines stay, one more does not."""
    b = await IpBench.start(dut)
    value = await b.read64(CCSIDR)
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


@cocotb.test()
async def maintain_is_acknowledged_when_done(dut):
    """Clean: memory holds every store when the write ends. Invalidate: the lines are gone."""
    b = await IpBench.start(dut)
    lines = [LOWMEM + DATA.line * i for i in range(20)]
    for i, line in enumerate(lines):
        await b.store(line, i)
    await b.write(MAINTAIN, CLEAN)
    assert [b.memory.word(line) for line in lines] == list(range(20))
    assert (await b.do(lines[3])).latency == 1, "a clean keeps the lines"
    await b.store(lines[3], 99)
    await b.write(MAINTAIN, INVALIDATE)
    assert await b.load(lines[3]) == 3
    await b.store(lines[3], 98)
    await b.write(MAINTAIN, CLEAN | INVALIDATE)
    b.memory.store(lines[3], 97)
    assert await b.load(lines[3]) == 97
    await b.store(lines[4], 55)
    for nothing in (0, INSTRUCTION, INSTRUCTION | CLEAN):
        await b.write(MAINTAIN, nothing)
    assert b.memory.word(lines[4]) == 4
    await b.fetch(LOWMEM)
    b.memory.store(LOWMEM, 0x13)
    await b.write(MAINTAIN, INSTRUCTION | INVALIDATE)
    assert await b.fetch(LOWMEM) == 0x13
    assert b.memory.word(lines[4]) == 4, "the data cache was not touched"


@cocotb.test()
async def fence_i_makes_stores_visible_to_fetch(dut):
    """Code stored through the data cache is fetched after FENCE.I, and only then for sure; while
    MAINTAIN is written at the same time.
    """
    b = await IpBench.start(dut)
    for i in range(8):
        await b.fetch(LOWMEM + 4 * i)
    for round_ in range(3):
        for i in range(8):
            b.send(LOWMEM + 4 * i, STORE, data=0x100 * round_ + i)
        while b.cpu.busy:
            await b.settle(1)
        assert await b.fetch(LOWMEM) != 0x100 * round_, "not yet: the line is old"
        other = cocotb.start_soon(b.write(MAINTAIN, CLEAN | INVALIDATE)) if round_ == 2 else None
        await with_timeout(b.fence.begin(False, False).wait(), 100, "us")
        for i in range(8):
            assert await b.fetch(LOWMEM + 4 * i) == 0x100 * round_ + i
        if other:
            await with_timeout(other, 100, "us")


@cocotb.test()
async def refused_write_back_is_remembered(dut):
    """ERRORS.writeback is set by a refused write-back and stays until 1 is written to it."""
    b = await IpBench.start(dut)
    assert await b.read(ERRORS) == 0
    b.memory.refuse_write.add(LOWMEM)
    await b.store(LOWMEM, 1)
    await b.write(MAINTAIN, CLEAN)
    assert await b.read(ERRORS) == 1
    await b.write(ERRORS, 0)
    assert await b.read(ERRORS) == 1
    await b.write(ERRORS, 1)
    assert await b.read(ERRORS) == 0


@cocotb.test()
async def a_fault_drops_what_was_accepted_behind_it(dut):
    """A store accepted while the load before it waits for its translation is younger than the
    load's fault: it must not be performed, and what comes after it must. The walker is at work, so
    that the cache can take nothing of the CPU in the cycle of the fault."""
    b = await IpBench.start(dut)
    bad, dropped, after = LOWMEM + 0x1000, LOWMEM + 0x2000, LOWMEM + 0x2004
    await b.store(dropped, 1)
    held = False

    def translate(va, _access, _untranslated):
        pa = va & 0xFFFF_FFFF
        return Translation(pa, fault=0b000111 if pa == bad else None, delay=lambda: held)

    b.translation.translate = translate
    for walks in range(4):
        held = True
        failing, behind = b.send(bad), b.send(dropped, STORE, data=2)
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
