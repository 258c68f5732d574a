"""The engine of the data cache alone, between arrays and memory that the bench plays: no line is
lost, none is there twice, and each command takes the cycles that its head says."""

import cocotb

from drivers.started import bench_test
from support.on import On
from unit.cache.line_bench import BEATS, COLOURS, FILL, LINE, LOW, SETS, SWEEP, WAYS, LineBench

RUNS = [
    On("l1data:teaching", part="LineEngine"),  # without colours
    On("l1data:ulx3s", part="LineEngine"),  # with four
]


@bench_test(LineBench)
async def reset_invalidates_everything(b):
    assert b.reset_cycles == SETS  # one has passed when the bench first looks, and done is the last
    assert b.events["droppedAll"] == SETS - 1
    assert all(entry[0] == 0 for ways in b.tags for entry in ways)


@cocotb.test()
async def cycles_of_a_fill(dut):
    for latency in (1, 2, 9):
        b = await LineBench.start(dut, latency=latency, hurry=True)
        for n in range(2):
            line = 0x1000 + LOW * n
            cycles, at, error = await b.run(FILL, line, line % LOW)
            assert (cycles, at, error) == (COLOURS + latency + BEATS + 3, line % LOW, 0)
            b.check(line)
            assert len(b.places(line)) == 1
            assert b.events["events_miss"] == 1 and b.events["events_evict"] == 0


@bench_test(LineBench, latency=3, hurry=True)
async def cycles_of_a_write_back(b):
    """On top of those of the fill; memory answers in the cycle after the last beat."""
    for n in range(WAYS + 4):
        cycles, _, _ = await b.run(FILL, 9 + LOW * n, 9)
        assert cycles == COLOURS + 3 + BEATS + 3 + (BEATS + 2) * (n >= WAYS)
        await b.store(9 + LOW * n)


@bench_test(LineBench)
async def a_victim_that_was_stored_to_is_written_back(b):
    lines = [7 + LOW * n for n in range(WAYS + 3)]
    for n, line in enumerate(lines):
        await b.run(FILL, line, 7)
        assert b.events["events_evict"] == (n >= WAYS)
        assert b.events["events_writeback"] == (n >= WAYS)
        assert len(b.dropped) == (n >= WAYS)
        await b.store(line)
        for known in lines[: n + 1]:
            b.check(known)
    assert sum(bool(b.places(line)) for line in lines) == WAYS


@cocotb.test()
async def maintenance_of_one_line(dut):
    """Clean writes back and keeps, invalidate alone forgets what was stored."""
    for clean, invalidate in ((1, 0), (0, 1), (1, 1), (0, 0)):
        for stored in (False, True):
            b = await LineBench.start(dut)
            line, other = 0x2345, 0x2345 + LOW
            for each in (line, other):
                await b.run(FILL, each, line % LOW)
            if stored:
                await b.store(line)
            await b.store(other)
            # Whatever set the command names: a line is maintained where it is.
            for at in range(line % LOW, SETS, LOW):
                await b.run(LINE, line, at, clean=clean, invalidate=invalidate)
                if at == line % LOW:
                    assert b.events["events_writeback"] == (stored and clean)
                    assert b.dropped == [line] * invalidate
                else:
                    assert not b.events["events_writeback"] and not b.dropped
            if invalidate and not clean:
                b.truth.pop(line, None)
            assert bool(b.places(line)) == (not invalidate)
            if clean:
                assert b.memory[line] == b.truth.get(line, b.memory[line])
            b.check(line)
            b.check(other)
            assert b.memory[other] != b.truth[other], "another line was cleaned"


@cocotb.test()
async def maintenance_of_all(dut):
    for clean, invalidate in ((1, 0), (0, 1), (1, 1)):
        b = await LineBench.start(dut, seed=3)
        lines = [LOW * tag + at for tag in range(2) for at in (0, 1, LOW // 2, LOW - 1)]
        for n, line in enumerate(lines):
            await b.run(FILL, line, line % LOW + LOW * (n % COLOURS))
            if n % 2:
                await b.store(line)
        dirty = len(b.truth)
        await b.run(SWEEP, clean=clean, invalidate=invalidate)
        assert b.events["events_writeback"] == (dirty if clean else 0)
        assert b.events["droppedAll"] == (SETS if invalidate else 0)
        if not clean:
            b.truth.clear()
        for line in lines:
            b.check(line)
            assert bool(b.places(line)) == (not invalidate)
            if clean:
                assert b.memory[line] == b.truth.get(line, b.memory[line])
        await b.run(SWEEP, clean=1)
        assert not b.events["events_writeback"], "a line was dirty still"


@bench_test(LineBench)
async def memory_that_refuses(b):
    """What was not delivered is not in the cache; a refused write-back is told."""
    b.refuse.add(0x111)
    _, _, error = await b.run(FILL, 0x111, 0x111 % LOW)
    assert error == 1 and not b.places(0x111)
    b.refuse.clear()
    _, _, error = await b.run(FILL, 0x111, 0x111 % LOW)
    assert error == 0 and b.places(0x111)
    await b.store(0x111)
    for refused in (True, False):
        b.refuse = {0x111} if refused else set()
        await b.store(0x111)
        await b.run(LINE, 0x111, 0x111 % LOW, clean=1)
        assert b.events["events_writebackError"] == refused


@bench_test(LineBench, seed=11, latency=2)
async def random_commands_lose_nothing(b):
    draw = b.draw
    lines = [LOW * tag + at for tag in range(WAYS + 3) for at in (5, 6)]
    for _ in range(500):
        line = draw.choice(lines)
        at = line % LOW + LOW * draw.randrange(COLOURS)
        if b.places(line):
            if draw.random() < 0.6:
                await b.store(line)
            clean, invalidate = draw.choice(((1, 0), (1, 1), (1, 1), (0, 1)))
            await b.run(LINE, line, at, clean=clean, invalidate=invalidate)
            if invalidate and not clean:
                b.truth.pop(line, None)
        elif draw.random() < 0.02:
            await b.run(SWEEP, clean=1, invalidate=draw.randrange(2))
        else:
            await b.run(FILL, line, at)
            if draw.random() < 0.5:
                await b.store(line)
        for each in lines:
            b.check(each)


@cocotb.test(skip=COLOURS == 1)
async def a_line_moves_between_colours(dut):
    """Where ways are larger than a page. The old place is written back when dirty and
    given up, or with `inPlace` reported."""
    for stored in (False, True):
        b = await LineBench.start(dut)
        line = 0x4321
        await b.run(FILL, line, line % LOW)
        for colour in range(1, COLOURS):
            if stored:
                await b.store(line)
            before = b.places(line)[0][0]
            _, at, _ = await b.run(FILL, line, line % LOW + LOW * colour, in_place=1)
            assert at == before and b.places(line)[0][0] == before
            _, at, _ = await b.run(FILL, line, line % LOW + LOW * colour)
            assert b.places(line)[0][0] == at == line % LOW + LOW * colour
            assert b.events["events_aliasMove"] == 1 and b.dropped == [line]
            assert b.events["events_writeback"] == stored
            b.check(line)
