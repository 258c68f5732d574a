"""Walks that start again, with a walk cache: after a lost compare-and-swap with all that was taken
from the registers when the walk was accepted, and from its own tables; after an invalidation from
none that it covered."""

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import AF, USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import ALL
from drivers.started import bench_test
from model.registers import HA
from support.on import On
from support.parts import until

RUNS = [On("mmu:vmsa48")]

SOFTWARE_BIT = 1 << 55


@cocotb.test()
async def a_walk_that_starts_again_keeps_its_asid(dut):
    """The ASID changes to that of a task whose table for the address is remembered, while the walk
    starts again, and back before it ends. It must not go on in the table of the other task."""
    bench = await MmuDriver.start(dut)
    bench.walk.latency = 6
    mine = AddressSpace(12, 25, asid=1)
    other = AddressSpace(12, 25, asid=2, root=0x5000_0000)
    va, beside = 7 << 12, 8 << 12
    entry = mine.map(va, 0x0600_0000, bits=USER & ~AF)
    other.map(va, 0x0700_0000)
    other.map(beside, 0x0701_0000)
    tcr = mine.registers["tcr"] | HA
    valid, swap = dut.io_walk_cmd_valid, dut.io_walk_cmd_payload_swap
    lost = 0
    for cycles in range(1, 16):
        bench.memory.words = mine.words | other.words
        await bench.invalidate(ALL)
        bench.context(**other.registers | {"tcr": tcr})
        assert (await bench.translate(beside)).pa == 0x0701_0000
        bench.context(**mine.registers | {"tcr": tcr})
        access = cocotb.start_soon(bench.translate(va))
        await until(dut, lambda: valid.value and swap.value, "the swap")
        bench.memory.words[entry] |= SOFTWARE_BIT
        bench.context(ttbr0=other.registers["ttbr0"])
        for _ in range(cycles):
            await RisingEdge(dut.clk)
        bench.context(ttbr0=mine.registers["ttbr0"])
        answer = await access
        lost += int(bench.memory.words[entry] & (SOFTWARE_BIT | AF) == SOFTWARE_BIT | AF)
        assert answer.pa == 0x0600_0000, f"{cycles} cycles: {answer.pa:#x}"
        assert (await bench.translate(va)).pa == 0x0600_0000, f"{cycles} cycles, afterwards"
    assert lost == 15, "no swap was lost and tried again"


@bench_test(MmuDriver)
async def a_killed_walk_remembers_no_table(bench):
    """The tables move while the walk offers a read of the second or third, and the invalidation is
    over before the read is taken. The walk may not remember the table that it offered to read."""
    bench.walk.holds = 60
    before = AddressSpace(12, 25, asid=1)
    after = AddressSpace(12, 25, asid=1, root=0x5000_0000)
    va = 7 << 12
    before.map(va, 0x0600_0000)
    after.map(va, 0x0700_0000)
    root = before.registers["ttbr0"] & (1 << 48) - 1
    bench.context(**before.registers)
    reads, valid = bench.walk.reads, bench.dut.io_walk_cmd_valid
    for read in (1, 2):
        bench.memory.words = before.words | after.words
        await bench.invalidate(ALL)
        reads.clear()
        access = cocotb.start_soon(bench.translate(va))
        await until(bench.dut, lambda n=read: len(reads) == n and valid.value, "the next read")
        bench.memory.words[root] = after.words[0x5000_0000]
        await bench.invalidate(ALL)
        assert len(reads) == read, "the read was taken before the invalidation was over"
        answer = await access
        assert answer.pa == 0x0700_0000, f"read {read}: {answer.pa:#x}"
        assert (await bench.translate(va)).pa == 0x0700_0000, f"read {read}, afterwards"


async def counted(dut, work) -> dict[str, int]:
    """How often the MMU has told the counters of these while `work` was done."""
    names = ("walk", "cachedLast", "walkSingle")
    events = {name: getattr(dut, f"io_events_{name}") for name in names}
    counts = dict.fromkeys(events, 0)

    async def watch():
        while True:
            await FallingEdge(dut.clk)
            for name, event in events.items():
                counts[name] += int(event.value)

    watcher = cocotb.start_soon(watch())
    await work
    watcher.cancel()
    return counts


@cocotb.test()
async def a_walk_that_starts_again_is_counted_once(dut):
    """A walk that lost its compare-and-swap has begun once, and has read more than one descriptor;
    one that ends before any read has begun nowhere."""
    bench = await MmuDriver.start(dut)
    bench.walk.latency = 6
    space = AddressSpace(12, 25, asid=1)
    va, beside = 7 << 12, 8 << 12
    entry = space.map(va, 0x0600_0000, bits=USER & ~AF)
    space.map(beside, 0x0601_0000)
    unused = 9 << 12 | 1 << 50  # in the same table, but for its high bits
    bench.memory.words = space.words
    bench.context(**space.registers | {"tcr": space.registers["tcr"] | HA})
    await bench.translate(beside)
    valid, swap = dut.io_walk_cmd_valid, dut.io_walk_cmd_payload_swap

    async def lose():
        access = cocotb.start_soon(bench.translate(va))
        await until(dut, lambda: valid.value and swap.value, "the swap")
        bench.memory.words[entry] |= SOFTWARE_BIT
        assert (await access).pa == 0x0600_0000

    once = {"walk": 1, "cachedLast": 1, "walkSingle": 0}
    assert await counted(dut, lose()) == once

    async def fault():
        assert (await bench.translate(unused)).fault

    assert await counted(dut, fault()) == {"walk": 1, "cachedLast": 0, "walkSingle": 0}
