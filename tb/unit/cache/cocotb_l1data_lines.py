"""Data cache: replacement, colours and maintenance; and slaves that are less kind: an error in one
beat of a line, and address and data of a write in every order that AXI allows."""

import cocotb
import pytest

from drivers.started import bench_test
from support import results
from unit.cache import geometry
from unit.cache.agents import BUS_ERROR, Op, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import LOWMEM, PERIPHERAL
from unit.cache.policy import SetModel, steady_miss_rate

RUNS = geometry.data_caches(lambda name: not geometry.wide(name))

GEO = geometry.current()
BEATS = range(GEO.line // 4)
PAGES = 0x4000_0000
NO_ROOM = 0x4000_0000  # no window of the memory map


def hit(request) -> bool:
    return request.latency <= GEO.hit_latency


@bench_test(DataBench, seed=5)
async def replacement_is_the_policy_of_the_model(b):
    """Hit or miss of every access of a random sequence in one set, as the policy's model says; for
    random replacement the first fills, which take invalid ways.
    """
    model = SetModel(GEO.ways, GEO.policy)
    lines = [LOWMEM + GEO.way_bytes * i for i in range(GEO.ways + 3)]
    sequence = [b.random.choice(lines) for _ in range(400)]
    for n, line in enumerate(sequence):
        r = await b.do(line + 4 * (n % 4))
        expected = model.access(line)
        if GEO.policy != "random" or None in model.lines:
            assert hit(r) == expected, f"access {n}"


@cocotb.test()
async def one_line_too_many(dut):
    """Miss rate of N lines of one set read in turn: 0 for N = ways, and for N = ways + 1 1.000
    (LRU, PLRU), 0.571 (NRU, 8 ways), 0.222 (random, 8 ways): run A-2 of document 002.
    """
    figures = []
    b = await DataBench.start(dut)
    many = 200 if GEO.policy == "random" else 60
    for count, passes in ((GEO.ways, 5), (GEO.ways + 1, many)):
        lines = [LOWMEM + GEO.way_bytes * i for i in range(count)]
        warm = [b.send(line) for _ in range(passes // 5) for line in lines]
        reads = [b.send(line) for _ in range(passes) for line in lines]
        await reads[-1].done.wait()
        rate = sum(not hit(r) for r in reads) / len(reads)
        known = steady_miss_rate(GEO.ways, count, GEO.policy)
        cocotb.log.info("N = %d: %.3f misses per read, model %.3f", count, rate, known)
        assert rate == pytest.approx(known, abs=0.03 if GEO.policy == "random" else 0.01)
        assert len(warm) > 0
        figures.append(
            {
                "policy": GEO.policy,
                "ways": GEO.ways,
                "lines": count,
                "misses_per_read": round(rate, 4),
                "model": round(known, 4),
                "reads": len(reads),
            }
        )
    name = geometry.UNIT.replace(":", "_")
    command = "pytest tb/unit/cache/cocotb_l1data_lines.py"
    results.write(f"replacement_{name}", name, figures, command=command)


@bench_test(DataBench)
async def maintenance_by_address(b):
    """Clean writes back and keeps the line, invalidate drops it, flush does both; all through
    another colour than the one in which the line is. A register has no line: nothing is done.
    """
    frame = LOWMEM + 0x3000
    b.translation.translate = lambda va, access, untranslated: Translation(
        va & 0xFFFF_FFFF if va & 0xFFFF_FFFF < PAGES else frame | va & 0xFFF
    )
    here, there = PAGES, PAGES + 0x1000
    await b.store(here, 1)
    await b.store(here + GEO.line, 2)  # a neighbour that nothing below concerns
    neighbour = b.memory.word(frame + GEO.line)
    await b.do(there, Op.CLEAN)
    assert b.memory.word(frame) == 1
    assert hit(await b.do(here)), "a clean keeps the line"
    written = len(b.memory.writes)
    await b.do(there, Op.CLEAN)
    assert len(b.memory.writes) == written, "a clean line is not written again"
    await b.store(here, 3)
    await b.do(there, Op.INVALIDATE)
    assert await b.load(here) == 1, "the store of 3 was in the line that was dropped"
    await b.store(here, 4)
    await b.do(there, Op.FLUSH)
    assert b.memory.word(frame) == 4
    assert not hit(await b.do(here)), "a flush drops the line"
    assert await b.load(here + GEO.line) == 2
    assert b.memory.word(frame + GEO.line) == neighbour
    for op in (Op.CLEAN, Op.INVALIDATE, Op.FLUSH):
        assert (await b.do(PERIPHERAL, op)).fault is None
        assert (await b.do(there + 0x800, op)).fault is None, "a line that is not in the cache"
    await b.settle()
    assert b.counts["evict"] == 0


@bench_test(DataBench)
async def all_wait_for_the_line_that_left_before(b):
    """It is not in the cache, and memory has not taken it. Another miss may want it, and whoever
    maintains a line, or all, counts on memory."""
    lines = [LOWMEM + GEO.way_bytes * i for i in range(GEO.ways)]
    channels = [half.w_channel for half in b.halves if hasattr(half, "w_channel")]
    for n, op in enumerate((Op.LOAD, Op.CLEAN, Op.FLUSH, Op.INVALIDATE, None), 1):
        for line in lines:
            await b.store(line, line + n)
        left = len(b.memory.writes)
        for channel in channels:
            channel.pause = True
        await b.load(lines[-1] + GEO.way_bytes * n)
        where = lines[0] + (op is Op.LOAD) * GEO.line
        done = b.maintain.begin(True, False) if op is None else b.send(where, op).done
        await b.settle(4 * GEO.line)
        assert not done.is_set() and len(b.memory.writes) == left, op
        for channel in channels:
            channel.pause = False
        await done.wait()
        assert len(b.memory.writes) >= left + GEO.line // 4
        if op in (Op.CLEAN, Op.FLUSH, None):
            assert b.memory.word(lines[0]) == lines[0] + n


@bench_test(DataBench)
async def maintenance_of_nothing_is_an_access_fault(b):
    """Where no load and no store is possible: outside of the map's windows, and in one of them
    above the memory that is there. A register is there, and has no line."""
    missing = LOWMEM + 0x100_0000
    b.vacancy.first = missing
    for delay in (0, 1, 5):
        b.translation.translate = lambda va, access, untranslated, delay=delay: Translation(
            va & 0xFFFF_FFFF, delay=delay
        )
        for op in (Op.CLEAN, Op.INVALIDATE, Op.FLUSH):
            for address in (0, NO_ROOM, missing, missing + GEO.line - 1):
                r = await b.do(address, op)
                assert r.fault == BUS_ERROR and r.wnr, f"{address:#x}"
            for address in (LOWMEM, missing - 1, PERIPHERAL):
                assert (await b.do(address, op)).fault is None, f"{address:#x}"
            # The command behind a fault is dropped, and nothing of it stays.
            fault, load = b.send(missing, op), b.send(LOWMEM)
            await b.do(LOWMEM)
            assert fault.fault == BUS_ERROR and (load.dropped or load.fault is None)
    assert max(b.memory.reads) < missing, "maintenance asks the bus for nothing"


@bench_test(DataBench)
async def whole_cache_maintenance(b):
    """Clean writes every dirty line and keeps all; invalidate alone loses what is dirty."""
    step = max(1, GEO.sets // 16) * GEO.line
    lines = [
        LOWMEM + w * GEO.way_bytes + s
        for w in range(GEO.ways)
        for s in range(0, GEO.way_bytes, step)
    ]
    for i, line in enumerate(lines):
        await b.store(line, i)
    cycles = await b.whole(clean=True, invalidate=False)
    cocotb.log.info("whole clean with %d dirty lines: %d cycles", len(lines), cycles)
    assert [b.memory.word(line) for line in lines] == list(range(len(lines)))
    for line in lines:
        assert hit(await b.do(line))
    written = len(b.memory.writes)
    cycles = await b.whole(clean=True, invalidate=False)
    assert len(b.memory.writes) == written, "nothing was dirty any more"
    assert cycles <= 2 * GEO.sets + 8
    await b.store(lines[0], 77)
    cycles = await b.whole(clean=False, invalidate=True)
    assert cycles <= GEO.sets + 8
    b.memory.store(lines[1], 55)
    assert await b.load(lines[0]) == 0 and await b.load(lines[1]) == 55
    await b.store(lines[0], 78)
    await b.whole(clean=True, invalidate=True)
    assert b.memory.word(lines[0]) == 78
    b.memory.store(lines[0], 79)
    assert await b.load(lines[0]) == 79


@bench_test(DataBench)
async def an_error_in_any_one_beat_of_a_refill_spoils_the_line(b):
    """The access faults whichever word it wants, and the beats that were good are not kept."""
    line = LOWMEM + 0x1000
    for beat in BEATS:
        b.memory.refuse_beat = {line + 4 * beat}
        for word in {beat, beat ^ 1, 0, BEATS[-1]}:
            op = (Op.LOAD, Op.STORE, Op.LR, Op.AMO)[word % 4]
            r = await b.do(line + 4 * word, op, data=1)
            assert r.fault == BUS_ERROR, f"beat {beat}, word {word}"
            assert r.wnr == (op in (Op.STORE, Op.AMO))
        assert (await b.walk(line)).error
    b.memory.refuse_beat = set()
    for word in BEATS:
        assert await b.load(line + 4 * word) == b.memory.word(line + 4 * word)
    assert (await b.walk(line)).value == b.memory.double(line)
    await b.settle()
    assert not b.trace.stores and b.counts["asyncError"] == 0


@bench_test(DataBench)
async def an_error_in_any_one_beat_of_a_write_back_is_told_once(b):
    for beat in BEATS:
        b.memory.refuse_beat = set()
        await b.store(LOWMEM, beat)
        b.memory.refuse_beat = {LOWMEM + 4 * beat}
        assert (await b.do(LOWMEM, Op.FLUSH)).fault is None
        await b.settle()
        assert b.counts["asyncError"] == beat + 1
