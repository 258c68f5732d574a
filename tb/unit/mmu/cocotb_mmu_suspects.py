"""Invalidations are complete before every entry was compared: entries that one may cover do not
answer meanwhile, and none is lost that it does not cover."""

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from support.on import On
from unit.mmu.cocotb_mmu_latency import operations
from unit.mmu.machine import adjacent, asked, operation

RUNS = [On("mmu:vmsa48")]

COMPLETE = 3  # cycles after acceptance
SWEEP = 19  # cycles of a pass over all entries


async def complete(bench: MmuBench, op) -> int:
    """Cycles from the acceptance of a command to its completion."""
    await bench.invalidate(op)
    return bench.inv.done - bench.inv.accepted


@bench_test(MmuBench)
async def complete_three_cycles_after_acceptance(bench):
    """Every kind, from an idle MMU and with all entries in use. A second command is accepted when
    every entry was compared with the first one."""
    pages = adjacent(bench, 24)
    for name, op in operations(pages[0].va).items():
        assert await complete(bench, op) == COMPLETE, name
        for n, access in enumerate(pages):
            await bench.translate(Access(access.va, (Kind.READ, Kind.EXECUTE)[n % 2]))
        assert await complete(bench, op) == COMPLETE, f"{name}, all entries in use"
        first = bench.inv.accepted
        assert await complete(bench, op) == COMPLETE
        assert bench.inv.accepted - first == SWEEP + 1


@bench_test(MmuBench)
async def others_answer_at_once(bench):
    """An entry that an invalidation by VA cannot cover by its low page bits hits in every cycle,
    also the one that the sweep comes to last."""
    gone, *others = adjacent(bench, 16)
    for access in (gone, *others):
        await bench.check(access)
    await bench.invalidate(operation(tlbi.Kind.VA, gone.va))
    for access in reversed(others):
        answer, read = await asked(bench, access)
        assert (answer.cycles, read) == (0, 0), access
    assert (await asked(bench, gone))[1], "the page that the command names is still there"


@bench_test(MmuBench)
async def a_suspect_waits_and_stays(bench):
    """An entry in the half of a range that does not cover it answers when it was compared: no later
    than the sweep ends, without a walk. So does a block whose neighbour a command by VA names."""
    for level, kind, beside in ((3, tlbi.Kind.RANGE, 30), (2, tlbi.Kind.VA, 21)):
        entries = adjacent(bench, 15, 12, level)
        await bench.invalidate_all()
        op = operation(kind, entries[0].va - (1 << beside))
        waited = set()
        for access in entries:
            for other in entries * 2:
                await bench.check(other)
            await bench.invalidate(op)
            answer, read = await asked(bench, access)
            assert read == 0 and answer.cycles <= SWEEP, answer
            waited.add(answer.cycles)
            await bench.step(SWEEP)
        assert len(waited) > 4, f"cycles that suspects waited: {waited}"


@bench_test(MmuBench)
async def what_comes_after_a_command_stays(bench):
    """A page is mapped, and used as soon as the invalidation is complete; its walk is a short one.
    The sweep, which is still under way, leaves the new entry alone, wherever that is."""
    fresh = 48
    pages = adjacent(bench, 16 + fresh, t0sz=34)
    during = 0
    for n, access in enumerate(pages[16:]):
        for other in pages[:16] * 2:
            await bench.check(other)
        await bench.invalidate(operation((tlbi.Kind.VA, tlbi.Kind.RANGE)[n % 2], access.va))
        await bench.check(access)
        during += bench.data.answer.fired < bench.inv.accepted + SWEEP
        await bench.step(SWEEP)
        answer, read = await asked(bench, access)
        assert (answer.cycles, read) == (0, 0), f"page {n} was lost"
    assert during > fresh // 2, f"{during} of {fresh} entries came during a sweep"
