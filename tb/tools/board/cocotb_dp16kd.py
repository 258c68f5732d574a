"""The block RAM of the netlist simulation (sim/ecp5/cells.v) against a model of its words."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

WIDTH_A, WIDTH_B = (int(width) for width in os.environ["DP16KD_WIDTHS"].split())
ROWS = 4  # few, so that the ports meet
ALL = (1 << 18) - 1
memory = [0] * ROWS  # what the RAM holds; it keeps it from test to test


class Access:
    """What one port does in a cycle: the bits of a row that it reads, and those it writes.

    `words` are (row, enabled bits, first bit); width 36 is two rows.
    """

    def __init__(self, width: int, rng: random.Random) -> None:
        self.width = width
        self.data = rng.getrandbits(min(width, 18))
        self.high_data = rng.getrandbits(18)
        row = rng.randrange(ROWS)
        enable = rng.randrange(1 << (width // 9))
        lanes = [0x1FF * (enable & 1) | 0x3FE00 * (enable >> 1 & 1)]
        lanes.append(0x1FF * (enable >> 2 & 1) | 0x3FE00 * (enable >> 3 & 1))
        if width == 36:
            row &= ~1
            self.address = row << 4 | enable
            self.words = [(row, lanes[0], 0), (row + 1, lanes[1], 0)]
        elif width == 18:
            self.address = row << 4 | enable
            self.words = [(row, lanes[0], 0)]
        else:
            lane = rng.randrange(2)
            self.address = row << 4 | lane << 3
            self.words = [(row, 0x1FF << 9 * lane, 9 * lane)]

    def written(self) -> dict[int, tuple[int, int]]:
        """Row: (bits, their value)."""
        data = (self.data, self.high_data)
        return {
            row: (mask, value << first & mask)
            for (row, mask, first), value in zip(self.words, data, strict=False)
        }

    def read(self, others: dict[int, tuple[int, int]]) -> list[int]:
        """What is there before the edge; bits that the other port writes come out wrong."""
        return [
            (memory[row] ^ others.get(row, (0, 0))[0]) >> first & (1 << min(self.width, 18)) - 1
            for row, _, first in self.words
        ]


async def cycle(dut, a: Access | None, b: Access | None, writes: str) -> None:
    """One edge; sees that both ports read what they should."""
    wide = WIDTH_B == 36
    dut.cea.value = a is not None
    dut.ceb.value = b is not None
    dut.wea.value = "a" in writes
    dut.web.value = "b" in writes
    if a:
        dut.ada.value, dut.dia.value = a.address, a.data
    if b:
        dut.adb.value = b.address
    dut.dib.value = a.high_data if a and wide else b.data if b else 0
    by_a = a.written() if a and "a" in writes else {}
    by_b = b.written() if b and "b" in writes else {}
    await FallingEdge(dut.clk)
    if a and not wide:
        assert [int(dut.doa.value)] == a.read(by_b)
    if b:
        outputs = [int(dut.doa.value), int(dut.dob.value)] if wide else [int(dut.dob.value)]
        assert outputs == b.read(by_a)
    for row, (mask, value) in [*by_a.items(), *by_b.items()]:
        memory[row] = memory[row] & ~mask & ALL | value


async def started(dut) -> None:
    """Fills the rows."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.cea.value = dut.ceb.value = 0
    rng = random.Random(1)
    await FallingEdge(dut.clk)
    for _ in range(40):
        await cycle(dut, Access(WIDTH_A, rng), None, "a")
    assert 0 not in memory
    return memory


@cocotb.test()
async def a_word_reads_well_while_its_neighbour_is_written(dut):
    """Two words of 9 bits share a row, but not an address: a load that meets the store to the word
    beside it must see what memory holds. Also when the lanes of 18 or 36 bits are not enabled."""
    await started(dut)
    rng = random.Random(2)
    met = 0
    while met < 20:
        a, b = Access(WIDTH_A, rng), Access(WIDTH_B, rng)
        rows = {row: bits for row, (bits, _) in a.written().items()}
        near = any(row in rows for row, *_ in b.words)
        apart = b.read(a.written()) == b.read({})
        if near and apart:
            await cycle(dut, a, b, "a")
            met += 1


@cocotb.test()
async def the_ports_agree_with_a_model(dut):
    """Random accesses of both ports to the same few rows, disabled ports among them."""
    await started(dut)
    rng = random.Random(3)
    for _ in range(1000):
        a = Access(WIDTH_A, rng) if rng.random() < 0.8 else None
        b = Access(WIDTH_B, rng) if rng.random() < 0.8 else None
        # Where the second port can write, too: never both the same bits, which nobody defines.
        writes = rng.choice(["", "a", "a"] if WIDTH_B == 36 else ["", "a", "b"])
        await cycle(dut, a, b, writes)
