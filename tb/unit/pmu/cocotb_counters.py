"""Counters: what counts, what stops them, what a write does."""

import random
from itertools import product

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.on import On
from support.parts import low, settle, start

RUNS = [On("counters:teaching")]

EVENT_WIDTH = 40
EVENTS = 29
INDICES = [0, 2, *range(3, 3 + EVENTS)]


def mask(index):
    """Cycle and instret have the 64 bits of the ISA; events have fewer."""
    return (1 << (64 if index < 3 else EVENT_WIDTH)) - 1


class Bench:
    """Drives one cycle at a time and keeps the counts that the hardware should have. A write acts
    one cycle after it was given."""

    def __init__(self, dut):
        self.dut = dut
        self.pending = None
        self.counts = dict.fromkeys(INDICES, 0)

    @classmethod
    async def start(cls, dut):
        await start(dut, **low(dut))
        bench = cls(dut)
        bench.counts[0] = 1  # one cycle has passed
        return bench

    async def cycle(self, events=0, retire=0, inhibit=0, write=None):
        """`write` is (index, high, word)."""
        dut = self.dut
        dut.io_event.value = events
        dut.io_retire.value = retire
        dut.io_port_inhibit.value = inhibit
        dut.io_port_write.value = write is not None
        if write:
            index, high, word = write
            dut.io_port_index.value = index
            dut.io_port_writeHigh.value = high
            dut.io_port_writeData.value = word
        await FallingEdge(dut.clk)
        for i in INDICES:
            steps = {0: 1, 2: retire}[i] if i < 3 else events >> (i - 3) & 1
            if self.pending and self.pending[0] == i:
                _, high, word = self.pending
                old = self.counts[i]
                new = word << 32 | old & 0xFFFFFFFF if high else old >> 32 << 32 | word
                self.counts[i] = new & mask(i)
            elif steps and not inhibit >> i & 1:
                self.counts[i] = (self.counts[i] + 1) & mask(i)
        self.pending = write

    async def read(self, index):
        """Combinational: the clock does not move on."""
        self.dut.io_port_write.value = 0
        self.dut.io_port_index.value = index
        await settle()
        return int(self.dut.io_port_value.value)

    async def check_all(self):
        for i in range(32):
            got = await self.read(i)
            assert got == self.counts.get(i, 0), f"counter {i}: {got}, not {self.counts.get(i, 0)}"


@bench_test(Bench)
async def a_write_of_one_half_as_the_other_changes(bench):
    """The carry out of the low half comes in the cycle in which a write acts, on either half: the
    event is lost with it, and the half that was not written stays as it was."""
    everything = (1 << EVENTS) - 1
    for index in INDICES:
        for high, word, want in ((1, 0x12, 0x12_FFFFFFFF), (0, 0x34, 0x55_00000034)):
            await bench.cycle(write=(index, 1, 0x55))
            await bench.cycle(write=(index, 0, 0xFFFFFFFF))
            await bench.cycle(write=(index, high, word))
            assert await bench.read(index) == 0x55_FFFFFFFF
            await bench.cycle(events=everything, retire=1)
            assert await bench.read(index) == want, f"counter {index}, half {high}"
            await bench.cycle(events=everything, retire=1)
            assert await bench.read(index) == want + 1, f"counter {index}, after it"
    await bench.check_all()


@cocotb.test()
async def random_traffic_agrees_with_the_model(dut):
    """All counters wrap at their width, and index 1 holds nothing; then events, writes and inhibits
    in any combination."""
    rng = random.Random(7)
    bench = await Bench.start(dut)
    for index, high in product(range(32), (1, 0)):
        await bench.cycle(write=(index, high, 0xFFFFFFFF))
    await bench.check_all()
    await bench.cycle(events=(1 << EVENTS) - 1, retire=1)
    await bench.check_all()
    for _ in range(400):
        write = None
        if rng.random() < 0.2:
            write = (rng.randrange(32), rng.randrange(2), rng.getrandbits(32))
        await bench.cycle(
            rng.getrandbits(EVENTS),
            rng.randrange(2),
            rng.getrandbits(32) & rng.getrandbits(32),
            write,
        )
        if rng.random() < 0.1:
            await bench.check_all()
    await bench.check_all()
