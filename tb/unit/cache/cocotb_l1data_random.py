"""Data cache: random traffic of CPU and walker against a flat memory.

Every access is performed in the cycle of its answer, and the cache looks at one access at a time:
so the order of the answers is the order of the accesses, and each answer can be checked exactly.
"""

import os

import cocotb
from cocotb.triggers import with_timeout

from drivers.signals import WRITE
from support.axi_order import ADDRESS_FIRST, DATA_FIRST, FREE, ORDERS
from support.seed import run_seed
from unit.cache import geometry
from unit.cache.agents import BUS_ERROR, Op, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import AMO_FUNCTS, HIGHMEM, LOWMEM, PERIPHERAL, Memory, amo

RUNS = geometry.data_caches()

PAGE = 4096
FAULT_PAGE, HOLE_PAGE, DEVICE_PAGE, NC_PAGE = 0x7000_0000, 0x7100_0000, 0x7200_0000, 0x7300_0000


class Checker:
    """Pages of every kind, random requests, and the flat memory that says what they must answer."""

    def __init__(self, bench: DataBench, geo: geometry.Geometry):
        self.b, self.geo, self.rng = bench, geo, bench.random
        self.flat = Memory()
        self.reservation = None
        self.sc = [0, 0]  # succeeded, failed although reserved
        self.lost = 0  # words that an invalidation took back to what memory holds
        self.traces = []
        frames = geo.ways + 5
        self.frames = [LOWMEM + 0x10000 * i + PAGE * (i % 16) for i in range(frames)]
        self.frames += [HIGHMEM + 0x3000 * i for i in range(3)]
        # Each frame through several virtual pages, so that colours differ.
        self.quads = geometry.wide(geometry.UNIT)
        self.pages = {}
        for i, frame in enumerate(self.frames):
            for alias in range(4):
                page = 0x4000_0000 + (i << 16) + PAGE * (self.rng.randrange(4) + 4 * alias)
                self.pages[page] = frame
        # Few lines, so that sets overflow; the same sets are reached from every colour.
        self.offsets = self.rng.sample(range(0, PAGE, geo.line), 3)
        bench.translation.translate = self.translate
        bench.cpu.on_answer = self.answered
        bench.walker.on_answer = self.walked

    def translate(self, va, access, untranslated):
        va &= 0xFFFF_FFFF
        delay = self.rng.choice((0, 0, 0, 0, 1, 3, 40))
        page = va & -PAGE
        if page == FAULT_PAGE:
            return Translation(fault=0b000111, wnr=access == WRITE, delay=delay)
        if page == HOLE_PAGE:
            return Translation(0x4000_0000 | va % PAGE, delay=delay)
        if page == DEVICE_PAGE:
            return Translation(PERIPHERAL | va % PAGE, cacheable=True, delay=delay)
        if page == NC_PAGE:
            return Translation(LOWMEM + 0xF0_0000 | va % PAGE, cacheable=False, delay=delay)
        return Translation(self.pages[page] | va % PAGE, delay=delay)

    def pa(self, va):
        return self.translate(va, 0, False).pa

    def send(self):
        rng = self.rng
        offset = rng.choice(self.offsets) + 4 * rng.randrange(4)
        kind = rng.random()
        if kind < 0.04:
            page = rng.choice((FAULT_PAGE, HOLE_PAGE))
        elif kind < 0.08:
            page = rng.choice((DEVICE_PAGE, NC_PAGE))
        else:
            page = rng.choice(list(self.pages))
        op = rng.choices([*Op], (40, 40, 6, 6, 6, 2, 6, 2))[0]
        size = rng.randrange(3) if op in (Op.LOAD, Op.STORE) else 2
        va = page + offset + (rng.randrange(4) & -(1 << size))
        self.b.send(va, op, size=size, data=rng.getrandbits(32), funct=rng.choice(AMO_FUNCTS))
        if op == Op.LR and rng.random() < 0.5:
            self.b.send(va, Op.SC, data=rng.getrandbits(32))

    def send_walk(self):
        rng = self.rng
        address = rng.choice(self.frames) + rng.choice(self.offsets) + 8 * rng.randrange(2)
        if rng.random() < 0.05:
            address = PERIPHERAL + 8 * rng.randrange(8)
        # An expectation that holds, most of the time: nothing else is written in between by then.
        words = rng.choice((1, 2)) if self.quads else 1
        address &= -(4 << words)
        expected = self.flat.held(address, words)
        if rng.random() < 0.2:
            expected ^= 1 << rng.randrange(32 << words)
        swap = rng.random() < 0.3
        data = rng.getrandbits(32 << words)
        self.b.send_walk(
            address, words=words, swap=swap, expected=expected, data=data,
            cacheable=rng.random() < 0.8,
        )  # fmt: skip

    def walked(self, r):
        if r.va < LOWMEM:
            assert r.error
            return
        assert not r.error
        assert r.unsupported == (r.swap and not r.cacheable)
        if r.unsupported:
            return
        old = self.flat.held(r.va, r.words)
        assert r.value == old, f"walker at {r.va:#x}: {r.value:#x}, not {old:#x}"
        if r.swap and old == r.expected:
            self.flat.put(r.va, r.data, r.words)
            if self.reservation == r.va & -self.geo.line:
                self.reservation = None

    def answered(self, r):
        page = r.va & -PAGE
        if page == FAULT_PAGE:
            assert r.fault == 0b000111
            return
        pa = self.pa(r.va)
        if page == HOLE_PAGE:
            assert r.fault == BUS_ERROR and r.wnr == (r.op not in (Op.LOAD, Op.LR))
            return
        assert r.fault is None
        old = self.flat.word(pa)
        where = f"op {r.op} at va {r.va:#x}, pa {pa:#x}, cycle {r.answered}"
        if r.op in (Op.LOAD, Op.LR, Op.AMO):
            assert r.value == old, f"{where}: {r.value:#x}, not {old:#x}"
        if r.op == Op.LR:
            self.reservation = pa & -self.geo.line
        elif r.op == Op.STORE:
            lane = pa & 3
            mask = {0: 1, 1: 3, 2: 15}[r.size] << lane
            self.write(pa, r.data << (8 * lane), mask)
        elif r.op == Op.AMO:
            self.write(pa, amo(r.funct, old, r.data), 15)
        elif r.op == Op.INVALIDATE:
            self.forget(pa & -self.geo.line)
        elif r.op == Op.SC:
            reserved = self.reservation == pa & -self.geo.line
            self.reservation = None
            if r.value == 0:
                assert reserved, f"{where}: SC succeeded without a reservation"
                self.write(pa, r.data, 15)
            else:
                assert r.value == 1
            if reserved:
                self.sc[r.value] += 1

    def forget(self, line):
        """What was stored since the last write-back is lost; no write-back is under way."""
        for address in range(line, line + self.geo.line, 4):
            held = self.b.memory.word(address)
            self.lost += self.flat.word(address) != held
            self.flat.store(address, held)

    def write(self, pa, data, mask):
        self.flat.store(pa, data & 0xFFFF_FFFF, mask)
        self.traces.append((pa, data & 0xFFFF_FFFF, mask))


@cocotb.test()
async def random_traffic_agrees_with_flat_memory(dut):
    """Loads, stores, AMO, LR/SC and maintenance over aliases and colours, with the walker in
    between (scenarios g30, j35, B12, B14).
    """
    seed = run_seed()
    count = int(os.environ.get("GRANULE_REQUESTS", "1000"))
    b = await DataBench.start(dut, seed)
    c = Checker(b, geometry.current())
    rng = b.random
    for part in range(4):
        b.pause((0, 0.5, 0.1, 0)[part], ((FREE,), ORDERS, (FREE,), ORDERS)[part])
        pausing = rng.random() * 0.5
        b.cpu.idle = lambda p=pausing: rng.random() < p
        for i in range(count // 4):
            c.send()
            if len(b.cpu.queue) > 8:
                await with_timeout(b.cpu.queue[0].done.wait(), 100, "us")
            if rng.random() < 0.4 and len(b.walker.queue) < 2:
                c.send_walk()
            if i % 125 == 124:
                await with_timeout(b.whole(clean=True, invalidate=rng.random() < 0.5), 2000, "us")
        while b.cpu.busy or b.walker.busy:
            await b.settle(20)
    await with_timeout(b.whole(clean=True, invalidate=True), 2000, "us")
    for address, word in c.flat.words.items():
        assert b.memory.word(address) == word, f"{address:#x} in memory after a whole clean"
    # Bits outside of the mask are not written: compare the ones that are.
    assert len(c.traces) == len(b.trace.stores)
    for wanted, seen in zip(c.traces, b.trace.stores, strict=True):
        lanes = sum(0xFF << (8 * i) for i in range(4) if wanted[2] >> i & 1)
        assert (wanted[0] & ~3, wanted[1] & lanes, wanted[2]) == (
            seen[0] & ~3,
            seen[1] & lanes,
            seen[2],
        )
    assert b.counts["asyncError"] == 0
    seen = b.orders["axi"].seen
    assert seen[ADDRESS_FIRST] > 4 and seen[DATA_FIRST] > 4, seen
    geo = c.geo
    assert b.counts["evict"] > 20 and b.counts["writeback"] > 20, b.counts
    assert (b.counts["aliasMove"] > 20) == (geo.colours > 1), b.counts
    assert c.sc[0] > 2 * c.sc[1], f"SC with a reservation: succeeded, failed {c.sc}"
    assert c.lost > 0, "no invalidation lost anything"
    cocotb.log.info("counts %s, SC %s, lost %d, %d cycles", b.counts, c.sc, c.lost, b.cycle)
