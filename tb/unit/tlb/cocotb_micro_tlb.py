"""Entries of every size: what they answer, how long they stay, and that of several one answers."""

import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import ALL, ASID, EXECUTE, RANGE, READ, VA, VA_ALL, WRITE
from drivers.started import bench_test
from model.registers import HA, HD
from model.tables import AF, NG, ap
from support.on import On

RUNS = [On("mmu:vmsa48_nocache")]

ENTRIES = {READ: 16, EXECUTE: 8}
LEAVES = {12: (1, 2, 3), 14: (2, 3), 16: (2, 3)}
CLEAN = AF | ap(0b11) | 1 << 51  # read-only, may be made writable by a write


async def start(dut, space: AddressSpace) -> MmuDriver:
    bench = await MmuDriver.start(dut)
    bench.memory.words = space.words
    bench.context(**space.registers)
    return bench


@cocotb.test()
async def a_hit_costs_nothing(dut):
    """One translation a cycle, without a pause, as long as the TLB hits; the same number of cycles
    as untranslated accesses take."""
    space = AddressSpace(12, 25)
    for n in range(16):
        space.map(n << 12, (0x800 + n) << 12)
    bench = await start(dut, space)
    for n in range(16):
        await bench.translate(n << 12)
    draw = random.Random(2)
    accesses = [(draw.randrange(16), draw.random() < 0.5) for _ in range(300)]
    dut.io_data_ahead_valid.value = 1
    dut.io_data_ahead_payload.value = accesses[0][0] << 12 | 0x123
    await RisingEdge(dut.clk)
    dut.io_data_cmd_valid.value = 1
    for (page, untranslated), (following, _) in zip(accesses, [*accesses[1:], (0, 0)], strict=True):
        dut.io_data_ahead_payload.value = following << 12 | 0x123
        dut.io_data_cmd_payload_va.value = page << 12 | 0x123
        dut.io_data_cmd_payload_untranslated.value = int(untranslated)
        await FallingEdge(dut.clk)
        assert int(dut.io_data_cmd_ready.value) == 1
        assert not int(dut.io_data_rsp_fault.value)
        frame = page if untranslated else 0x800 + page
        assert int(dut.io_data_rsp_pa.value) == frame << 12 | 0x123
        await RisingEdge(dut.clk)


@bench_test(MmuDriver)
async def every_size_covers_its_span(bench):
    """Scenario b11, b13: an entry of each size answers from the first to the last byte of what its
    leaf maps, wherever it was first touched, and not one byte beyond."""
    draw = random.Random(3)
    for granule, levels in LEAVES.items():
        for level in levels:
            space = AddressSpace(granule, 16)
            span = 1 << space.tables.geometry.lsb(level)
            va, pa = 5 * span, 9 * span
            space.map(va, pa, level)
            bench.memory.words = space.words
            bench.context(**space.registers)
            for kind in (READ, EXECUTE):
                await bench.invalidate(ALL)
                assert not (await bench.translate(va + draw.randrange(span), kind)).fault
                bench.walk.reads.clear()
                for offset in (0, span // 2, span - 1, *(draw.randrange(span) for _ in range(6))):
                    answer = await bench.translate(va + offset, kind)
                    assert (answer.fault, answer.pa, answer.cycles) == (False, pa + offset, 0)
                assert bench.walk.reads == []
                for outside in (va - 1, va + span):
                    assert (await bench.translate(outside, kind)).fault, f"{outside:#x}"


@cocotb.test()
async def oldest_entry_goes_first(dut):
    """As many pages as there are entries stay; one more replaces the oldest. A free entry is used
    before any other is replaced."""
    space = AddressSpace(14, 28)
    for n in range(40):
        space.map(n << 14, (0x100 + n) << 14)
    bench = await start(dut, space)

    async def resident(n, kind):
        return (await bench.translate(n << 14, kind)).cycles == 0

    for kind, entries in ENTRIES.items():
        await bench.invalidate(ALL)
        for n in range(entries):
            assert not await resident(n, kind)
        for n in range(entries):
            assert await resident(n, kind), f"page {n} of {entries}"
        assert not await resident(39, kind)
        for n in range(1, entries):
            assert await resident(n, kind), f"page {n} went before the oldest"
        await bench.invalidate(VA, 5 << 2)
        assert not await resident(38, kind)
        for n in (*range(1, 5), *range(6, entries), 38, 39):
            assert await resident(n, kind), f"page {n} went although an entry was free"


@cocotb.test()
async def every_slot_by_its_own_invalidation(dut):
    """Scenario 36 (microwatt: the wrong ways are compared): fill all slots, invalidate one, and
    exactly that one is gone, for each slot of both TLBs."""
    space = AddressSpace(12, 25)
    for n in range(16):
        space.map(n << 12, (0x800 + n) << 12)
    bench = await start(dut, space)
    for kind, entries in ENTRIES.items():
        await bench.invalidate(ALL)
        for victim in range(entries):
            for n in range(entries):
                await bench.translate(n << 12, kind)
            await bench.invalidate(VA, victim)
            gone = [n for n in range(entries) if (await bench.translate(n << 12, kind)).cycles]
            assert gone == [victim]


@cocotb.test()
async def all_kinds_take_the_same_cycles(dut):
    """An invalidation of any kind, a range of 2^21 pages included, TLBs empty or full, is complete
    after the same number of cycles."""
    space = AddressSpace(12, 25)
    for n in range(16):
        space.map(n << 12, (0x800 + n) << 12)
    bench = await start(dut, space)
    largest_range = 1 << 46 | 3 << 44 | 31 << 39
    commands = [(ALL, 0), (ASID, 0), (VA, 3), (VA_ALL, 3), (RANGE, 1 << 46), (RANGE, largest_range)]
    taken = set()
    for kind, operand in commands:
        for full in (False, True):
            for n in range(16 if full else 0):
                await bench.translate(n << 12)
            taken.add(await bench.invalidate(kind, operand))
    assert taken == {16 + 3}, taken


@cocotb.test()
async def global_and_private(dut):
    """Scenario a5, b15: a private entry answers its ASID only, a global one every ASID; where a
    global leaf replaced private ones without an invalidation, one of the two answers."""
    space = AddressSpace(12, 25)
    space.map(0x1000, 0xA000, bits=USER | NG)
    entry = space.map(0x2000, 0xB000, bits=USER | NG)
    bench = await start(dut, space)

    async def under(asid, va):
        bench.context(ttbr0=space.root | asid << 48)
        answer = await bench.translate(va)
        return answer.pa, answer.cycles == 0

    assert await under(1, 0x2000) == (0xB000, False)
    assert await under(2, 0x2000) == (0xB000, False)
    assert await under(1, 0x2000) == (0xB000, True)
    bench.memory.words[entry] = 0xC000 | USER | 3  # now global
    assert await under(3, 0x2000) == (0xC000, False)
    for asid in (3, 4):
        assert await under(asid, 0x2000) == (0xC000, True)
    for asid in (1, 2):
        assert await under(asid, 0x2000) in [(0xB000, True), (0xC000, True)]
    await bench.invalidate(VA_ALL, 2)
    assert await under(2, 0x2000) == (0xC000, False)
    for asid in (1, 2, 3, 4):
        assert await under(asid, 0x2000) == (0xC000, True)
    assert await under(1, 0x1000) == (0xA000, False)
    bench.context(ttbr0=space.root | 1 << 48, tcr=space.registers["tcr"] | 1 << 22)
    assert (await bench.translate(0x1000)).cycles > 0, "A1 = 1: the ASID is that of TTBR1"


@bench_test(MmuDriver)
async def a_block_beside_the_pages_below_it(bench):
    """Scenario b15: pages become a block without break-before-make. Where the entries of both
    match, one of them answers; an invalidation of the page removes both, and the others stay."""
    for granule in LEAVES:
        space = AddressSpace(granule, 22)
        block = 1 << space.tables.geometry.lsb(2)
        base = 3 * block
        pages = [base + (n << granule) for n in (0, 1, 5, 7)]
        beside = [base - (1 << granule), base + block]
        for n, va in enumerate((*pages, *beside)):
            space.map(va, (0x40 + n) << granule)
        bench.memory.words = space.words
        bench.context(**space.registers)
        await bench.invalidate(ALL)
        for va in (*pages, *beside):
            await bench.translate(va)
        space.words[space.tables.slot(base, 2)] = 8 * block | USER | 1
        touched = base + (9 << granule)
        assert (await bench.translate(touched)).pa == 8 * block + touched - base
        for n, va in enumerate(pages):
            answer = await bench.translate(va)
            assert answer.pa in ((0x40 + n) << granule, 8 * block + va - base), answer
            assert answer.cycles == 0
            await bench.invalidate(VA, va >> 12)
            answer = await bench.translate(va)
            assert answer.pa == 8 * block + va - base
            assert answer.cycles > 0, "the block is still there"
        for n, va in enumerate(beside):
            answer = await bench.translate(va)
            assert (answer.pa, answer.cycles) == ((0x44 + n) << granule, 0)


@bench_test(MmuDriver)
async def a_dirty_entry_takes_the_place_of_a_clean_one(bench):
    """A write to a writable-clean page: the clean entry goes and the dirty one answers, whether it
    takes the place of the clean one (the oldest) or that of another."""
    for clean, oldest in ((0, 0), (5, 1)):  # the first round replaces entry 0
        space = AddressSpace(12, 25)
        slots = [
            space.map(n << 12, (0x800 + n) << 12, bits=CLEAN if n == clean else USER)
            for n in range(17)
        ]
        bench.memory.words = space.words
        bench.context(**space.registers | {"tcr": space.registers["tcr"] | HA | HD})
        await bench.invalidate(ALL)
        for n in range(16):
            await bench.translate(n << 12)
        assert (await bench.translate(clean << 12)).cycles == 0
        bench.walk.reads.clear()
        bench.walk.swaps.clear()
        assert not (await bench.translate(clean << 12, WRITE)).fault
        assert len(bench.walk.reads) == 3, "not one walk of three levels"
        assert len(bench.walk.swaps) == 1
        assert not space.words[slots[clean]] & 1 << 7, "the page is not marked dirty"
        for access in (WRITE, READ, WRITE):
            answer = await bench.translate(clean << 12, access)
            assert (answer.fault, answer.pa) == (False, (0x800 + clean) << 12)
            assert answer.cycles == 0, "the dirty entry does not answer"
        # The oldest entry made room for the dirty one, and the clean one left its own.
        if clean != oldest:
            assert (await bench.translate(16 << 12)).cycles > 0
        for n in set(range(16)) - {clean, oldest}:
            assert (await bench.translate(n << 12)).cycles == 0, f"page {n} is gone"
