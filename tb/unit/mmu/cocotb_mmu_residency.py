"""What may stay in the TLB: never what faulted, never two answers (scenarios g29, b12, b14, b15,
g32; mutant B13)."""

import random
from itertools import product

from drivers.lockstep import MmuBench, compare
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, range_operand, va_operand
from support.on import On
from unit.mmu.machine import GRANULES, Machine, leaf_levels, span, vas

RUNS = [On("mmu:vmsa48_nocache")]

KINDS = (Kind.READ, Kind.EXECUTE)
OLD, NEW = 0x0155_5000_0000, 0x02AA_A000_0000
OTHER = 0x7000_0000
ENTRIES = {Kind.READ: 16, Kind.EXECUTE: 8}


@bench_test(MmuBench)
async def a_fault_is_not_remembered(bench):
    """Scenario g29, B13 (VexRiscv #60): whatever faults because of an entry - invalid at any level,
    reserved, address size, access flag, bus error - works as soon as memory says so, with no
    invalidation in between."""
    for granule in GRANULES:
        for kind in KINDS:
            machine = Machine(granule)
            va = vas(granule)[0]
            machine.map(va, OLD)
            memory = machine.memory
            bench.use_memory(memory)
            bench.context(machine.registers)
            await bench.invalidate_all()
            for level in machine.lower.geometry.levels:
                slot = machine.lower.slot(va, level)
                good = memory.words[slot]
                bads = [0, good & ~1, good & ~2 if level in (0, 3) else good & ~3]
                if granule == 16:
                    bads.append(good | 1 << 13)
                if level == 3:
                    bads.append(good & ~AF)
                for bad in bads:
                    memory.words[slot] = bad
                    await bench.invalidate_all()
                    answer = await bench.check(Access(va, kind), f"level {level} {bad:#x}")
                    assert answer.fault
                    memory.words[slot] = good
                    answer = await bench.check(Access(va, kind), f"level {level} after {bad:#x}")
                    assert not answer.fault
                memory.errors = {slot}
                await bench.invalidate_all()
                assert (await bench.check(Access(va, kind), "bus error")).fault
                memory.errors = set()
                assert not (await bench.check(Access(va, kind), "after the bus error")).fault


@bench_test(MmuBench)
async def faults_beside_resident_entries(bench):
    """Scenario g29: the same with the TLB full of other pages, many times: no entry of a fault
    displaces or shadows anything."""
    machine = Machine(12)
    base = vas(12)[0]
    pages = [base + (n << 12) for n in range(15)]
    for n, va in enumerate(pages):
        machine.map(va, OLD + (n << 12))
    hole = base + (20 << 12)
    slot = machine.map(hole, NEW)
    good, machine.memory.words[slot] = machine.memory.words[slot], 0
    bench.use(machine)
    await bench.invalidate_all()
    for va in pages:
        await bench.check(Access(va))
    for _ in range(40):
        assert (await bench.check(Access(hole))).fault
    for va in pages:
        assert (await bench.check(Access(va))).cycles == 0, "a fault took the place of a page"
    machine.memory.words[slot] = good
    assert not (await bench.check(Access(hole))).fault


def blocks_over_pages(granule: int):
    """Levels of a block and of the leaf under it that replaces it, or that it replaces."""
    levels = leaf_levels(granule)
    return [(block, leaf) for block in levels[:-1] for leaf in levels if leaf > block]


def set_block(machine: Machine, va: int, level: int, pa: int) -> None:
    slot = machine.lower.slot(va, level)
    size = 1 << span(machine.granule, level)
    machine.memory.words[slot] = pa & -size | AF | NG | ap(1) | 1


@bench_test(MmuBench)
async def size_change_without_break_before_make(bench):
    """Scenario b15 (CVA6 #2952, Nyuzi #143, isa-manual #1991): a page is resident, its table
    becomes a block, and an access elsewhere in the block makes that resident too. An access that
    both cover gets the one or the other, never a blend; afterwards one invalidation removes both.
    The TLB is full: entries 1 and 2 match, then 1 and the first of the upper half, so that what
    blends their numbers answers with another page."""
    for granule in GRANULES:
        for block, leaf in blocks_over_pages(granule):
            for kind, between in product(KINDS, (False, True)):
                machine = Machine(granule)
                size = 1 << span(granule, block)
                va = vas(granule)[0] & -(1 << span(granule, leaf))
                elsewhere = va ^ size >> 1
                machine.map(va, OLD, leaf)
                others = [vas(granule)[1] + (n << granule) for n in range(ENTRIES[kind] - 2)]
                for n, other in enumerate(others):
                    machine.map(other, OTHER + (n << granule))
                bench.use(machine)
                await bench.invalidate_all()
                before = ENTRIES[kind] // 2 - 1 if between else 1
                await bench.check(Access(others[0], kind), "entry 0")
                page = await bench.check(Access(va, kind), "page")
                for other in others[1:before]:
                    await bench.check(Access(other, kind), "between")
                set_block(machine, va, block, NEW)
                await bench.check(Access(elsewhere, kind), "block")
                for other in others[before:]:
                    await bench.check(Access(other, kind), "behind")
                answer = await bench.translate(Access(va, kind))
                whole = bench.golden(Access(va, kind))
                assert not answer.fault or answer.status == 0x30, str(answer)
                if not answer.fault:
                    assert answer.pa in (page.pa, whole.pa), f"a blend: {answer}"
                await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(va, 1)))
                await bench.check(Access(va, kind), "after the invalidation")
                await bench.check(Access(elsewhere, kind), "after the invalidation")


@bench_test(MmuBench)
async def a_block_takes_the_place_of_its_page(bench):
    """A new entry that overlaps the one whose place it takes stays, and so do all others."""
    for kind, entries in ENTRIES.items():
        machine = Machine(12)
        va, elsewhere = vas(12)
        va &= -(1 << 21)
        machine.map(va, OLD)
        pages = [elsewhere + (n << 12) for n in range(entries - 1)]
        for n, page in enumerate(pages):
            machine.map(page, OLD + (1 + n << 12))
        bench.use(machine)
        await bench.invalidate_all()
        # Entries are taken in turn: the oldest is that of the page.
        for page in (va, *pages):
            await bench.check(Access(page, kind))
        set_block(machine, va, 2, NEW)
        block = Access(va + (1 << 20), kind)
        assert (await bench.check(block, "block")).cycles > 0
        for _ in range(3):
            assert (await bench.check(block, "block again")).cycles == 0, "the block is gone"
        for page in pages:
            assert (await bench.check(Access(page, kind))).cycles == 0, "another page is gone"


@bench_test(MmuBench)
async def mixed_sizes_in_one_range(bench):
    """Scenario b12 (NEMU #1175): stale pages and a block over the same addresses; an invalidation
    by VA of the block leaves none of those that it names, one by range none at all."""
    for granule in GRANULES:
        for block, leaf in blocks_over_pages(granule):
            for by_range in (False, True):
                machine = Machine(granule)
                page, size = 1 << span(granule, leaf), 1 << span(granule, block)
                base = vas(granule)[0] & -size
                pages = [base + n * page for n in (0, 1, 3)]
                for va in pages:
                    machine.map(va, OLD + va % size, leaf)
                bench.use(machine)
                await bench.invalidate_all()
                for va in pages:
                    await bench.check(Access(va), "page")
                set_block(machine, base, block, NEW)
                await bench.check(Access(base + size // 2), "block")
                if by_range:
                    granules = 4 * page >> granule
                    scale = next(s for s in range(4) if granules <= 64 << 5 * s)
                    num = max((granules >> 5 * scale + 1) - 1, 0)
                    operand = range_operand(base, granule, num, scale, asid=1)
                    await bench.invalidate(Invalidation(tlbi.Kind.RANGE, operand))
                else:
                    for va in pages:
                        await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(va, 1)))
                for va in (*pages, base + size // 2):
                    await bench.check(Access(va), f"by range: {by_range}")


@bench_test(MmuBench)
async def global_and_own_entry_of_one_address(bench):
    """Scenario b15 (isa-manual #1328, global and ASID mix), B4: a global entry of one address space
    and a private one of another for the same address; each ASID sees one of those that it may
    see, and a third ASID the global one alone."""
    machine = Machine(12)
    va = vas(12)[0]
    slot = machine.map(va, OLD, bits=AF | ap(1))
    bench.use_memory(machine.memory)
    one, two, three = (machine.with_asid(n) for n in (1, 2, 3))
    for order in ((one, two), (two, one)):
        await bench.invalidate_all()
        private = None
        for registers in order:
            bench.context(registers)
            bits = AF | ap(1) if registers is one else AF | ap(1) | NG
            machine.memory.words[slot] = (OLD if registers is one else NEW) | bits | 3
            private = await bench.translate(Access(va))
            assert private.pa in (OLD, NEW)
        for registers in (one, two, three):
            bench.context(registers)
            answer = await bench.translate(Access(va))
            both = order == (one, two) or registers is two
            allowed = (OLD, NEW) if both else (OLD,)
            assert not answer.fault and answer.pa in allowed, str(answer)
        await bench.invalidate(Invalidation(tlbi.Kind.VA_ALL_ASIDS, va_operand(va)))
        for registers in (one, two, three):
            bench.context(registers)
            await bench.check(Access(va), "after")


@bench_test(MmuBench)
async def private_entries_of_other_asids_do_not_hit(bench):
    """Spec 8.1: the same address in many address spaces at once."""
    machine = Machine(12)
    va = vas(12)[0]
    slot = machine.map(va, OLD)
    bench.use_memory(machine.memory)
    asids = (1, 2, 3, 0x101, 0x8001, 0xFFFF, 0)
    for hot in (False, True):
        for n, asid in enumerate(asids):
            machine.memory.words[slot] = OLD + (n << 30) | AF | NG | ap(1) | 3
            bench.context(machine.with_asid(asid))
            answer = await bench.check(Access(va), f"ASID {asid:#x}")
            assert (answer.cycles == 0) == hot


@bench_test(MmuBench)
async def more_pages_than_entries(bench):
    """Scenarios b14, g32: working sets below, at and above the capacity; all that fit hit, and
    nothing is ever wrong, whatever is replaced."""
    rng = random.Random(14)
    for kind, capacity in ENTRIES.items():
        for count in (1, capacity // 2, capacity, capacity + 1, 3 * capacity):
            machine = Machine(12)
            base = vas(12)[0]
            pages = [base + (n << 12) for n in range(count)]
            for va in pages:
                machine.map(va, OLD + (va & 0xFFF_F000))
            bench.use(machine)
            await bench.invalidate_all()
            for va in pages:
                assert (await bench.check(Access(va, kind))).cycles > 0
            hits = 0
            for _ in range(4 * count):
                hits += (await bench.check(Access(rng.choice(pages), kind))).cycles == 0
            if count <= capacity:
                assert hits == 4 * count, f"{count} pages, {capacity} entries: {hits} hits"
            else:
                assert 0 < hits < 4 * count


@bench_test(MmuBench)
async def freed_entries_are_used_first(bench):
    """Spec 8.2 allows to remove more, not to lose capacity: after invalidating half of a full TLB,
    the other half stays while new pages come in."""
    machine = Machine(12)
    base = vas(12)[0]
    pages = [base + (n << 12) for n in range(24)]
    for va in pages:
        machine.map(va, OLD + (va & 0xFFF_F000))
    bench.use(machine)
    await bench.invalidate_all()
    for va in pages[:16]:
        await bench.check(Access(va))
    for va in pages[:16:2]:
        await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(va, 1)))
    for va in pages[16:]:
        await bench.check(Access(va))
    for va in (*pages[1:16:2], *pages[16:]):
        assert (await bench.check(Access(va))).cycles == 0, "an entry was lost"


@bench_test(MmuBench)
async def permission_changes_need_an_invalidation_and_get_it(bench):
    """Scenario c18: a page becomes read-only: until the invalidation either answer, after it the
    new one, for the access that was resident and for the others."""
    for kind in (tlbi.Kind.VA, tlbi.Kind.RANGE, tlbi.Kind.ASID, tlbi.Kind.ALL):
        for last in (False, True):
            machine = Machine(12)
            va = vas(12)[0]
            slot = machine.map(va, OLD)
            bench.use(machine)
            await bench.invalidate_all()
            await bench.check(Access(va, Kind.WRITE))
            machine.memory.words[slot] |= ap(2)
            answer = await bench.translate(Access(va, Kind.WRITE))
            assert answer.pa == OLD or answer.status == 0x0F
            operand = range_operand(va, 12, 0, 0, asid=1) if kind.is_range else va_operand(va, 1)
            await bench.invalidate(Invalidation(kind, operand, last))
            for access in (Access(va, Kind.WRITE), Access(va), Access(va, Kind.ATOMIC)):
                compare(access, await bench.translate(access), bench.golden(access), kind.name)
