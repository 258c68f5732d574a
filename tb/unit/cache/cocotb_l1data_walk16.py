"""Data cache: 16-byte accesses of the walker, two words of the arrays in one atomic step."""

import cocotb
from cocotb.triggers import with_timeout

from drivers.started import bench_test
from unit.cache import geometry
from unit.cache.agents import FLUSH, LOAD, LR, SC, STORE
from unit.cache.bench import DataBench
from unit.cache.memory import LOWMEM

RUNS = geometry.data_caches(geometry.wide)

GEO = geometry.current()
QUAD = 2  # log2 of the words of the access
LOW, HIGH = (1 << 64) - 1, (1 << 128) - (1 << 64)


async def quad(b, address: int, **fields) -> int:
    """The value that the walker gets; no error."""
    r = await with_timeout(b.walk(address, words=QUAD, **fields), 20, "us")
    assert not r.error, f"error at {address:#x}"
    return r.value


async def load_quad(b, address: int) -> int:
    """The same 16 bytes by four loads of the CPU."""
    words = [await b.load(address + 4 * i) for i in range(4)]
    return sum(word << 32 * i for i, word in enumerate(words))


@bench_test(DataBench)
async def miss_reads_the_line_once(b):
    """Both words come from one fill, whichever of them an access of 8 bytes asked for before."""
    for i, before in enumerate(((), (0,), (8,), (0, 8), (8, 0))):
        address = LOWMEM + GEO.line * (2 * i + 1) + GEO.line - 16
        b.memory.reads.clear()
        for offset in before:
            assert (await b.walk(address + offset)).value == b.memory.double(address + offset)
        assert await quad(b, address) == b.memory.quad(address)
        assert len(b.memory.reads) == GEO.line // 4
        assert (await b.walk(address + 8)).value == b.memory.double(address + 8)
        r = await b.walk(address + 12, words=0)
        assert r.value == b.memory.word(address + 12)


@bench_test(DataBench)
async def bus_error_is_of_the_whole_access(b):
    """A line that the bus refuses: one answer, an error, nothing installed; swaps too. The next
    access works."""
    bad, good = LOWMEM + 0x4000, LOWMEM + 0x8000
    b.memory.refuse_read.add(bad)
    for swap in (False, True):
        r = await b.walk(bad, words=QUAD, swap=swap, expected=b.memory.quad(bad), data=1)
        assert r.error
        assert await quad(b, good) == b.memory.quad(good)
    b.memory.refuse_read.clear()
    assert await quad(b, bad) == b.memory.quad(bad)
    assert not b.memory.writes


@bench_test(DataBench)
async def swap_compares_both_words_before_it_writes_any(b):
    """Won; lost in the low word, the high word, both: memory has all of the new value or all of the
    old one, and a lost swap leaves the line clean."""
    address = LOWMEM + GEO.line - 16
    old = b.memory.quad(address)
    await b.load(address)
    for wrong in (1, 1 << 63, 1 << 64, 1 << 127, 1 << 127 | 1):
        got = await quad(b, address, swap=True, expected=old ^ wrong, data=~old & (LOW | HIGH))
        assert got == old
        assert await load_quad(b, address) == old
    await b.whole(clean=True, invalidate=False)
    assert not b.memory.writes, "a lost swap wrote"
    for new in (old ^ 1, old ^ 1 << 127, ~old & (LOW | HIGH), 0):
        assert await quad(b, address, swap=True, expected=old, data=new) == old
        assert await load_quad(b, address) == new
        assert await quad(b, address) == new
        old = new
    assert await load_quad(b, address - 16) == b.memory.quad(address - 16), "the words beside it"
    await b.whole(clean=True, invalidate=False)
    assert b.memory.quad(address) == old


@bench_test(DataBench)
async def stores_of_the_cpu_never_tear_it(b):
    """The CPU stores to the four words in turn, at every distance from the walker's access: what
    the walker reads is memory after some of the stores, in their order."""
    await b.load(LOWMEM)
    value = await quad(b, LOWMEM)
    seen = set()
    for gap in range(10):
        for order in ((0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)):
            for _ in range(gap):
                b.send(LOWMEM + 0x20 % GEO.line)
            states = [value]
            for i, word in enumerate(order):
                new = (gap << 8 | word << 4 | i) * 0x0101_0101 + 1
                b.send(LOWMEM + 4 * word, STORE, data=new & 0xFFFF_FFFF)
                lanes = 0xFFFF_FFFF << 32 * word
                states.append(states[-1] & ~lanes | (new & 0xFFFF_FFFF) << 32 * word)
            for read in [b.send_walk(LOWMEM, words=QUAD) for _ in range(4)]:
                await read.done.wait()
                assert read.value in states, f"{read.value:#x} is none of {states}"
                seen.add(states.index(read.value))
            while b.cpu.busy:
                await b.settle(1)
            value = states[-1]
            assert await quad(b, LOWMEM) == value
    assert seen == {0, 1, 2, 3, 4}, "not all moments were met"


@bench_test(DataBench)
async def loads_of_the_cpu_see_all_of_a_swap_or_nothing(b):
    """A stream of loads of the first and the last word around a swap: none sees one of them new
    after another saw the other one old; a store that waits is not lost."""
    await b.load(LOWMEM)
    for delay in range(8):

        def send(i, first=delay & 1):  # the first load after the swap is of either word
            return b.send(LOWMEM + 12 * (i + first & 1))

        old = await quad(b, LOWMEM)
        new = old ^ (1 << 127 | 1)
        loads = [send(i) for i in range(delay)]
        await b.settle(1)
        swap = b.send_walk(LOWMEM, words=QUAD, swap=True, expected=old, data=new)
        loads += [send(i) for i in range(delay, delay + 12)]
        store = b.send(LOWMEM + 4, STORE, data=delay)
        await store.done.wait()
        assert swap.answered > 0 and swap.value == old
        for load in loads:
            after = load.answered >= swap.answered  # performed in the cycle before its answer
            shift = 32 * (load.va >> 2 & 3)
            assert load.value == (new if after else old) >> shift & 0xFFFF_FFFF
        lanes = 0xFFFF_FFFF << 32
        assert await quad(b, LOWMEM) == new & ~lanes | delay << 32


@bench_test(DataBench)
async def evictions_and_maintenance_do_not_come_between(b):
    """The CPU and maintenance take the line away all the time, dirty: each read has both words of
    the same moment, and no swap is lost in the traffic."""
    address, stride = LOWMEM + 16, GEO.way_bytes
    stop = False

    async def thrash():
        i = 0
        while not stop:
            va = LOWMEM + stride * (1 + i % (GEO.ways + 1)) + 16
            await b.do(va, STORE if i % 2 else LOAD, data=i)
            if i % 5 == 0:
                await b.do(address, FLUSH)
            i += 1

    task = cocotb.start_soon(thrash())
    value = await quad(b, address)
    for i in range(60):
        new = (i + 1) * ((1 << 96 | 1) * 0x0001_0001)
        if i % 4 == 3:
            await b.whole(clean=True, invalidate=i % 8 == 3)
        old = await quad(b, address, swap=True, expected=value, data=new)
        assert old == value
        value = new
        for _ in range(i % 3):
            assert await quad(b, address) == value
    stop = True
    await task
    await b.whole(clean=True, invalidate=True)
    assert b.memory.quad(address) == value and b.counts["writeback"] > 20


@bench_test(DataBench)
async def a_swap_that_wins_ends_the_reservation(b):
    """In either word; one that loses does not."""
    for wins, word in ((False, 0), (True, 0), (False, 3), (True, 3)):
        old = await quad(b, LOWMEM)
        await b.do(LOWMEM + 4 * word, LR)
        await quad(b, LOWMEM, swap=True, expected=old ^ (not wins), data=old ^ 1 << 64)
        r = await b.do(LOWMEM + 4 * word, SC, data=word)
        assert r.value == wins
