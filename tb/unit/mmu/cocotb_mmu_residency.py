"""What may stay in the TLB: never what faulted, never two answers (scenarios g29, b12, b15; mutant
B13)."""

from itertools import product

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, range_operand, va_operand
from support.on import On
from unit.mmu.machine import GRANULES, Machine, leaf_levels, span, vas

RUNS = [On("mmu:vmsa48_nocache")]

OLD, NEW, OTHER = 0x0155_5000_0000, 0x02AA_A000_0000, 0x7000_0000
ENTRIES = {Kind.READ: 16, Kind.EXECUTE: 8}


@bench_test(MmuBench)
async def a_fault_is_not_remembered(bench):
    """Scenario g29, B13 (VexRiscv #60): whatever faults because of an entry - invalid at any level,
    reserved, address size, access flag, bus error - works as soon as memory says so, with no
    invalidation in between."""
    for granule, kind in product(GRANULES, ENTRIES):
        machine = Machine(granule)
        access = Access(vas(granule)[0], kind)
        machine.map(access.va, OLD)
        memory = machine.memory
        bench.use(machine)
        for level in machine.lower.geometry.levels:
            slot = machine.lower.slot(access.va, level)
            good = memory.words[slot]
            bads = [0, good & ~1, good & ~2 if level in (0, 3) else good & ~3]
            bads += [good | 1 << 13] * (granule == 16) + [good & ~AF] * (level == 3)
            for bad in (*bads, None):  # None: a bus error
                memory.words[slot] = good if bad is None else bad
                memory.errors = {slot} if bad is None else set()
                await bench.invalidate_all()
                assert (await bench.check(access, f"level {level} {bad}")).fault
                memory.words[slot], memory.errors = good, set()
                assert not (await bench.check(access, f"level {level} after {bad}")).fault


def set_block(machine: Machine, va: int, level: int, pa: int) -> None:
    slot = machine.lower.slot(va, level)
    size = 1 << span(machine.granule, level)
    machine.memory.words[slot] = pa & -size | AF | NG | ap(1) | 1


@bench_test(MmuBench)
async def size_change_without_break_before_make(bench):
    """Scenarios b12, b15 (CVA6 #2952, Nyuzi #143, isa-manual #1991): a page is resident, its table
    becomes a block, and an access elsewhere in the block makes that resident too. An access that
    both cover gets the one or the other, never a blend; afterwards one invalidation, by VA or by
    range, removes both. The TLB is full: entries 1 and 2 match, then 1 and the first of the upper
    half, so that what blends their numbers answers with another page."""
    for granule in GRANULES:
        levels = leaf_levels(granule)
        shapes = [(block, leaf) for block in levels[:-1] for leaf in levels if leaf > block]
        for (block, leaf), kind, between in product(shapes, ENTRIES, (False, True)):
            machine = Machine(granule)
            va = vas(granule)[0] & -(1 << span(granule, leaf))
            elsewhere = va ^ 1 << span(granule, block) - 1
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
            op = (
                Invalidation(tlbi.Kind.RANGE, range_operand(va, granule, 0, 0, asid=1))
                if between
                else Invalidation(tlbi.Kind.VA, va_operand(va, 1))
            )
            await bench.invalidate(op)
            for gone in (va, elsewhere):
                await bench.check(Access(gone, kind), "after the invalidation")
