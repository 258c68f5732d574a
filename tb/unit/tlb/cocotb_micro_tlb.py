"""Entries of every size: what they answer, how long they stay, and that of several one answers."""

from drivers.address_space import USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import EXECUTE, READ, VA, VA_ALL, WRITE
from drivers.started import bench_test
from model.registers import HA, HD
from model.tables import AF, NG, ap
from support.on import On

RUNS = [On("mmu:vmsa48_nocache")]

ENTRIES = {READ: 16, EXECUTE: 8}
CLEAN = AF | ap(0b11) | 1 << 51  # read-only, may be made writable by a write


@bench_test(MmuDriver)
async def oldest_entry_goes_first(bench):
    """As many pages as there are entries stay, also beside accesses that fault; one more replaces
    the oldest. A free entry is used before any other is replaced."""
    space = AddressSpace(14, 28)
    for n in range(40):
        space.map(n << 14, (0x100 + n) << 14)
    bench.use(space)

    async def resident(n, kind):
        return (await bench.translate(n << 14, kind)).cycles == 0

    for kind, entries in ENTRIES.items():
        await bench.invalidate_all()
        for n in range(entries):
            assert not await resident(n, kind)
        for _ in range(2 * entries):
            assert (await bench.translate(50 << 14, kind)).fault
        for n in range(entries):
            assert await resident(n, kind), f"page {n} of {entries}"
        assert not await resident(39, kind)
        for n in range(1, entries):
            assert await resident(n, kind), f"page {n} went before the oldest"
        await bench.invalidate(VA, 5 << 2)
        assert not await resident(38, kind)
        for n in (*range(1, 5), *range(6, entries), 38, 39):
            assert await resident(n, kind), f"page {n} went although an entry was free"


@bench_test(MmuDriver)
async def global_and_private(bench):
    """Scenario a5, b15: a private entry answers its ASID only, a global one every ASID; where a
    global leaf replaced private ones without an invalidation, one of the two answers."""
    space = AddressSpace(12, 25)
    space.map(0x1000, 0xA000, bits=USER | NG)
    entry = space.map(0x2000, 0xB000, bits=USER | NG)
    bench.use(space)

    async def under(asid, va):
        bench.context(ttbr0=space.root | asid << 48)
        answer = await bench.translate(va)
        return answer.pa, answer.cycles == 0

    for hot in (False, True):
        for asid in (1, 2, 3, 0x101, 0x8001, 0xFFFF):
            assert await under(asid, 0x1000) == (0xA000, hot), f"ASID {asid:#x}"
    assert await under(1, 0x2000) == (0xB000, False)
    assert await under(2, 0x2000) == (0xB000, False)
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
    bench.context(ttbr0=space.root | 1 << 48, tcr=space.registers["tcr"] | 1 << 22)
    assert (await bench.translate(0x1000)).cycles > 0, "A1 = 1: the ASID is that of TTBR1"


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
        bench.use(space, tcr=space.registers["tcr"] | HA | HD)
        await bench.invalidate_all()
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
