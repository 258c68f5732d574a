"""Invalidations: what goes, what stays, what `done` waits for, and walks that they overtake."""

import cocotb

from drivers.started import bench_test
from model.tlbi import Invalidation, Kind, va_operand
from support.on import On
from unit.bridge.bench import Bench, Mode
from unit.bridge.bus import word
from unit.bridge.client import OKAY

RUNS = [On("devicemmu:vmsa48_nocache")]

PAGE, VA = 0x9000_0000, 0x1000_0000


@cocotb.parametrize(write=[False, True])
@bench_test(Bench)
async def done_waits_for_what_was_translated_before(bench, write):
    """Until then the bus may use the old page. What comes later does not hold it up."""
    space = await bench.space(0)
    space.map(VA, PAGE)
    space.map(VA + 0x1000, PAGE + 0x1000)
    client = bench.client
    await bench.answer(client.read(VA))
    await bench.answer(client.read(VA + 0x1000))
    bench.bus.holds = True
    old = client.access(write, VA, [1], id=1)
    await bench.cycles(20)
    space.map(VA, PAGE + 0x5000)
    bench.inv.request(space.invalidation(VA), bench.cycle)
    await bench.cycles(100)
    assert bench.inv.busy, "the bus still owes an answer"
    new = client.read(VA, id=2)
    kept = client.read(VA + 0x1000, id=3)
    await bench.cycles(50)
    assert [s.address for s in bench.bus.reads[-2:]] in (
        [PAGE + 0x5000, PAGE + 0x1000], [PAGE + 0x1000, PAGE + 0x5000])  # fmt: skip
    assert bench.inv.busy
    bench.bus.holds = False
    await bench.until(lambda: old.done, "the old one is answered")
    await bench.until(lambda: not bench.inv.busy, "done", 8)
    await bench.all_answered()
    assert (old.resp, new.resp, kept.resp) == (OKAY, OKAY, OKAY)


@bench_test(Bench)
async def done_does_not_wait_for_what_comes_later(bench):
    space = await bench.space(0)
    space.map(VA, PAGE)
    await bench.answer(bench.client.read(VA))
    cycles = await bench.invalidate(space.invalidation(VA))
    print(f"an invalidation takes {cycles} cycles when the bus owes nothing")
    bench.bus.holds = True
    bench.walk.reads.clear()
    bench.inv.request(space.invalidation(VA), bench.cycle)
    await bench.cycles(2)
    read = bench.client.read(VA)  # its walk begins after the command
    await bench.until(lambda: not bench.inv.busy, "done", 40)
    assert not read.done
    bench.bus.holds = False
    await bench.all_answered()
    assert bench.walk.reads[0].asked > bench.inv.accepted, "the walk began before the command"


@bench_test(Bench)
async def a_walk_that_it_overtakes_is_made_again(bench):
    """At every moment of the walk: the old page is not used once the invalidation is done."""
    space, begun = await bench.space(0), set()
    for moment in range(60):
        bench.walk.latency = 1 + moment % 3
        space.map(VA, PAGE)
        await bench.invalidate(Invalidation(Kind.ALL))
        bench.walk.reads.clear()
        read = bench.client.read(VA)
        await bench.cycles(moment)
        space.map(VA, PAGE + 0x1000)
        await bench.invalidate(space.invalidation(VA))
        begun.add(sum(each.asked <= bench.inv.accepted for each in bench.walk.reads))
        old = [word(PAGE)]
        after = await bench.answer(bench.client.read(VA, id=1))
        assert after.data == [word(PAGE + 0x1000)], f"moment {moment}"
        await bench.answer(read)
        assert read.data in (old, after.data)
    assert begun == {0, 1, 2, 3}, f"descriptors asked for when the command came: {begun}"


@bench_test(Bench)
async def another_root_of_the_same_asid(bench):
    """Software gives a stream other tables and keeps its ASID: after the invalidation these
    count, wherever it meets the lookup and the walk of a read that came before."""
    space, other = await bench.space(0, asid=1), await bench.space(1, asid=2)
    space.map(VA, PAGE)
    other.map(VA, PAGE + 0x3000)

    async def begin(moment: int) -> None:
        await bench.cycles(moment)
        bench.client.read(VA)

    for moment in range(-30, 40):  # below 0 the read begins so long before the row is written
        await bench.stream(0, Mode.VMSA, space.ttbr)
        await bench.invalidate(Invalidation(Kind.ALL))
        before = cocotb.start_soon(begin(max(moment, 0)))
        await bench.cycles(max(-moment, 0))
        await bench.stream(0, Mode.VMSA, other.root | 1 << 48)
        await bench.invalidate(Invalidation(Kind.ASID, va_operand(0, 1)))
        read = await bench.answer(bench.client.read(VA, id=5))
        assert read.data == [word(PAGE + 0x3000)], f"moment {moment}"
        await before
        await bench.all_answered()
