"""Invalidations: what goes, what stays, what `done` waits for, and walks that they overtake."""

import cocotb

from drivers.started import bench_test
from model.tlbi import Invalidation, Kind, range_operand, va_operand
from support.on import On
from unit.bridge.bench import Bench, Mode, Reg
from unit.bridge.bus import word
from unit.bridge.client import OKAY, SLVERR

RUNS = [On("devicemmu:vmsa48_nocache")]

PAGE, VA = 0x9000_0000, 0x1000_0000


async def misses(bench, act) -> int:
    before = await bench.apb.read(Reg.MISSES)
    await act
    return await bench.apb.read(Reg.MISSES) - before


@bench_test(Bench)
async def every_kind_removes_what_it_covers_and_nothing_else(bench):
    spaces = [await bench.space(n) for n in range(2)]
    pages = [VA, VA + 0x1000, VA + 0x10_0000]
    for space in spaces:
        for n, va in enumerate(pages):
            space.map(va, PAGE + 0x10_0000 * space.asid + (n << 12))
    asid = spaces[0].asid
    kinds = {
        (Kind.VA, va_operand(VA, asid)): {(0, 0)},
        (Kind.VA_ALL_ASIDS, va_operand(VA)): {(0, 0), (1, 0)},
        (Kind.RANGE, range_operand(VA, 12, 0, 0, asid=asid)): {(0, 0), (0, 1)},
        (Kind.ASID, va_operand(0, asid)): {(0, 0), (0, 1), (0, 2)},
        (Kind.ALL, 0): {(s, p) for s in range(2) for p in range(3)},
    }
    for (kind, operand), covered in kinds.items():
        for stream in range(2):
            for va in pages:
                await bench.answer(bench.client.read(va, stream=stream))
        await bench.invalidate(Invalidation(kind, operand))
        gone = set()
        for stream in range(2):
            for page, va in enumerate(pages):
                act = bench.answer(bench.client.read(va, stream=stream))
                if await misses(bench, act):
                    gone.add((stream, page))
        assert gone == covered, f"{kind.name}: {gone}"


@cocotb.test()
async def done_waits_for_reads(dut):
    await done_waits_for_what_was_translated_before(dut, write=False)


@cocotb.test()
async def done_waits_for_writes(dut):
    await done_waits_for_what_was_translated_before(dut, write=True)


async def done_waits_for_what_was_translated_before(dut, *, write: bool):
    """Until then the bus may use the old page. What comes later does not hold it up."""
    bench = await Bench.start(dut)
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
    bench.inv.request(space.invalidation(VA), bench.cycle)
    await bench.cycles(2)
    read = bench.client.read(VA)  # its walk begins after the command
    await bench.until(lambda: not bench.inv.busy, "done", 40)
    assert not read.done
    bench.bus.holds = False
    await bench.all_answered()


@bench_test(Bench)
async def a_walk_that_it_overtakes_is_made_again(bench):
    """At every moment of the walk: the old page is not used once the invalidation is done."""
    space = await bench.space(0)
    for moment in range(60):
        bench.walk.latency = 1 + moment % 3
        space.map(VA, PAGE)
        await bench.invalidate(Invalidation(Kind.ALL))
        read = bench.client.read(VA)
        await bench.cycles(moment)
        space.map(VA, PAGE + 0x1000)
        await bench.invalidate(space.invalidation(VA))
        old = [word(PAGE)]
        after = await bench.answer(bench.client.read(VA, id=1))
        assert after.data == [word(PAGE + 0x1000)], f"moment {moment}"
        await bench.answer(read)
        assert read.data in (old, after.data)


@bench_test(Bench)
async def a_page_that_is_gone_faults_after_done(bench):
    """The same, with a page that is unmapped while transactions of other IDs use it."""
    space = await bench.space(0)
    for moment in range(40):
        space.map(VA, PAGE)
        client = bench.client
        transfers = [client.read(VA + 4 * n, id=n % 8) for n in range(16)]
        await bench.cycles(moment)
        space.unmap(VA)
        await bench.invalidate(space.invalidation(VA))
        count = len(bench.bus.seen)
        after = client.read(VA, id=9)
        await bench.all_answered()
        assert after.resp == SLVERR
        assert len(bench.bus.seen) == count, "a transaction is issued with the old page after done"
        assert all(t.resp in (OKAY, SLVERR) for t in transfers)
        while await bench.fault():
            pass


@bench_test(Bench)
async def a_stream_that_is_switched_off_is_off_after_an_invalidation(bench):
    """Even a walk that was asked for with the old root finds nothing that counts."""
    for moment in range(0, 40, 3):
        space = await bench.space(0)
        space.map(VA, PAGE)
        await bench.invalidate(Invalidation(Kind.ALL))
        bench.walk.latency = 5
        reads = [bench.client.read(VA, id=n) for n in range(3)]
        await bench.cycles(moment)
        await bench.stream(0, Mode.OFF, 0)
        await bench.invalidate(Invalidation(Kind.ASID, va_operand(0, space.asid)))
        asked, count = len(bench.walk.reads), len(bench.bus.seen)
        await bench.all_answered()
        await bench.cycles(30)
        assert len(bench.walk.reads) == asked and len(bench.bus.seen) == count
        assert all(t.resp in (OKAY, SLVERR) for t in reads)
        while await bench.fault():
            pass


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
