"""SYSINFO: what is built and how large the memories are; read only."""

import os

import cocotb

from drivers.started import bench_test
from support.apb import Apb
from support.on import On

RUNS = [
    On("simsoc:teaching", part="Sysinfo"),
    On("simsoc:wide", part="Sysinfo", rare=True),
]

MAGIC, VERSION, LOWMEM, HIGHMEM, CLOCK, FLAGS, NAME = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x20
NAME_BYTES = 16
REGISTERS = {MAGIC, VERSION, LOWMEM, HIGHMEM, CLOCK, FLAGS, *range(NAME, NAME + NAME_BYTES, 4)}


async def sysinfo(dut, lowmem=0, highmem=0) -> Apb:
    return await Apb.start(dut, io_lowmemBytes=lowmem, io_highmemBytes=highmem)


async def text(apb, at: int, size: int) -> bytes:
    return b"".join([(await apb.read(at + n)).to_bytes(4, "little") for n in range(0, size, 4)])


@bench_test(sysinfo)
async def names(apb):
    assert await text(apb, MAGIC, 4) == b"GRNL"
    assert await apb.read(VERSION) == 1
    assert (await text(apb, NAME, NAME_BYTES)).rstrip(b"\0") == os.environb[b"GRANULE_CONFIG"]


@cocotb.test()
async def sizes_are_those_at_the_pins(dut):
    for lowmem, highmem in ((1 << 20, 0), (0x1234_5678, 0x9ABC_DEF0), (0, 0xFFFF_FFFF)):
        apb = await sysinfo(dut, lowmem, highmem)
        assert (await apb.read(LOWMEM), await apb.read(HIGHMEM)) == (lowmem, highmem)


@bench_test(sysinfo)
async def clock_and_simulation(apb):
    assert await apb.read(CLOCK) == 25_000_000
    assert await apb.read(FLAGS) == 1  # what is built here runs in a simulator


@cocotb.test()
async def nothing_can_be_written(dut):
    apb = await sysinfo(dut, 0x11, 0x22)
    before = {at: await apb.read(at) for at in REGISTERS}
    for at in REGISTERS:
        await apb.access(at, 0xFFFF_FFFF)
        await apb.access(at, 0)
    assert {at: await apb.read(at) for at in REGISTERS} == before


@bench_test(sysinfo)
async def a_read_without_a_register_is_an_error(apb):
    """A write there is not."""
    for at in range(0, 0x80, 4):
        _, error, _ = await apb.access(at)
        assert error == (at not in REGISTERS), f"{at:#x}"
        _, error, _ = await apb.access(at, 0)
        assert not error, f"{at:#x}"
