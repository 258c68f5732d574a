"""Level-2 cache: lines that are read before they are wanted."""

from cocotb.triggers import RisingEdge

from drivers.started import bench_test
from support.on import On
from unit.cache.l2_bench import BEATS, GEO, bench, data, leave, line
from unit.cache.l2_model import OKAY

RUNS = [On("l2_small:teaching"), On("l2_ways:teaching"), On("l2:ulx3s_l2", rare=True)]


@bench_test(bench)
async def the_next_line_is_read_while_one_is_missed(b):
    """Once: behind the missed one, or when that has come if it was read ahead itself. Then a word
    takes five cycles, or until it comes. A hit reads nothing."""
    b.latency = 20
    first = await b.do(line(8))
    assert b.below.ahead == [line(9)]
    late = await b.do(line(9) + 8, BEATS)  # two lines; of the first, not all has come
    await b.drain()
    assert b.below.ahead == [line(9), line(10), line(11)] and len(b.below.reads) == 1
    assert late.at[0] - first.at[0] < BEATS + b.latency < late.at[BEATS - 2] - first.at[0]
    there = await b.do(line(11), BEATS)
    assert there.at == [there.accepted + 5 + n for n in range(BEATS)]
    await b.drain()
    assert len(b.below.reads) == 1 and b.below.used == 3 and b.below.ahead[3:] == [line(12)]
    for n in (8, 9, 10, 11):
        await b.do(line(n), BEATS)
    assert len(b.below.ahead) == 4 and b.counts[:2] == [8, 4]


@bench_test(bench)
async def two_streams_are_read_ahead(b):
    """Each in its own buffer; a third one takes the place of the older of two."""
    for n, stream in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (2, 0), (3, 1), (3, 0)):
        await b.do(line(4 + n, stream))
        await b.drain()
    assert len(b.below.reads) == 2 and b.below.used == 6
    await b.do(line(12))
    await b.drain()
    b.clear()
    for n in (8, 13):
        await b.do(line(n))
    await b.drain()
    assert not b.below.reads and b.below.used == 2
    await b.do(line(8, 1))
    await b.drain()
    assert len(b.below.reads) == 1


@bench_test(bench)
async def nothing_is_read_ahead_where_a_page_ends(b):
    """Or where the line is there, or all of one is written."""
    last = min(4096, GEO.way_bytes) // GEO.line - 1
    await b.do(line(last))
    await b.do(line(6), data=data(b, 1))
    await b.drain()
    assert b.below.ahead == [line(7)]
    b.clear()
    for n in (9, 10, 5):
        await b.do(line(n))
    await b.do(line(12), BEATS, data=data(b, BEATS))
    await b.drain()
    assert b.below.ahead == [line(10), line(11)]


@bench_test(bench)
async def only_what_is_not_there_is_read_ahead(b):
    """Where the next line leaves until the fill ends, nothing is; nor behind the next miss."""
    for n in (5, 7):
        await b.do(line(n), BEATS, data=data(b, BEATS))
    await b.drain()
    b.clear()
    b.below_b.pause = 1.0
    victims = 0
    while any(line(5) in ways for ways in b.model.ways):
        victims += 1
        await b.do(line(5, victims), BEATS, data=data(b, BEATS))
    assert b.below.writes and not b.below.ended
    for n in (4, 6):
        await b.do(line(n))
    b.below_b.pause = 0.0
    await b.drain()
    assert not b.below.ahead and len(b.below.reads) == 2
    assert (await b.do(line(5), BEATS)) and b.below.reads[-1][0] > b.below.ended[0]


@bench_test(bench)
async def memory_takes_its_time(b):
    """To answer, in whatever order; and to take an address: what is to be read ahead meanwhile is
    not."""
    for pause in (0.8, 0.95):
        b.below_ar.pause = pause
        for overtakes in (0.0, 1.0):
            b.overtakes = overtakes
            for latency in (1, 40):
                b.latency = latency
                tag = b.cycle
                for beats, lines in ((1, (0, 3, 6, 9)), (BEATS, (10, 7, 4, 1))):
                    for n in lines:
                        b.send(line(n, tag), beats)
                await b.drain()
    assert b.below.used > 8
    b.below_ar.pause = 0.0
    await b.do(line(8, 1))
    await b.drain()
    b.clear()
    b.send(line(8, 2))
    while not b.below.reads:
        await RisingEdge(b.dut.clk)
    b.below_ar.pause = 1.0
    await b.do(line(9, 1))
    await b.do(line(8, 2))
    b.below_ar.pause = 0.0
    await b.drain()
    assert b.below.ahead == [line(9, 2)] and b.below.used == 1


@bench_test(bench)
async def a_line_read_ahead_is_what_memory_holds(b):
    """When it is written before it is wanted, whole or in part; when it was on its way to memory
    before; and where memory refused it."""
    for latency, first in ((1, 0), (30, 512)):
        b.latency = latency
        for tag in range(first, first + 512, 64):
            b.clear()
            await b.do(line(2, tag))
            for words in (3 if tag % 128 else BEATS, 1):
                await b.do(line(3, tag), words, data=data(b, words))
                await leave(b, line(3, tag), written=True)
                await b.do(line(3, tag), BEATS)
            assert line(3, tag) in b.below.ahead
            await b.do(line(5, tag), 3, data=data(b, 3))
            await leave(b, line(5, tag), written=True)
            b.send(line(4, tag))
            await b.drain()
            used = b.below.used
            await b.do(line(5, tag), BEATS)
            await b.drain()
            assert b.below.used == used + 1
    b.memory.refuse_beat = {line(9, 3) + 8}
    await b.do(line(8, 3))
    await b.drain()
    b.memory.refuse_beat = set()
    assert (await b.do(line(9, 3), BEATS)).resps == [OKAY] * BEATS
    assert b.below.reads[-1][1] == line(9, 3)
