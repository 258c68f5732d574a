"""The TLB behind the micro TLBs: what it finds and how fast, what goes with an invalidation, and
what stays."""

import itertools
import random

from drivers.lockstep import MmuBench, compare, same
from drivers.ports import Answer
from drivers.started import bench_test
from model import Access, Kind, Memory, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Entry, Invalidation, must_go, range_operand, va_operand
from support import parts
from support.on import On
from support.seed import run_seed
from unit.mmu.cocotb_mmu_latency import operations
from unit.mmu.machine import GRANULES, LEAVES, M64, Machine, leaf_levels, span, vas

RUNS = [On("mmu:vmsa48_main")]

ENTRIES, WAYS = 256, 2
MICRO = 16  # of the data port
HIT = 3  # cycles from a miss of the micro TLB to the answer
COMPLETE = 3
HD = 3 << 39  # TCR: hardware sets access flag and dirty state
DBM, READ_ONLY = 1 << 51, 1 << 7
USER = AF | NG | ap(1)


async def asked(bench: MmuBench, access: Access) -> tuple[Answer, int]:
    """The answer, and how many descriptors were read for it."""
    bench.walk.reads.clear()
    return await bench.check(access), len(bench.walk.reads)


def mapped(bench: MmuBench, pages: int, granule: int = 12, level: int = 3, va: int | None = None):
    """Adjacent pages or blocks; accesses to them."""
    machine = Machine(granule)
    size = span(granule, level)
    base = (vas(granule)[0] if va is None else va) & -(1 << size)
    for n in range(pages):
        machine.map(base + (n << size) & M64, n << size, level, bits=USER)
    bench.use(machine)
    return [Access(base + (n << size) & M64) for n in range(pages)]


async def ready(bench: MmuBench) -> None:
    """All entries are gone, and the sweep that took them is over."""
    await bench.invalidate_all()
    await bench.swept()


@bench_test(MmuBench)
async def a_hit_is_three_cycles(bench):
    """More pages than the micro TLB has entries: each is walked to once and then answered in three
    cycles more than a hit, by both ports."""
    for granule in GRANULES:
        pages = mapped(bench, 128, granule)
        await ready(bench)
        for access in pages:
            await bench.check(access)
        found = 0
        for access in pages:
            answer, read = await asked(bench, access)
            assert (answer.cycles, read) in ((HIT, 0), (0, 0)), f"{granule}: {access} {answer}"
            fetch = Access(access.va, Kind.EXECUTE)
            answer, read = await asked(bench, fetch)
            assert (answer.cycles, read) == (HIT, 0), f"{granule}: {fetch} {answer}"
            found += 1
        assert found == 128


async def each_size(bench):
    """Pages and blocks of every granule, in both halves, each accessed once: granule, level and
    that access."""
    for granule, level in LEAVES:
        for va in vas(granule):
            one = mapped(bench, 1, granule, level, va)[0]
            await ready(bench)
            await bench.check(one)
            yield granule, level, one


@bench_test(MmuBench)
async def every_size_is_kept(bench):
    """What was accessed once is found again without a read, whatever its size."""
    async for granule, level, one in each_size(bench):
        answer, read = await asked(bench, Access(one.va, Kind.EXECUTE))
        assert (answer.cycles, read) == (HIT, 0), f"{granule} {level} {one}"


@bench_test(MmuBench)
async def every_address_bit_counts(bench):
    """An address that differs from that of an entry in one bit above its size is another one, and
    nothing is there."""
    async for granule, level, one in each_size(bench):
        for bit in range(span(granule, level), 47):
            other = Access(one.va ^ 1 << bit, Kind.EXECUTE)
            assert (await bench.check(other)).fault, f"{granule} {level} {other}"
        _, read = await asked(bench, Access(one.va, Kind.EXECUTE))
        assert read == 0, f"{granule} {level} {one}: it is there no more"


@bench_test(MmuBench)
async def a_walk_takes_as_long_as_without(bench):
    """A miss of both: k (N + 1) + 4 cycles."""
    for latency in (1, 2, 5):
        first, second = mapped(bench, 2)
        bench.walk.latency = latency
        await ready(bench)
        answer, read = await asked(bench, first)
        assert answer.cycles == read * (latency + 1) + 4 and read == 4
        answer, read = await asked(bench, second)
        assert answer.cycles == latency + 5 and read == 1


@bench_test(MmuBench)
async def the_oldest_entry_gives_its_place(bench):
    """After more pages than the micro TLB has entries, it has the last ones: those that were walked
    to, and those that the main TLB had. A walk that ends in a fault costs one entry."""
    pages = mapped(bench, MICRO + 8)
    nothing = Access(pages[-1].va + (1 << 30) & M64)
    await ready(bench)
    for turn in range(3):
        for access in pages:
            answer, read = await asked(bench, access)
            assert (answer.cycles > 0, bool(read)) == (True, turn == 0), f"{turn} {access}"
        for access in pages[-MICRO:]:
            assert (await bench.check(access)).cycles == 0, f"{turn} {access}"
    assert (await bench.check(nothing)).fault
    known = [(await bench.check(access)).cycles == 0 for access in pages[-MICRO:]]
    assert known == [False] + [True] * (MICRO - 1)


@bench_test(MmuBench)
async def what_an_invalidation_leaves(bench):
    """Every kind, on 128 pages of two ASIDs: what the command covers is walked to again, and
    nothing else."""
    rng = random.Random(run_seed())
    for name, op in operations(vas(12)[0]).items():
        pages = mapped(bench, 128)
        await ready(bench)
        for access in pages:
            await bench.check(access)
        await bench.invalidate(op)
        assert bench.inv.done - bench.inv.accepted == COMPLETE, name
        settled = rng.random() < 0.5
        if settled:
            await bench.swept()
        for access in rng.sample(pages, len(pages)):
            gone = must_go(op, Entry(access.va, 12, 12, 3, 1, True))
            answer, read = await asked(bench, Access(access.va, Kind.EXECUTE))
            if gone or settled:
                assert bool(read) == gone, f"{name}: {access}"


@bench_test(MmuBench)
async def old_translations_do_not_answer(bench):
    """All tables change, then a command covers some of the pages: from `done` on these answer anew,
    whether the sweep has come to them or not, the others as before. The page that the command names
    is asked for first or, when the sweep is over, last."""
    rng = random.Random(run_seed())
    for granule in GRANULES:
        size = span(granule, 3)
        for kind, first in itertools.product(range(4), (True, False, False)):
            pages = mapped(bench, 128, granule)
            await ready(bench)
            old = {}
            for access in pages:
                old[access.va] = (await bench.check(access)).pa
            machine = Machine(granule)
            for n, access in enumerate(pages):
                machine.map(access.va, (n << size) + (1 << 40), 3, bits=USER)
            bench.use_memory(machine.memory)
            rng.shuffle(pages)
            victim = pages[-1].va
            op = (
                Invalidation(tlbi.Kind.VA, va_operand(victim, 1)),
                Invalidation(tlbi.Kind.RANGE, range_operand(victim, granule, rng.randrange(32),
                                                            rng.randrange(2), asid=1)),
                Invalidation(tlbi.Kind.ASID, va_operand(0, 1)),
                Invalidation(tlbi.Kind.ASID, va_operand(0, 2)),
            )[kind]  # fmt: skip
            await bench.invalidate(op)
            await bench.step(rng.choice((0, 0, 3, 10, 40)))
            for access in pages[:-33:-1] if first else pages[-32:]:
                gone = must_go(op, Entry(access.va, size, granule, 3, 1, True))
                answer = await bench.translate(Access(access.va, Kind.EXECUTE))
                fresh = bench.golden(access).pa
                allowed = {fresh} if gone else {fresh, old[access.va]}
                assert answer.pa in allowed, f"{op} {access}: {answer.pa:#x}"


@bench_test(MmuBench)
async def a_block_goes_by_any_of_its_addresses(bench):
    """A block moves, and a command names another of its pages than is accessed next: it answers
    anew from `done` on. A command for the other half leaves it."""
    shapes = ((g, level) for g in GRANULES for level in leaf_levels(g)[:-1])
    for (granule, level), covered in itertools.product(shapes, (True, False)):
        size = span(granule, level)
        machine, moved = Machine(granule), Machine(granule)
        here, there = (va & -(1 << size) for va in vas(granule))
        machine.map(here, 0, level, bits=USER)
        moved.map(here, 1 << size, level, bits=USER)
        bench.use(machine)
        await ready(bench)
        await bench.check(Access(here))
        bench.use_memory(moved.memory)
        named = (here if covered else there) + (3 << granule)
        await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(named, 1)))
        answer = await bench.translate(Access(here, Kind.EXECUTE))
        assert answer.pa == (1 << size if covered else 0), f"{granule} {level} {covered}"


@bench_test(MmuBench)
async def pages_move_while_others_come_and_go(bench):
    """Three times as many pages as entries, in random order on both ports, with short walks. Now
    and then some of them move, and a command covers them: every answer is the right one from `done`
    on, beside the sweep and after it."""
    rng = random.Random(run_seed())
    machine = Machine(12, t0sz=34, flags=HD)
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
                op = Invalidation(tlbi.Kind.VA, va_operand(first, 1), True)
            else:
                count = rng.randrange(4)
                for va in range(first, first + (2 * count + 2 << 12), 4096):
                    if va in pages:
                        move(va)
                operand = range_operand(first, 12, count, 0, asid=1)
                op = Invalidation(tlbi.Kind.RANGE, operand, True)
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
        pages = mapped(bench, 2 * ENTRIES)
        await ready(bench)
        for access in pages:
            await bench.check(access)
        await parts.start(bench.dut)
        bench = MmuBench(bench.dut)
        machine = Machine(12)
        first = vas(12)[0] & -(1 << 12)
        pages = [first + (n << 12) for n in range(2 * ENTRIES)]
        for n, va in enumerate(pages):
            machine.map(va, (n << 12) + (1 << 40), bits=USER)
        bench.use(machine)
        await bench.step(2 + wait)
        for va in pages:
            await bench.check(Access(va))


@bench_test(MmuBench)
async def the_granule_changes_in_each_cycle_of_a_walk(bench):
    """TG0 goes from 4K to 16K around the lookup: the set is chosen and the page compared with the
    same granule. Of two pages of 16K that differ in the bits which choose the set, one is kept."""
    memory = Memory()
    small = Machine(12, memory=memory, base=0x5000_0000)
    large = Machine(14, memory=memory)
    for n in range(32):
        large.map(n << 14, 0x10_0000 + (n << 16), bits=USER)
    small.map(0x1000, 0x4000_0000, bits=USER)
    bench.use_memory(memory)
    seen = set()
    for kept, offset in itertools.product(range(1, 32), range(-1, 8)):
        bench.context(large.registers)
        await ready(bench)
        await bench.check(Access(kept << 14))
        bench.context(small.registers)
        await bench.step(4)
        asked = Access(0x1008)
        old = bench.golden(asked)
        if offset < 0:
            bench.context(large.registers)
        side = bench.request(asked)
        await bench.step(max(offset, 0))
        bench.context(large.registers)
        new = bench.golden(asked)
        await bench.until(lambda side=side: not side.busy, "the access")
        assert same(side.answer, old) or same(side.answer, new), (kept, offset, side.answer)
        seen.add((same(side.answer, old), same(side.answer, new)))
        if same(side.answer, new):  # else the micro TLB keeps the page of 4K until a TLBI
            await bench.check(Access(0x1010), f"kept {kept}, offset {offset}, afterwards")
    assert seen == {(True, False), (False, True)}, "no change came during a walk"
