"""The block RAM of Gowin netlists (sim/gowin/cells.v) against a model of its words."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

WIDTH, LANES = (int(word) for word in os.environ["GOWIN_RAM"].split())
ROWS = 8  # few, so that the ports meet
START = int(os.environ["GOWIN_START"], 16)
ALL = (1 << WIDTH) - 1


def address(row: int, lanes: int) -> int:
    """The row stands at the top; below it the lanes that are written, or nothing."""
    return row * (1 << (14 - (18432 // WIDTH - 1).bit_length())) | (lanes if LANES > 1 else 0)


def bits_of(lanes: int) -> int:
    one = (1 << WIDTH // LANES) - 1
    return sum(one << n * (WIDTH // LANES) for n in range(LANES) if lanes >> n & 1)


@cocotb.test()
async def lanes_rows_and_first_content(dut):
    """Random writes of some lanes and reads of the other port; a row that both mean comes out wrong
    where it is written."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    rng = random.Random(7)
    rows = [START >> n * WIDTH & ALL for n in range(ROWS)]
    assert any(rows)
    met = 0
    for step in range(600):
        row, seen = rng.randrange(ROWS), rng.randrange(ROWS)
        lanes, data = rng.randrange(1 << LANES), rng.getrandbits(WIDTH)
        write = step >= 20 and rng.random() < 0.7
        dut.cea.value, dut.ada.value, dut.di.value = write, address(row, lanes), data
        dut.adb.value = address(seen, 0)
        await FallingEdge(dut.clk)
        mask = (bits_of(lanes) if LANES > 1 else ALL) if write else 0
        met += bool(mask) and row == seen
        assert int(dut.dout.value) == rows[seen] ^ (mask if row == seen else 0), (step, row, seen)
        rows[row] = rows[row] & ~mask | data & mask
    assert met > 20
