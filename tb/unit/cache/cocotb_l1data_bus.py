"""Data cache against slaves that are less kind: an error in one beat of a line, and address and
data of a write in every order that AXI allows."""

from drivers.started import bench_test
from support.axi_order import ADDRESS_FIRST, DATA_FIRST, ORDERS
from unit.cache import geometry
from unit.cache.agents import AMO, BUS_ERROR, FLUSH, LOAD, STORE, Translation
from unit.cache.bench import DataBench
from unit.cache.memory import LOWMEM, PERIPHERAL

RUNS = geometry.data_caches(lambda name: not geometry.wide(name))

GEO = geometry.current()
BEATS = range(GEO.line // 4)


@bench_test(DataBench)
async def an_error_in_any_one_beat_of_a_refill_spoils_the_line(b):
    """The access faults whichever word it wants, and the beats that were good are not kept."""
    line = LOWMEM + 0x1000
    for beat in BEATS:
        b.memory.refuse_beat = {line + 4 * beat}
        for word in {beat, beat ^ 1, 0, BEATS[-1]}:
            r = await b.do(line + 4 * word, STORE if word & 1 else LOAD, data=1)
            assert r.fault == BUS_ERROR, f"beat {beat}, word {word}"
        assert (await b.walk(line)).error
    b.memory.refuse_beat = set()
    for word in BEATS:
        assert await b.load(line + 4 * word) == b.memory.word(line + 4 * word)
    await b.settle()
    assert not b.trace.stores and b.counts["asyncError"] == 0


@bench_test(DataBench)
async def an_error_in_any_one_beat_of_a_write_back_is_told_once(b):
    for beat in BEATS:
        b.memory.refuse_beat = set()
        await b.store(LOWMEM, beat)
        b.memory.refuse_beat = {LOWMEM + 4 * beat}
        assert (await b.do(LOWMEM, FLUSH)).fault is None
        await b.settle()
        assert b.counts["asyncError"] == beat + 1


@bench_test(DataBench)
async def address_and_data_of_a_write_in_every_order(b):
    """Whole lines and single beats: memory gets what was stored, and each has one answer."""
    b.translation.translate = lambda va, access, untranslated: Translation(
        va & 0xFFFF_FFFF, cacheable=va & 0xFFFF_FFFF >= LOWMEM
    )
    for name in ORDERS:
        for pause in (0.0, 0.5):
            b.pause(pause, (name,))
            before = {prefix: dict(order.seen) for prefix, order in b.orders.items()}
            for n in range(4):
                words = [(n * 0x0101_0101 + 4 * i) ^ 0xA5A5_0000 for i in BEATS]
                for i, word in enumerate(words):
                    await b.store(LOWMEM + 4 * i, word)
                assert (await b.do(LOWMEM, FLUSH)).fault is None
                assert [b.memory.word(LOWMEM + 4 * i) for i in BEATS] == words
                await b.store(PERIPHERAL, n)
                assert (await b.do(PERIPHERAL, AMO, data=5, funct=0)).value == n
                assert b.memory.word(PERIPHERAL) == n + 5
            for prefix, order in b.orders.items():
                came = {what: order.seen[what] - before[prefix][what] for what in order.seen}
                assert sum(came.values()) == {"axi": 4, "uncached": 8}[prefix]
                if name in (ADDRESS_FIRST, DATA_FIRST):
                    assert came[name] == sum(came.values()), f"{prefix}: {came}, not {name}"
