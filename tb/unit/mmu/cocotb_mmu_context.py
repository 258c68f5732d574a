"""Registers that change while a walk is in flight, and two requesters of one walker (scenarios a3,
a6, a7, a8, f27; mutants B5, B8).

A walk ends with the context it started with or starts again with the new one; it never mixes both.
"""

import random
from dataclasses import replace
from itertools import product

from drivers.lockstep import MmuBench, compare, describe, same
from drivers.started import bench_test
from model import Access, Kind, Memory, Registers
from model.tables import AF, NG, ap
from support.on import On
from unit.mmu.machine import EPAN, UPPER, WXN, Machine
from unit.mmu.pipe import Pipe

RUNS = [On("mmu:vmsa48_nocache")]

VA = 0x12_3456_5000
NOW, THEN = 0x40_1111_0000, 0x80_2222_0000


def machines(**changes) -> tuple[Machine, Machine, Memory]:
    """Two address spaces in one memory: `changes` are those of the second."""
    memory = Memory()
    first = Machine(12, memory=memory)
    second = Machine(**({"granule": 12, "asid": 2, "base": 0x5000_0000} | changes), memory=memory)
    first.map(VA, NOW)
    second.map(VA, THEN)
    return first, second, memory


async def change_under_walk(bench, access, before, after, offset) -> None:
    """`after` comes into force `offset` cycles after the request appeared."""
    bench.context(before)
    await bench.invalidate_all()
    old = bench.golden(access)
    side = bench.request(access)
    await bench.step(offset)
    bench.context(after)
    new = bench.golden(access)
    await bench.until(lambda: not side.busy, "the access")
    assert same(side.answer, old) or same(side.answer, new), (
        f"offset {offset}: {side.answer} is neither {describe(old)} nor {describe(new)}"
    )
    return side.answer, old, new


async def sweep(bench, access, before, after, *, settle: bool) -> set[str]:
    """Every offset until the answer is out. With `settle`, both contexts must be exact afterwards
    without any invalidation (they differ in their ASID, or in what no TLB may keep)."""
    seen = set()
    for latency in (1, 3):
        bench.walk.latency = latency
        for offset in range(48):
            answer, old, new = await change_under_walk(bench, access, before, after, offset)
            if same(answer, old):
                seen.add("old")
            if same(answer, new):
                seen.add("new")
            if settle:
                compare(access, await bench.translate(access), new, f"after, offset {offset}")
                bench.context(before)
                compare(access, await bench.translate(access), old, f"back, offset {offset}")
    assert "old" in seen, "every change came before the walk: the race was not reached"
    return seen


@bench_test(MmuBench)
async def task_switch(bench):
    """Scenarios a3, a7, B5 (sargantana #112, CVA6 #3475): ASID and table base change under a walk;
    what it installs belongs to the ASID under which it was made."""
    for kind in (Kind.READ, Kind.EXECUTE):
        first, second, memory = machines()
        bench.use_memory(memory)
        seen = await sweep(bench, Access(VA, kind), first.registers, second.registers, settle=True)
        assert seen == {"old", "new"}


@bench_test(MmuBench)
async def table_base_rewritten(bench):
    """Scenario a8: TTBR0 changes under the walk, the ASID stays; after an invalidation only the new
    tables count."""
    first, second, memory = machines(asid=1)
    bench.use_memory(memory)
    access = Access(VA)
    for latency in (1, 4):
        bench.walk.latency = latency
        for offset in range(48):
            await change_under_walk(bench, access, first.registers, second.registers, offset)
            await bench.invalidate_all()
            await bench.check(access, f"offset {offset}")


@bench_test(MmuBench)
async def granule_and_size_change(bench):
    """Scenario f27 (mid-flight granule change): TG0 or T0SZ change with the task."""
    for changes in ({"granule": 14}, {"granule": 16}, {"t0sz": 25}, {"granule": 16, "t0sz": 22}):
        first, second, memory = machines(**changes)
        bench.use_memory(memory)
        await sweep(bench, Access(VA), first.registers, second.registers, settle=True)


@bench_test(MmuBench)
async def translation_switched_off_and_on(bench):
    """Scenario a8: SCTLR.M goes off under a walk; the answer is that of the tables or the flat one,
    and what the walk leaves behind is right when translation is on again."""
    first, _, memory = machines()
    bench.use_memory(memory)
    off = replace(first.registers, sctlr=0)
    for kind in (Kind.READ, Kind.EXECUTE):
        await sweep(bench, Access(VA, kind), first.registers, off, settle=True)


@bench_test(MmuBench)
async def a_walk_that_nobody_waits_for(bench):
    """Scenarios a4, a6: the access is answered flat while its walk runs on; the end of that walk,
    leaf or fault, concerns neither the next access of the port nor the other port."""
    first, _, memory = machines()
    other = VA + (1 << 30)
    first.map(other, 0x99_0000_0000)
    fetch_va = VA + (2 << 30)
    first.map(fetch_va, 0x77_0000_0000)
    nothing = VA + (3 << 30)
    bench.use_memory(memory)
    bench.walk.latency = 3
    off = replace(first.registers, sctlr=0)
    orphans = 0
    for lost in (VA, nothing):
        for offset in range(1, 24):
            for pause in (0, 1, 2):
                bench.context(first.registers)
                await bench.invalidate_all()
                bench.request(Access(lost))
                await bench.step(offset)
                bench.context(off)
                await bench.until(lambda: not bench.data.busy, "the flat answer")
                orphans += bench.data.answer.pa == lost
                bench.context(first.registers)
                await bench.step(pause)
                data, fetch = Access(other), Access(fetch_va, Kind.EXECUTE)
                bench.request(data)
                bench.request(fetch)
                await bench.until(lambda: not (bench.data.busy or bench.fetch.busy), "both")
                note = f"lost {lost:#x} offset {offset} pause {pause}"
                compare(data, bench.data.answer, bench.golden(data), note)
                compare(fetch, bench.fetch.answer, bench.golden(fetch), note)
                await bench.check(Access(lost), note)
    assert orphans > 40, f"only {orphans} walks were left alone"


@bench_test(MmuBench)
async def controls_that_change(bench):
    """Scenarios a7, c18: WXN, EPAN, E0PD, HPD, EPD, IPS, TBI and MAIR under a walk. Those that no
    TLB keeps act at once on what is resident."""
    memory = Memory()
    machine = Machine(12, memory=memory)
    machine.map(VA, NOW, bits=AF | NG | ap(1) | 1 << 2)
    bench.use_memory(memory)
    r = machine.registers

    def with_tcr(flags: int) -> Registers:
        return replace(r, tcr=r.tcr | flags)

    at_once = [
        (Access(VA, Kind.EXECUTE), replace(r, sctlr=r.sctlr | WXN)),
        (Access(VA, Kind.READ, el=1, pan=True), replace(r, sctlr=r.sctlr | EPAN)),
        (Access(VA), with_tcr(1 << 55)),
        (Access(VA | 0xA5 << 56), with_tcr(1 << 37)),
    ]
    for access, after in at_once:
        await sweep(bench, access, r, after, settle=True)
    kept = [
        (Access(VA), replace(r, mair=0x0102_0304_0506_0708)),
        (Access(VA), with_tcr(1 << 41)),
        (Access(VA), with_tcr(1 << 7)),
        (Access(VA), replace(r, tcr=r.tcr & ~(7 << 32))),
    ]
    for access, after in kept:
        await sweep(bench, access, r, after, settle=False)
        bench.context(after)
        await bench.invalidate_all()
        await bench.check(access, "settled")


@bench_test(MmuBench)
async def two_requesters_of_one_walker(bench):
    """Scenario B5 (CVA6 #3475): fetch and data miss at every distance of each other, with their own
    address, half, EL and PAN; each gets its own answer, fault or not, cold and then hot.
    They miss at once twice: behind distance -1 fetch has the turn, behind 14 data."""
    machine = Machine(12, granule1=16)
    high = UPPER | 0x1234_5670_0000
    machine.map(VA, NOW)
    machine.map(high, THEN, bits=AF)
    machine.map(VA + 0x1000, NOW + 0x1000, bits=NG | ap(1))  # access flag fault
    bench.use(machine)
    data_side = [
        Access(VA), Access(VA, Kind.WRITE, el=1, pan=True), Access(VA + 0x1000),
        Access(high, Kind.ATOMIC, el=1), Access(high), Access(VA + (1 << 40)),
    ]  # fmt: skip
    fetch_side = [
        Access(high, Kind.EXECUTE, el=1), Access(VA, Kind.EXECUTE), Access(VA, Kind.EXECUTE, el=1),
        Access(VA + 0x1000, Kind.EXECUTE), Access(high + (1 << 30), Kind.EXECUTE, el=1),
    ]  # fmt: skip
    for latency in (1, 2):
        bench.walk.latency = latency
        for data in data_side:
            for fetch in fetch_side:
                for distance in (*range(-14, 15), 0):
                    await bench.invalidate_all()
                    pair = (data, fetch) if distance >= 0 else (fetch, data)
                    bench.request(pair[0])
                    await bench.step(abs(distance))
                    bench.request(pair[1])
                    await bench.until(lambda: not (bench.data.busy or bench.fetch.busy), "both")
                    note = f"distance {distance}"
                    compare(data, bench.data.answer, bench.golden(data), note)
                    compare(fetch, bench.fetch.answer, bench.golden(fetch), note)


@bench_test(MmuBench)
async def good_and_bad_accesses_in_turn(bench):
    """Scenario B8, f26 (CVA6 #3404: a check one cycle off): accesses without a pause, good and bad
    by turns; no access is judged by the address of the one before."""
    machine = Machine(12)
    machine.map(VA, NOW)
    machine.map(VA + 0x1000, NOW, bits=AF | NG | ap(2))
    bench.use(machine)
    turns = [
        Access(VA), Access(VA | 1 << 50), Access(VA), Access(VA + 0x1000),
        Access(VA + 0x1000, el=1), Access(VA + 0x1000, Kind.WRITE, el=1), Access(VA, Kind.WRITE),
        Access(VA + 0x2000), Access(VA, el=1), Access(VA, el=1, pan=True), Access(VA | 0xFF << 56),
    ]  # fmt: skip
    port = bench.data = Pipe(bench.dut, "data", random.Random(0))
    at_once = 0
    for one, other in product(turns, repeat=2):
        for _ in range(3):
            port.drive(bench.cycle, one, pause=True)
            await bench.step()
        sent, answers = 0, []
        while len(answers) < 2:
            sent += port.drive(bench.cycle, other, pause=sent == 2) is not None
            await bench.step()
            if (taken := port.take()) is not None:
                compare(*taken, bench.golden(taken[0]), f"{one}, {other}")
                answers.append(taken[1])
        at_once += answers[0].cycles == answers[1].cycles == 0
    assert at_once > len(turns) ** 2 // 2, at_once
