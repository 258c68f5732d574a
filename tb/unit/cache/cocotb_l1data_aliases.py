"""Data cache: a line that is reached under several colours, in each of the three designs."""

from itertools import product

from drivers.started import bench_test
from unit.cache import geometry
from unit.cache.agents import Op, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import LOWMEM

RUNS = geometry.data_caches(lambda name: geometry.DATA[name].way_bytes > 4096)

GEO = geometry.current()
PAGES = 0x4000_0000
FRAME = LOWMEM + 0x3000
COLOURS = GEO.way_bytes // 4096  # that the virtual address tells apart


async def started(dut) -> DataBench:
    """Every page of PAGES is the same frame."""
    b = await DataBench.start(dut)
    b.translation.translate = lambda va, access, untranslated: Translation(FRAME | va & 0xFFF)
    return b


def seen_through(colour: int) -> int:
    return PAGES + 0x1000 * colour


@bench_test(started)
async def reads_through_every_colour(b):
    """One copy: each switch misses. Copies: one miss a colour. Physical index: one miss."""
    for _ in range(10):
        for colour in range(COLOURS):
            assert await b.load(seen_through(colour)) == b.memory.word(FRAME)
    await b.settle()
    misses = {"one copy": 10 * COLOURS, "copies": COLOURS, "physical": 1}[GEO.aliases]
    assert b.counts["miss"] == misses
    assert b.counts["aliasMove"] == (misses - 1 if GEO.aliases == "one copy" else 0)
    assert b.counts["access"] == 10 * COLOURS


@bench_test(started)
async def a_store_leaves_no_stale_copy(b):
    """After loads through every colour, each kind of store through one of them, or by the walker,
    is seen through all others; so is the next one.
    """
    word = b.memory.word(FRAME)

    async def store(va):
        await b.store(va, word)

    async def add(va):
        await b.do(va, Op.AMO, data=1, funct=0)

    async def conditional(va):
        await b.do(va, Op.LR)
        assert (await b.do(va, Op.SC, data=word)).value == 0, "LR has taken the line"

    async def walker(_va):
        old = (await b.walk(FRAME)).value
        await b.walk(FRAME, swap=True, expected=old, data=old + 1)

    for write in (store, add, conditional, walker):
        for writer in range(COLOURS):
            for colour in range(COLOURS):
                assert await b.load(seen_through(colour)) == word
            for _ in range(2):
                word = word + 1 & 0xFFFF_FFFF
                await write(seen_through(writer))
            for colour in range(COLOURS):
                seen = await b.load(seen_through(colour))
                assert seen == word, f"{write.__name__} through {writer}, read through {colour}"
    await b.whole(clean=True, invalidate=True)
    assert b.memory.word(FRAME) == word


@bench_test(started)
async def a_flush_drops_every_copy(b):
    """Memory that changes behind the cache is seen through all colours after one flush, which
    wrote back what was stored."""
    for stores, last in product((False, True), range(COLOURS)):
        for colour in range(COLOURS):
            if stores:
                await b.store(seen_through(colour), colour)
            await b.load(seen_through(colour))
        await b.do(seen_through(last), Op.FLUSH)
        assert not stores or b.memory.word(FRAME) == COLOURS - 1
        b.memory.store(FRAME, 0x1000 + last)
        for colour in range(COLOURS):
            assert await b.load(seen_through(colour)) == 0x1000 + last


@bench_test(started)
async def what_an_index_or_a_copy_costs(b):
    """A physical index that is not the virtual one: two cycles. The first store to a line that may
    have copies: a search of the colours; stores after it: none.
    """
    own = FRAME >> 12 & (COLOURS - 1)
    await b.load(seen_through(own))
    assert (await b.do(seen_through(own))).latency == 1
    if GEO.aliases == "physical":
        assert (await b.do(seen_through(own ^ 1))).latency == 3
    for store in range(3):
        r = await b.store(seen_through(own), store)
        searches = GEO.aliases == "copies" and store == 0
        assert r.latency == 1 if not searches else r.latency <= COLOURS + 6
    await b.settle()
    assert b.counts["miss"] == 1
