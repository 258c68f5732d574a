"""Invalidations that are complete before every entry was compared (Completion.Suspected): entries
that one may cover do not answer meanwhile, and none is lost that it does not cover."""

import random

from drivers.lockstep import MmuBench
from drivers.ports import Answer
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tlbi import Invalidation, range_operand, va_operand
from support.on import On
from support.seed import run_seed
from unit.mmu.cocotb_mmu_latency import mapped, operations
from unit.mmu.machine import Machine, vas
from unit.mmu.world import World

RUNS = [On("mmu:vmsa48_suspects")]

COMPLETE = 3  # cycles after acceptance
SWEEP = 19  # cycles of a pass over all entries
ALIKE = 1 << 12 + 8  # as far apart, two pages have the same low page bits


async def complete(bench: MmuBench, op: Invalidation) -> int:
    """Cycles from the acceptance of a command to its completion."""
    await bench.invalidate(op)
    return bench.inv.done - bench.inv.accepted


async def resident(bench: MmuBench, base: int, pages: int) -> list[Access]:
    """Accesses to so many pages; all hit."""
    accesses = [Access(base + (n << 12)) for n in range(pages)]
    for access in accesses * 2:
        answer = await bench.check(access)
    assert answer.cycles == 0
    return accesses


async def walks(bench: MmuBench, access: Access) -> tuple[Answer, int]:
    """The answer, and how many descriptors were read for it."""
    bench.walk.reads.clear()
    return await bench.check(access), len(bench.walk.reads)


@bench_test(MmuBench)
async def complete_three_cycles_after_acceptance(bench):
    """Every kind, from an idle MMU and with all entries in use."""
    base = mapped(bench, 24)
    for name, op in operations(base).items():
        assert await complete(bench, op) == COMPLETE, name
        for n in range(24):
            await bench.translate(Access(base + (n << 12), (Kind.READ, Kind.EXECUTE)[n % 2]))
        assert await complete(bench, op) == COMPLETE, f"{name}, all entries in use"


@bench_test(MmuBench)
async def others_answer_at_once(bench):
    """An entry that an invalidation by VA cannot cover by its low page bits hits in every cycle,
    also the one that the sweep comes to last."""
    base = mapped(bench, 16)
    gone, *others = await resident(bench, base, 16)
    await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(gone.va, 1)))
    for access in reversed(others):
        answer, read = await walks(bench, access)
        assert (answer.cycles, read) == (0, 0), access
    assert (await walks(bench, gone))[1], "the page that the command names is still there"


@bench_test(MmuBench)
async def a_suspect_waits_and_stays(bench):
    """An entry with the same low page bits answers when it was compared: no later than the sweep
    ends, without a walk."""
    machine = Machine(12)
    base = vas(12)[0]
    pages = [base + n * ALIKE for n in range(16)]
    for n, va in enumerate(pages):
        machine.map(va, 0x1000_0000 + (n << 12))
    bench.use(machine)
    waited = set()
    for va in pages:
        for other in pages * 2:
            await bench.check(Access(other))
        await bench.invalidate(Invalidation(tlbi.Kind.VA, va_operand(base - ALIKE, 1)))
        answer, read = await walks(bench, Access(va))
        assert read == 0 and answer.cycles <= SWEEP, answer
        waited.add(answer.cycles)
        await bench.step(SWEEP)
    assert len(waited) > 4, f"cycles that suspects waited: {waited}"


@bench_test(MmuBench)
async def what_comes_after_a_command_stays(bench):
    """A page is mapped, and used as soon as the invalidation is complete; its walk is a short one.
    The sweep, which is still under way, leaves the new entry alone, wherever that is."""
    machine = Machine(12, t0sz=34)
    base = vas(12, 34)[0]
    fresh = 48
    for n in range(16 + fresh):
        machine.map(base + (n << 12), 0x1000_0000 + (n << 12))
    bench.use(machine)
    during = 0
    for n in range(16, 16 + fresh):
        await resident(bench, base, 16)
        access = Access(base + (n << 12))
        operand = range_operand(access.va, 12, 0, 0, asid=1)
        op = (
            Invalidation(tlbi.Kind.RANGE, operand)
            if n % 2
            else Invalidation(tlbi.Kind.VA, va_operand(access.va, 1))
        )
        await bench.invalidate(op)
        await bench.check(access)
        during += bench.data.answer.fired < bench.inv.accepted + SWEEP
        await bench.step(SWEEP)
        answer, read = await walks(bench, access)
        assert (answer.cycles, read) == (0, 0), f"page {n} was lost"
    assert during > fresh // 2, f"{during} of {fresh} entries came during a sweep"


@bench_test(MmuBench)
async def a_second_command_is_held(bench):
    """It is accepted when every entry was compared with the first one, and then takes as long."""
    base = mapped(bench, 16)
    op = Invalidation(tlbi.Kind.VA, va_operand(base, 1))
    await bench.invalidate(op)
    first = bench.inv.accepted
    assert await complete(bench, op) == COMPLETE
    assert bench.inv.accepted - first == SWEEP + 1


@bench_test(MmuBench)
async def no_unrelated_entry_is_lost(bench):
    """Random tables and commands: an entry that no command since its installation covers is found
    again without a walk, unless another took its place. (The RTL asserts it for each entry.)"""
    rng = random.Random(run_seed())
    for granule in (12, 14, 16):
        world = World(rng, granule)
        bench.use_memory(world.memory)
        bench.context(world.spaces[0].registers)
        await bench.invalidate_all()
        for _ in range(400):
            op = world.change()
            if op is not None:
                await bench.invalidate(op)
            await bench.step(rng.randrange(4) * rng.randrange(8))
            space = rng.choice(world.spaces)
            bench.context(space.registers)
            await bench.check(Access(world.address(), rng.choice((Kind.READ, Kind.EXECUTE)), el=1))
