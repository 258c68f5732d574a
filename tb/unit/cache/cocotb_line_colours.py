"""The engine of a data cache whose ways are larger than a page: a line has a place in each colour,
and one copy."""

import cocotb

from support.on import On
from unit.cache.line_bench import COLOURS, FILL, LOW, LineBench

RUNS = [On("l1data:ulx3s", part="LineEngine")]


@cocotb.test()
async def a_line_moves_between_colours(dut):
    """The old place is written back when dirty and given up, or with `inPlace` reported."""
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
