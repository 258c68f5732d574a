"""The timer as software sees it: mtimecmp and mtime of a CLINT behind APB3."""

import random

import cocotb
from cocotb.triggers import FallingEdge

from support.apb import Apb
from support.on import On
from support.parts import settle

RUNS = [On("simsoc:teaching", part="Timer")]

MTIMECMP, MTIME = 0x4000, 0xBFF8
NEVER = (1 << 64) - 1


def time(dut) -> int:
    return int(dut.io_time.value)


async def set_time(dut, value: int) -> None:
    """To the cycle; 2^32 of them are too many for a test."""
    await FallingEdge(dut.clk)
    dut.clint_time.value = value
    await settle()
    assert time(dut) == value


@cocotb.test()
async def time_is_written_as_two_words(dut):
    """Each word alone, and time goes on from there; also from a low word that overflows."""
    apb = await Apb.start(dut)
    draw = random.Random(5)
    for _ in range(50):
        low, high = draw.getrandbits(30), draw.getrandbits(32)
        await apb.write(MTIME, low)
        await apb.write(MTIME + 4, high)
        await FallingEdge(dut.clk)
        assert time(dut) >> 32 == high
        assert low < time(dut) & 0xFFFF_FFFF < low + 20
        before = time(dut)
        assert before < await apb.read64(MTIME) < before + 20
    await apb.write(MTIME, 0xFFFF_FFFF)
    for _ in range(5):
        await FallingEdge(dut.clk)
    assert time(dut) >> 32 == high + 1 & 0xFFFF_FFFF
    assert time(dut) & 0xFFFF_FFFF < 20


@cocotb.test()
async def a_write_of_time_is_a_deadline_that_comes_or_goes(dut):
    """The interrupt compares with what was written, 64 bits without a sign."""
    apb = await Apb.start(dut)
    for deadline in (1 << 20, 1 << 31, 1 << 40, 1 << 63, NEVER - (1 << 20)):
        await apb.write64(MTIMECMP, deadline)
        for now in (deadline - 1000, deadline, deadline - 2000, deadline + 1000):
            await apb.write(MTIME, 0)
            await apb.write(MTIME + 4, now >> 32)
            await apb.write(MTIME, now & 0xFFFF_FFFF)
            for _ in range(3):
                await FallingEdge(dut.clk)
            assert int(dut.io_timerInterrupt.value) == (now >= deadline), (now, deadline)


@cocotb.test()
async def the_interrupt_comes_with_its_cycle_and_stays(dut):
    """Until software puts mtimecmp into the future again, also from one high word to the next."""
    apb = await Apb.start(dut)
    for ahead in (60, 75, 100, None):
        if ahead is None:
            await set_time(dut, (1 << 32) - 50)
        at = 1 << 32 if ahead is None else time(dut) + ahead
        await apb.write64(MTIMECMP, at)
        assert await apb.read64(MTIMECMP) == at
        await FallingEdge(dut.clk)
        came = None
        for _ in range(at + 20 - time(dut)):
            pending = bool(dut.io_timerInterrupt.value)
            came = came or (time(dut) if pending else None)
            assert pending == (came is not None), "the interrupt went by itself"
            await FallingEdge(dut.clk)
        assert came in (at, at + 1)
        await apb.write64(MTIMECMP, NEVER)
        for _ in range(2):
            await FallingEdge(dut.clk)
        assert not int(dut.io_timerInterrupt.value)


@cocotb.test()
async def nothing_is_pending_before_software_asks(dut):
    apb = await Apb.start(dut)
    assert await apb.read64(MTIMECMP) == NEVER
    for _ in range(50):
        await FallingEdge(dut.clk)
        assert not int(dut.io_timerInterrupt.value)
        assert not int(dut.io_softwareInterrupt.value)
