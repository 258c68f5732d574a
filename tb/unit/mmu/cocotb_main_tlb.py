"""The TLB behind the micro TLBs: what it finds and how fast, what goes with an invalidation, and
what stays."""

import itertools
import random

from drivers.lockstep import MmuBench, compare
from drivers.ports import AddressTranslateSide
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.registers import HA, HD
from model.tables import AF, DBM, NG, READ_ONLY, ap
from model.tlbi import Entry, must_go
from support import parts
from support.configurations import MAIN_HIT_CYCLES
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import GRANULES, LEAVES, M64, Machine, adjacent, asked, operation, span, vas

RUNS = [On("mmu:vmsa48_main")]

ENTRIES = 256
MICRO = 16  # of the data port
LOOKUP = 2  # cycles that a walk is later than without a main TLB


@bench_test(MmuBench)
async def every_address_bit_counts(bench):
    """Pages and blocks of every granule, in both halves. An address that differs in one bit above
    the size of an entry is another one, and nothing is there; the entry's own is found without a
    read."""
    for (granule, level), half in itertools.product(LEAVES, (0, 1)):
        (one,) = adjacent(bench, 1, granule, level, half=half)
        await bench.invalidate_all()
        await bench.check(one)
        for bit in range(span(granule, level), 47):
            other = Access(one.va ^ 1 << bit, Kind.EXECUTE)
            assert (await bench.check(other)).fault, f"{granule} {level} {other}"
        answer, read = await asked(bench, Access(one.va, Kind.EXECUTE))
        assert (answer.cycles, read) == (MAIN_HIT_CYCLES, 0), f"{granule} {level} {one}"


@bench_test(MmuBench)
async def every_bit_of_an_asid_counts(bench):
    """Pages and blocks of every granule: a private one is found for its own ASID, and not for one
    that differs in one bit; a global one is found for both."""
    for (granule, level), private, bit in itertools.product(LEAVES, (NG, 0), range(16)):
        machine, access = Machine(granule), Access(vas(granule)[0])
        machine.map(access.va, 1 << 40, level, bits=AF | ap(1) | private)
        bench.use(machine)
        await bench.invalidate_all()
        await bench.check(access)
        bench.context(machine.with_asid(1 ^ 1 << bit))
        answer, read = await asked(bench, Access(access.va, Kind.EXECUTE))
        found = (answer.cycles, read) == (MAIN_HIT_CYCLES, 0)
        assert found == (not private), f"{granule} {level} {private:#x} {bit}: {read} reads"


@bench_test(MmuBench)
async def a_walk_is_two_cycles_later_than_without(bench):
    """A miss of both: k (N + 1) + 6 cycles."""
    for latency in (1, 2, 5):
        first, second = adjacent(bench, 2)
        bench.walk.latency = latency
        await bench.invalidate_all()
        answer, read = await asked(bench, first)
        assert answer.cycles == read * (latency + 1) + 4 + LOOKUP and read == 4
        answer, read = await asked(bench, second)
        assert answer.cycles == latency + 5 + LOOKUP and read == 1


@bench_test(MmuBench)
async def the_oldest_entry_gives_its_place(bench):
    """After more pages than the micro TLB has entries, it has the last ones: those that were walked
    to, and those that the main TLB had. A walk that ends in a fault costs none."""
    pages = adjacent(bench, MICRO + 8)
    nothing = Access(pages[-1].va + (1 << 30) & M64)
    await bench.invalidate_all()
    for turn in range(3):
        for access in pages:
            answer, read = await asked(bench, access)
            assert (answer.cycles > 0, bool(read)) == (True, turn == 0), f"{turn} {access}"
        for access in pages[-MICRO:]:
            assert (await bench.check(access)).cycles == 0, f"{turn} {access}"
    assert (await bench.check(nothing)).fault
    for access in pages[-MICRO:]:
        assert (await bench.check(access)).cycles == 0, access


@bench_test(MmuBench)
async def old_translations_do_not_answer(bench):
    """All tables change, then a command covers some of the pages: from `done` on these answer anew,
    whether the sweep has come to them or not, the others as before. The page that the command names
    is asked for first or, when the sweep is over, last."""
    rng = random.Random(run_seed())
    for granule in GRANULES:
        size = span(granule, 3)
        for kind, first in itertools.product(range(4), (True, False, False)):
            pages = adjacent(bench, 128, granule)
            await bench.invalidate_all()
            old = {access.va: (await bench.check(access)).pa for access in pages}
            machine = Machine(granule)
            for n, access in enumerate(pages):
                machine.map(access.va, (n << size) + (1 << 40), 3)
            bench.use_memory(machine.memory)
            rng.shuffle(pages)
            victim, num, scale = pages[-1].va, rng.randrange(32), rng.randrange(2)
            op = (
                operation(tlbi.Kind.VA, victim),
                operation(tlbi.Kind.RANGE, victim, granule, num=num, scale=scale),
                operation(tlbi.Kind.ASID),
                operation(tlbi.Kind.ASID, asid=2),
            )[kind]
            await bench.invalidate(op)
            await bench.step(rng.choice((0, 0, 3, 10, 40)))
            for access in pages[:-33:-1] if first else pages[-32:]:
                gone = must_go(op, Entry(access.va, size, granule, 3, 1, True))
                answer = await bench.translate(Access(access.va, Kind.EXECUTE))
                fresh = bench.golden(access).pa
                allowed = {fresh} if gone else {fresh, old[access.va]}
                assert answer.pa in allowed, f"{op} {access}: {answer.pa:#x}"


@bench_test(MmuBench)
async def an_invalidation_overtakes_a_lookup(bench):
    """A page that the main TLB has moves while it is looked up. Whenever the command comes, what is
    answered after `done` is the new place, and an access from then on has it."""
    va, old, new = vas(12)[0], 1 << 40, 3 << 40
    late = 0
    for offset in range(MAIN_HIT_CYCLES + 3):
        machine, moved = Machine(12), Machine(12)
        machine.map(va, old)
        moved.map(va, new)
        bench.use(machine)
        await bench.invalidate_all()
        await bench.check(Access(va))
        bench.request(Access(va, Kind.EXECUTE))
        await bench.step(offset)
        bench.use_memory(moved.memory)
        bench.inv.request(operation(tlbi.Kind.VA, va), bench.cycle)
        await bench.until(lambda: not (bench.inv.busy or bench.fetch.busy), "both")
        answer = bench.fetch.answer
        if answer.fired > bench.inv.done:
            late += 1
            assert answer.pa == new, f"{offset}: {answer}"
        assert (await bench.translate(Access(va, Kind.EXECUTE))).pa == new, offset
    assert 0 < late < MAIN_HIT_CYCLES + 3, f"{late} lookups were overtaken"


@bench_test(MmuBench)
async def an_at_operation_always_walks(bench):
    """Right behind a lookup that was answered: it has its own page, and reads its descriptor."""
    at = AddressTranslateSide(bench.dut)
    one, other = adjacent(bench, 2)
    await bench.invalidate_all()
    for access in (one, other):
        await bench.check(access)
    answer, read = await asked(bench, Access(one.va, Kind.EXECUTE))
    assert (answer.cycles, read) == (MAIN_HIT_CYCLES, 0)
    at.request(Access(other.va, Kind.AT_READ))
    while at.busy:
        await bench.step()
        at.edge()
    assert at.par & 0xF_FFFF_FFFF_F001 == bench.golden(other).pa & -4096
    assert len(bench.walk.reads) == 1


@bench_test(MmuBench)
async def a_block_goes_by_any_of_its_addresses(bench):
    """A block moves, and a command names another of its pages than is accessed next: it answers
    anew from `done` on. A command for the other half leaves it."""
    blocks = [leaf for leaf in LEAVES if leaf[1] < 3]
    for (granule, level), covered in itertools.product(blocks, (True, False)):
        size = span(granule, level)
        machine, moved = Machine(granule), Machine(granule)
        here, there = (va & -(1 << size) for va in vas(granule))
        machine.map(here, 0, level)
        moved.map(here, 1 << size, level)
        bench.use(machine)
        await bench.invalidate_all()
        await bench.check(Access(here))
        bench.use_memory(moved.memory)
        named = (here if covered else there) + (3 << granule)
        await bench.invalidate(operation(tlbi.Kind.VA, named))
        answer = await bench.translate(Access(here, Kind.EXECUTE))
        assert answer.pa == (1 << size if covered else 0), f"{granule} {level} {covered}"


@bench_test(MmuBench)
async def pages_move_while_others_come_and_go(bench):
    """Three times as many pages as entries, in random order on both ports, with short walks. Now
    and then some of them move, and a command covers them: every answer is the right one from `done`
    on, beside the sweep and after it."""
    rng = random.Random(run_seed())
    machine = Machine(12, t0sz=34, flags=HA | HD)
    base = vas(12, 34)[0] & -(1 << 24)
    pages = [base + (n << 12) for n in range(3 * ENTRIES)]
    bits = AF | NG | ap(3) | DBM

    def move(va: int) -> None:
        machine.map(va, rng.randrange(1 << 20) << 12, bits=bits)

    for va in pages:
        move(va)
    bench.use(machine)
    near = pages[:40]
    for _ in range(2500):
        if rng.random() < 0.1:
            first = rng.choice(near + pages)
            if rng.random() < 0.5:
                move(first)
                op = operation(tlbi.Kind.VA, first, last_level=True)
            else:
                count = rng.randrange(4)
                for va in range(first, first + (2 * count + 2 << 12), 4096):
                    if va in pages:
                        move(va)
                op = operation(tlbi.Kind.RANGE, first, num=count, last_level=True)
            await bench.invalidate(op)
        kind = rng.choice((Kind.READ, Kind.READ, Kind.WRITE, Kind.EXECUTE))
        va = rng.choice((rng.choice(near), rng.choice(pages)))
        access = Access(va, kind, el=1)
        answer = await bench.translate(access)
        if kind is Kind.WRITE:  # seen before the golden model is asked: that one marks it too
            slot = machine.tables(va).slot(va, 3)
            assert not machine.memory.words[slot] & READ_ONLY, f"{va:#x} was written and is clean"
        compare(access, answer, bench.golden(access))


@bench_test(MmuBench)
async def nothing_of_before_a_reset_answers(bench):
    """Reset with all sets full, and other tables after it: what was there before does not answer,
    neither while the places are cleared nor afterwards, and what is installed then is kept."""
    for wait in (0, 20, ENTRIES):
        pages = adjacent(bench, 2 * ENTRIES)
        await bench.invalidate_all()
        for access in pages:
            await bench.check(access)
        await parts.start(bench.dut)
        bench = MmuBench(bench.dut)
        machine = Machine(12)
        first = vas(12)[0] & -(1 << 12)
        pages = [first + (n << 12) for n in range(2 * ENTRIES)]
        for n, va in enumerate(pages):
            machine.map(va, (n << 12) + (1 << 40))
        bench.use(machine)
        await bench.step(2 + wait)
        for va in pages:
            await bench.check(Access(va))
