"""Level-2 cache: cycles, bursts of every shape, lines that come and go, and errors.
What is answered above and asked for below is foretold by a model (l2_model.py) in each test."""

from drivers.started import bench_test
from support.on import On
from unit.cache.l2_bench import BEATS, GEO, bench, data, fill_set, leave, line
from unit.cache.l2_model import DECERR, OKAY, SLVERR
from unit.cache.memory import HIGHMEM, LOWMEM

RUNS = [On("l2_small:teaching"), On("l2_ways:teaching"), On("l2:ulx3s_l2", rare=True)]

ERRORS = (SLVERR, DECERR)  # of even words and odd ones


# ---- cycles --------------------------------------------------------------------------------------
@bench_test(bench)
async def hits_and_misses_take_their_cycles(b):
    """A hit 4 cycles, a miss 4 to its address below, and no more than memory from there on; then a
    word each cycle, and 3 more for each new line."""
    await b.do(line(0))
    for latency in (1, 2, 25):
        b.latency = latency
        await b.drain()
        b.clear()
        first = 4 * (latency % BEATS)
        miss = await b.do(line(2 * latency) + first, BEATS, wraps=True)
        assert b.below.reads == [(miss.accepted + 4, line(2 * latency) + first)]
        assert b.below.first == [miss.accepted + 4 + latency]
        assert miss.at == [b.below.first[0] + n for n in range(BEATS)]
        hit = await b.do(line(2 * latency), BEATS)
        assert hit.at == [hit.accepted + 4 + n for n in range(BEATS)]
    await b.do(line(3), BEATS)
    hit = await b.do(line(2) + 4 * (BEATS - 2), 4)
    assert [at - hit.accepted for at in hit.at] == [4, 5, 9, 10]
    for beats in (1, 4, BEATS):
        write = await b.do(line(2), beats, data=data(b, beats))
        assert write.at == [write.accepted + 3 + beats]
    singles = [b.send(line(2)) for _ in range(4)]
    await b.drain()
    assert [one.accepted - singles[0].accepted for one in singles] == [0, 4, 8, 12]


@bench_test(bench)
async def reads_and_writes_take_turns(b):
    """While both wait; an address of a write whose first word is not there holds up no read."""
    for n in range(6):
        b.send(line(n), id=n)
        b.send(line(n, 1), id=n + 1, data=data(b, 1))
    await b.drain()
    kinds = [one.data is None for one in b.accepted]
    assert sum(kinds) == 6 and all(x != y for x, y in zip(kinds, kinds[1:], strict=False))
    b.w.pause = 1.0
    late = b.send(line(7), 2, data=data(b, 2))
    for n in range(6):
        await b.do(line(n))
    assert not late.accepted
    b.w.pause = 0.9
    await b.drain()


@bench_test(bench)
async def answers_wait_for_the_master(b):
    """Also while the next burst misses, and while a line leaves."""
    await fill_set(b, 8, dirty=True)
    b.r.pause = b.b.pause = 0.9
    for n in range(40):
        there = next(one for one in b.model.ways[line(8) // GEO.line % GEO.sets] if one)
        b.send(there, 2)
        b.send(line(8, n), 2, data=data(b, 2) if n % 3 == 0 else None)
        b.send(line(8, n) + 8, 2, wraps=True)
        await b.drain()


@bench_test(bench)
async def reset_forgets_every_line(b):
    """What was not written back is lost. Accesses wait until a set in each cycle is done."""
    lines = [line(n, tag) for n in range(GEO.sets) for tag in range(GEO.ways)]
    for one in lines:
        await b.do(one, data=data(b, 1))
    await b.drain()
    await b.reset()
    begin = b.cycle
    first = await b.do(lines[0])
    assert GEO.sets <= first.accepted - begin <= GEO.sets + 4
    for one in lines:
        await b.do(one)
    await b.drain()
    assert b.below.filled == len(lines) and not b.below.writes


# ---- shapes --------------------------------------------------------------------------------------
@bench_test(bench)
async def bursts_of_every_shape(b):
    """WRAP of 2 words to a line from each word, INCR from each word, and narrow beats, in lines
    that are there and in lines that are not."""
    tag = 0
    for write in (False, True):
        for beats in (2, 4, 8, BEATS):
            for word in range(BEATS):
                tag += 1
                for _ in range(2):  # a miss and a hit
                    given = data(b, beats) if write else None
                    b.send(line(5, tag) + 4 * word, beats, wraps=True, data=given)
                b.send(line(5, tag), BEATS)
                await b.drain()
        for word in range(BEATS):
            tag += 1
            beats = b.random.randrange(1, 3 * BEATS)
            for _ in range(2):
                given = data(b, beats) if write else None
                b.send(line(5, tag) + 4 * word, beats, data=given)
            b.send(line(5, tag), 4 * BEATS)
            await b.drain()
        for size in (0, 1):
            for offset in range(0, 8, 1 << size):
                tag += 1
                lanes = ((1 << (1 << size)) - 1) << offset % 4
                given = {"data": data(b, 1), "strobes": [lanes]} if write else {}
                for _ in range(2):
                    b.send(line(5, tag) + offset, size=size, **given)
                await b.do(line(5, tag), 2)


@bench_test(bench)
async def a_burst_of_a_page(b):
    """256 beats, into lines of which every second one is there."""
    for base in (LOWMEM + 0x10000, HIGHMEM + 0x5000):
        for given in (None, data(b, 256), None):
            for n in range(0, 1024 // BEATS, 2):
                await b.do(base + n * GEO.line)
            for part in range(0, 4096, 1024):
                await b.do(base + part, 256, data=given)
    await b.drain()
    assert b.below.filled >= 2 * 4096 // GEO.line


# ---- lines that are written ----------------------------------------------------------------------
@bench_test(bench)
async def a_line_that_is_written_whole_is_not_read(b):
    """With one byte missing it is, and what was written stays: also by bursts that wrap, and when a
    dirty line leaves for it."""
    for wraps in (False, True):
        for dirty in (False, True):
            await fill_set(b, 3, dirty)
            tag = GEO.ways
            word = b.random.randrange(1, BEATS) if wraps else 0
            await b.do(line(3, tag) + 4 * word, BEATS, wraps=wraps, data=data(b, BEATS))
            assert not b.below.filled
            for missing in range(BEATS):
                tag += 1
                strobes = [15] * BEATS
                strobes[missing] ^= 1 << b.random.randrange(4)
                b.send(line(3, tag) + 4 * word, BEATS, wraps=wraps, data=data(b, BEATS),
                       strobes=strobes)  # fmt: skip
            await b.drain()
            assert b.below.filled == BEATS
            for one in range(GEO.ways, tag + 1):
                await b.do(line(3, one), BEATS)
    whole = [b.send(line(n, 5), 1 * BEATS, data=data(b, BEATS)) for n in range(4)]
    again = b.send(line(0, 9) + 4, BEATS, data=data(b, BEATS))  # two lines, neither of them whole
    filled = b.below.filled
    await b.drain()
    assert b.below.filled == filled + 2 and whole[3].at < again.at


@bench_test(bench)
async def written_words_stay_as_the_line_comes(b):
    """From each word, with any strobes, while the words of the line that leaves are copied."""
    await fill_set(b, 1, dirty=True)
    for n in range(3 * BEATS):
        beats = b.random.choice((1, 2, 4, 8, BEATS))
        strobes = [b.random.randrange(16) for _ in range(beats)]
        address = line(1, GEO.ways + n) + 4 * (n % BEATS)
        wraps = beats > 1 and n % 2 == 0
        b.send(address, beats, wraps=wraps, data=data(b, beats), strobes=strobes)
        if n % 3 == 0:
            await b.drain()
            await b.do(line(1, GEO.ways + n), BEATS)
    for n in range(3 * BEATS):
        await b.do(line(1, GEO.ways + n), BEATS)
    await b.drain()


@bench_test(bench)
async def a_dirty_victim_is_written_back_once(b):
    """After its place was asked for; who wants it again gets what was written, when it is there."""
    await fill_set(b, 2, dirty=True)
    for latency in (1, 40):
        b.latency = latency
        for n in range(2 * GEO.ways):
            b.clear()
            there = {one for ways in b.model.ways for one in ways}
            missing = next(line(2, tag) for tag in range(GEO.ways + 1) if line(2, tag) not in there)
            first = await b.do(missing, data=data(b, 1) if n % 2 else None)
            (victim,) = there - {one for ways in b.model.ways for one in ways}
            second = await b.do(victim, BEATS, data=data(b, BEATS) if n % 3 == 0 else None)
            await b.drain()
            assert b.counts[:2] == [2, 2] and first.at < second.at
            assert len(b.below.writes) == b.counts[2]
            if b.below.writes and b.below.writes[0][1] == victim:
                assert b.below.reads[0][0] < b.below.writes[0][0]
                if len(b.below.reads) > 1:
                    assert b.below.reads[1][0] > b.below.ended[0]
            if not n % 2:
                await b.do(missing, data=data(b, 1))


# ---- errors --------------------------------------------------------------------------------------
@bench_test(bench)
async def an_error_is_told_in_its_beat_and_the_line_is_not_kept(b):
    """Of a read that gets the words as they come. Another line of the set stays."""
    await b.do(line(4, 1))
    for beat in range(BEATS):
        b.memory.refuse_beat = {line(4) + 4 * beat}
        for address, beats, wraps in ((line(4) + 20, BEATS, True), (line(4) + 20, 3, False)):
            for _ in range(2):
                read = await b.do(address, beats, wraps=wraps)
                assert read.resps == [
                    ERRORS[beat & 1] if word == line(4) + 4 * beat else OKAY
                    for word in read.words()
                ]
                await b.drain()
    await b.do(line(4, 1))
    await b.drain()
    assert len(b.below.reads) == b.counts[1] == 4 * BEATS + 1
    b.memory.refuse_beat = set()
    assert (await b.do(line(4), BEATS)).resps == [OKAY] * BEATS


@bench_test(bench)
async def a_short_burst_that_wraps_is_refused_whole(b):
    """Its words are answered when the line is there, and any of that may be refused."""
    for beat in range(BEATS):
        b.clear()
        b.memory.refuse_beat = {line(4) + 4 * beat}
        refused = await b.do(line(4) + 8, 4, wraps=True)
        assert refused.resps == [SLVERR] * 4
        b.memory.refuse_beat = set()
        fresh = await b.do(line(4) + 8, 4, wraps=True)
        assert fresh.resps == [OKAY] * 4
        await b.drain()
        assert b.counts[:2] == [2, 2]
        await b.do(line(4), BEATS, data=data(b, BEATS))
        await leave(b, line(4))


@bench_test(bench)
async def a_write_that_has_to_fill_tells_its_error(b):
    """Of the line that was refused nothing is kept, of others all is; the next write is fresh."""
    for beat in range(BEATS):
        before = [b.memory.word(one) for one in range(line(4), line(5), 4)]
        for refused in (line(4), line(5)):
            b.memory.refuse_beat = {refused + 4 * beat}
            wrong = await b.do(line(5) - 8, 4, data=data(b, 4))
            assert wrong.resps == [SLVERR]
            right = await b.do(line(6), 3, data=data(b, 3))
            assert right.resps == [OKAY]
            b.memory.refuse_beat = set()
            fresh = b.send(line(4), 2 * BEATS)
            await b.drain()
            assert fresh.resps == [OKAY] * 2 * BEATS
            for one in (line(4), line(5)):
                await leave(b, one)
            if refused == line(4):
                assert before == [b.memory.word(one) for one in range(line(4), line(5), 4)]


@bench_test(bench)
async def a_refused_write_back_is_told_once(b):
    """The line is lost: memory keeps what it had."""
    await fill_set(b, 6, dirty=True)
    b.memory.refuse_write = {line(6)}
    old = b.memory.word(line(6))
    while not b.counts[3]:
        await b.do(line(6, GEO.ways + b.cycle))
        await b.drain()
    assert b.counts[3] == 1 and line(6) in [address for _, address in b.below.writes]
    b.memory.refuse_write = set()
    await b.do(line(6))
    await b.drain()
    assert b.counts[3] == 1 and b.memory.word(line(6)) == b.model.flat.word(line(6)) == old
