"""Data cache: the walker's port, coherence and forward progress."""

import cocotb
from cocotb.triggers import with_timeout

from drivers.started import bench_test
from unit.cache import geometry
from unit.cache.agents import Op, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import HIGHMEM, LOWMEM, PERIPHERAL

RUNS = geometry.data_caches()

GEO = geometry.current()
WIDTHS = (1, 2) if geometry.wide(geometry.UNIT) else (1,)  # log2 of the words of an access


@cocotb.parametrize(words=WIDTHS)
@bench_test(DataBench)
async def walker_hit_is_answered_three_cycles_later(b, words):
    """Read hit at every place of a line: three cycles, four of 16 bytes, whether the CPU is idle or
    sends a command every cycle."""
    cycles = 2 + words
    await b.load(LOWMEM)
    for address in range(LOWMEM, LOWMEM + GEO.line, 4 << words):
        r = await b.walk(address, words=words)
        assert r.latency == cycles and r.value == b.memory.held(address, words)
    cpu = [b.send(LOWMEM + 4 * (i % 4)) for i in range(200)]
    reads = [await b.walk(LOWMEM + 16, words=words) for _ in range(30)]
    await cpu[-1].done.wait()
    assert all(r.latency <= cycles for r in reads), [r.latency for r in reads]
    assert all(r.value == b.memory.held(LOWMEM + 16, words) for r in reads)
    taken = cpu[-1].answered - cpu[0].accepted
    assert taken <= 200 + (cycles - 1) * 30, "the walker may not starve the CPU"


@bench_test(DataBench)
async def walker_hit_is_answered_two_cycles_later_while_the_cpu_waits_for_it(b):
    """The usual walk: the CPU's access waits for its translation, and the arrays are free."""
    await b.load(LOWMEM)
    walks = []
    b.translation.translate = lambda va, access, untranslated: Translation(
        va & 0xFFFF_FFFF, delay=lambda: len(walks) < 4
    )
    load = b.send(LOWMEM + 0x40)
    await b.settle()
    for offset in range(0, 32, 8):
        walks.append(await b.walk(LOWMEM + offset))
    await with_timeout(load.done.wait(), 20, "us")
    assert [r.latency for r in walks] == [2] * 4
    assert [r.value for r in walks] == [b.memory.double(LOWMEM + o) for o in range(0, 32, 8)]


@bench_test(DataBench)
async def walker_sees_dirty_lines_of_any_colour(b):
    """A descriptor that the CPU has just stored is in a dirty line, perhaps under another colour;
    the walker reads and swaps it there (scenarios g30, B12).
    """
    frame = HIGHMEM + 0x7000
    b.translation.translate = lambda va, access, untranslated: Translation(frame | va & 0xFFF)
    for colour in range(max(2, GEO.colours)):
        va = 0x4000_0000 + 0x1000 * colour
        await b.store(va + 0x10, 0x1111_0000 + colour)
        await b.store(va + 0x14, 0x2222_0000 + colour)
        b.memory.reads.clear()
        b.clear_counts()
        old = 0x2222_0000_1111_0000 + (colour << 32 | colour)
        r = await b.walk(frame + 0x10)
        assert r.value == old and not r.error
        lost = await b.walk(frame + 0x10, swap=True, expected=old + 1, data=0)
        assert lost.value == old
        won = await b.walk(frame + 0x10, swap=True, expected=old, data=old | 0x400)
        assert won.value == old
        assert await b.load(va + 0x10) == (old | 0x400) & 0xFFFF_FFFF
        assert not b.memory.reads and b.counts["miss"] == 0, "all of it inside of the cache"
    await b.whole(clean=True, invalidate=False)
    assert b.memory.double(frame + 0x10) == old | 0x400


@cocotb.parametrize(words=WIDTHS)
@bench_test(DataBench)
async def walker_outside_of_memory_is_an_error_without_a_request(b, words):
    """A table pointer is software's to choose: nothing but memory is asked, and the port is free
    again at once."""
    await b.load(LOWMEM)
    b.memory.reads.clear()
    for address in (PERIPHERAL, 0, 0x4000_0000, 0xC000_0000, 0xF_FFFF_FFF0):
        for swap in (False, True):
            refused = b.send_walk(address, words=words, swap=swap)
            after = await b.walk(LOWMEM, words=words)
            assert refused.error and refused.latency <= 3
            assert after.value == b.memory.held(LOWMEM, words)
            assert not after.error and after.latency <= 2 + words
    assert not b.memory.reads and not b.memory.writes


@bench_test(DataBench)
async def parked_access_lets_the_walker_work(b):
    """A translation that is answered only after three descriptor reads, two of them misses, in the
    set of the access itself: no deadlock, every time (scenario h33).
    """
    served = []

    def translate(va, access, untranslated):
        va &= 0xFFFF_FFFF
        walk = [
            b.send_walk(LOWMEM + 0x10_0000 + GEO.way_bytes * (i + va // GEO.way_bytes % 7))
            for i in range(3)
        ]
        served.extend(walk)
        return Translation(va, delay=lambda: walk[-1].answered < 0)

    b.translation.translate = translate
    stored = {}
    for round_ in range(40):
        address = LOWMEM + GEO.way_bytes * (round_ % (GEO.ways + 1))
        if round_ % 2:
            await with_timeout(b.store(address, round_), 20, "us")
            stored[address] = round_
        else:
            value = await with_timeout(b.load(address), 20, "us")
            assert value == stored.get(address, b.memory.initial(address))
    assert len(served) == 120 and not any(r.error for r in served)


@cocotb.parametrize(cacheable=[True, False])
@bench_test(DataBench)
async def fetch_side_walks_and_data_both_progress(b, cacheable):
    """PTEs and data that always evict each other, the walker never pausing: the CPU's accesses end
    in bounded time, and so do the walker's (scenario h33, one way most of all).
    """
    stride = GEO.way_bytes
    walker = {"reads": 0, "stop": False}

    async def walk_forever():
        while not walker["stop"]:
            address = LOWMEM + 0x20_0000 + stride * (walker["reads"] % (GEO.ways + 1))
            r = await b.walk(address, cacheable=cacheable)
            assert r.value == b.memory.double(address) and r.latency < 400
            walker["reads"] += 1

    task = cocotb.start_soon(walk_forever())
    for i in range(60):
        address = LOWMEM + stride * (i % (GEO.ways + 1))
        r = await with_timeout(b.do(address, Op.LOAD if i % 2 else Op.STORE, data=i), 20, "us")
        assert r.fault is None and r.latency < 400, r.latency
    walker["stop"] = True
    await task
    assert walker["reads"] > 30, "the CPU has at most two accesses for one of the walker's"


@cocotb.parametrize(cacheable=[True, False])
@bench_test(DataBench)
async def uncached_wait_blocks_neither_walker_nor_maintenance(b, cacheable):
    """While a register does not answer: walks with fill and write-back or past the cache, one of
    them to a dirty line, and a whole clean."""
    for i in range(GEO.ways + 1):
        await b.store(LOWMEM + GEO.way_bytes * i, i)
    uncached = b.uncached.write_if.b_channel
    uncached.pause = True
    register = b.send(PERIPHERAL, Op.STORE, data=1)
    await b.settle(10)
    dirty = await with_timeout(b.walk(LOWMEM + GEO.way_bytes, cacheable=cacheable), 20, "us")
    assert dirty.value & 0xFFFF_FFFF == 1
    for i in range(GEO.ways + 1):
        address = LOWMEM + 0x40_0000 + GEO.way_bytes * i
        r = await with_timeout(b.walk(address, cacheable=cacheable), 20, "us")
        assert r.value == b.memory.double(address)
    await with_timeout(b.whole(clean=True, invalidate=False), 200, "us")
    assert [b.memory.word(LOWMEM + GEO.way_bytes * i) for i in range(GEO.ways + 1)] == list(
        range(GEO.ways + 1)
    )
    assert register.answered < 0
    uncached.pause = False
    await register.done.wait()
    assert register.fault is None


UNCACHED = 0x4000_0000  # pages that `uncached_window` maps onto LOWMEM, past the cache


def uncached_window(va, access, untranslated) -> Translation:
    va &= 0xFFFF_FFFF
    return Translation(va if va >= LOWMEM else va + LOWMEM - UNCACHED, cacheable=va >= LOWMEM)


@cocotb.parametrize(words=WIDTHS)
@bench_test(DataBench)
async def a_walk_that_is_not_cacheable_sees_stores_past_the_cache(b, words):
    """The line of a descriptor is in the cache, and a store past the cache changes memory: a walk
    that is not cacheable gets what memory holds, every time anew, and leaves no line behind that a
    later load or walk would find stale."""
    b.translation.translate = uncached_window
    for i in range(8):
        place = (4 << words) * i % GEO.line
        await b.load(LOWMEM + place)
        stale = (await b.walk(LOWMEM + place, words=words)).value
        for turn in range(3):
            await b.store(UNCACHED + place, 0x100 * i + turn)
            r = await b.walk(LOWMEM + place, words=words, cacheable=False)
            assert not r.error and not r.unsupported
            assert r.value == stale & ~0xFFFF_FFFF | 0x100 * i + turn
        await b.store(UNCACHED + place, 0xABC0 + i)
        assert await b.load(LOWMEM + place) == 0xABC0 + i, "the line stayed"
        assert (await b.walk(LOWMEM + place, words=words)).value & 0xFFFF_FFFF == 0xABC0 + i
        await b.do(LOWMEM + place, Op.FLUSH)
    assert b.counts["writeback"] == 0
