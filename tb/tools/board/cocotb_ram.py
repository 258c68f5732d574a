"""The block RAMs of the netlist simulations (sim/*/cells.v) against a model of their words. Both
families number rows and lanes of 9 bits alike: a row stands at the top of an address, and below it
the lanes that are written, if there are several."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

WIDTH = int(os.environ["RAM_WIDTH"])
WRITERS = os.environ["RAM_WRITERS"]  # ports that may write: a, or ab
READERS = os.environ["RAM_READERS"]  # ports whose output is looked at
START = int(os.environ["RAM_START"], 16)  # first content, from bit 0 on
ALL = (1 << WIDTH) - 1
SHIFT = {9: 3, 18: 4, 36: 5}[WIDTH]
ROWS = 72 // WIDTH  # few, so that the ports meet
memory = [START >> row * WIDTH & ALL for row in range(ROWS)]  # it stays from test to test


class Access:
    """What one port does in a cycle to some lanes of a row."""

    def __init__(self, rng: random.Random, writes: bool) -> None:
        self.row, self.data = rng.randrange(ROWS), rng.getrandbits(WIDTH)
        lanes = rng.randrange(1 << WIDTH // 9) if WIDTH > 9 else 1
        mask = sum(0x1FF << 9 * n for n in range(WIDTH // 9) if lanes >> n & 1)
        self.address = self.row << SHIFT | (lanes if WIDTH > 9 else 0)
        self.mask = mask if writes else 0  # bits that are written


async def cycle(dut, a: Access | None, b: Access | None) -> tuple[int, int]:
    """One edge; each port reads what was there before it, but for bits that the other port writes:
    they come out wrong. Answers how many ports met such bits, and how many met others beside."""
    for name, access in (("a", a), ("b", b)):
        getattr(dut, f"ce{name}").value = access is not None
        getattr(dut, f"we{name}").value = bool(access and access.mask)
        if access:
            getattr(dut, f"ad{name}").value = access.address
            getattr(dut, f"di{name}").value = access.data
    await FallingEdge(dut.clk)
    met = beside = 0
    for name, access, other in (("a", a, b), ("b", b, a)):
        if access and name in READERS:
            writes = other.mask if other else 0
            wrong = writes if writes and other.row == access.row else 0
            assert int(getattr(dut, f"do{name}").value) == memory[access.row] ^ wrong
            met += wrong != 0
            beside += writes and wrong != ALL and other.address >> 4 == access.address >> 4
    for access in filter(None, (a, b)):
        memory[access.row] = memory[access.row] & ~access.mask | access.data & access.mask
    return met, beside


@cocotb.test()
async def the_ports_agree_with_a_model(dut):
    """First content, then random accesses of both ports to the same few rows, disabled ports and
    lanes among them. Two words of 9 bits share a row, but not an address: a load that meets the
    store to the word beside it, or lanes that are not enabled, reads what memory holds."""
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    rng, met, beside = random.Random(7), 0, 0
    assert START == 0 or any(memory)
    await FallingEdge(dut.clk)
    for step in range(1000):
        # Never two that write: both the same bits nobody defines.
        writer = rng.choice(["", WRITERS[0], WRITERS[-1]]) if step >= 20 else ""
        ports = (name == writer or rng.random() < 0.8 for name in "ab")
        a, b = (
            Access(rng, name == writer) if on else None
            for name, on in zip("ab", ports, strict=True)
        )
        found = await cycle(dut, a, b)
        met, beside = met + found[0], beside + bool(found[1])
    assert met > 20 and beside > 20
