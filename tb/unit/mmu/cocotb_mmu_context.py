"""Registers that change while a walk is in flight, and two requesters of one walker (scenarios a3,
a6, a7, a8, f26, f27; mutants B5, B8).

A walk ends with the context it started with or starts again with the new one; it never mixes both.
"""

import random
from dataclasses import replace
from itertools import product

from drivers.lockstep import MmuBench, compare, describe, same
from drivers.started import bench_test
from model import Access, Kind, Memory
from model.tables import AF, NG, ap
from support.on import On
from unit.mmu.machine import UPPER, Machine
from unit.mmu.pipe import Pipe

RUNS = [On("mmu:vmsa48_nocache")]

VA = 0x12_3456_5000
NOW, THEN = 0x40_1111_0000, 0x80_2222_0000


async def sweep(bench, access, before, after) -> set[str]:
    """`after` comes into force at every offset from the request on, until the answer is out. Both
    contexts must be exact afterwards without any invalidation: they differ in their ASID."""
    seen = set()
    for latency, offset in product((1, 3), range(48)):
        bench.walk.latency = latency
        bench.context(before)
        await bench.invalidate_all()
        old = bench.golden(access)
        side = bench.request(access)
        await bench.step(offset)
        bench.context(after)
        new = bench.golden(access)
        await bench.until(lambda side=side: not side.busy, "the access")
        outcomes = {"old": same(side.answer, old), "new": same(side.answer, new)}
        assert any(outcomes.values()), (
            f"offset {offset}: {side.answer} is neither {describe(old)} nor {describe(new)}"
        )
        seen |= {name for name, is_it in outcomes.items() if is_it}
        compare(access, await bench.translate(access), new, f"after, offset {offset}")
        bench.context(before)
        compare(access, await bench.translate(access), old, f"back, offset {offset}")
    return seen


@bench_test(MmuBench)
async def task_switch(bench):
    """Scenarios a3, a7, B5 (sargantana #112, CVA6 #3475), f27: ASID and table base change under a
    walk, and TG0 or T0SZ with them; what it installs belongs to the ASID of its beginning."""
    sizes = ({"granule": 14}, {"granule": 16}, {"t0sz": 25}, {"granule": 16, "t0sz": 22})
    for kind, changes in ((Kind.READ, {}), (Kind.EXECUTE, {}), *((Kind.READ, c) for c in sizes)):
        memory = Memory()
        first = Machine(12, memory=memory)
        second = Machine(**{"granule": 12} | changes, asid=2, base=0x5000_0000, memory=memory)
        first.map(VA, NOW)
        second.map(VA, THEN)
        bench.use_memory(memory)
        seen = await sweep(bench, Access(VA, kind), first.registers, second.registers)
        assert seen == {"old", "new"}


async def both(bench, pair: tuple[Access, Access], distance: int, note: str) -> None:
    """One access on each port, the second so many cycles after the first; both are right."""
    bench.request(pair[0])
    await bench.step(distance)
    bench.request(pair[1])
    await bench.until(lambda: not (bench.data.busy or bench.fetch.busy), "both")
    for access in pair:
        compare(access, bench.side(access).answer, bench.golden(access), note)


@bench_test(MmuBench)
async def a_walk_that_nobody_waits_for(bench):
    """Scenarios a4, a6: the access is answered flat while its walk runs on; the end of that walk,
    leaf or fault, concerns neither the next access of the port nor the other port."""
    machine = Machine(12)
    data, fetch = Access(VA + (1 << 30)), Access(VA + (2 << 30), Kind.EXECUTE)
    for va, pa in ((VA, NOW), (data.va, 0x99_0000_0000), (fetch.va, 0x77_0000_0000)):
        machine.map(va, pa)
    nothing = VA + (3 << 30)
    bench.use_memory(machine.memory)
    bench.walk.latency = 3
    off = replace(machine.registers, sctlr=0)
    orphans = 0
    for lost, offset, pause in product((VA, nothing), range(1, 24), (0, 1, 2)):
        bench.context(machine.registers)
        await bench.invalidate_all()
        bench.request(Access(lost))
        await bench.step(offset)
        bench.context(off)
        await bench.until(lambda: not bench.data.busy, "the flat answer")
        orphans += bench.data.answer.pa == lost
        bench.context(machine.registers)
        await bench.step(pause)
        note = f"lost {lost:#x} offset {offset} pause {pause}"
        await both(bench, (data, fetch), 0, note)
        await bench.check(Access(lost), note)
    assert orphans > 40, f"only {orphans} walks were left alone"


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
    distances = (*range(-14, 15), 0)
    for latency, data, fetch, distance in product((1, 2), data_side, fetch_side, distances):
        bench.walk.latency = latency
        await bench.invalidate_all()
        pair = (data, fetch) if distance >= 0 else (fetch, data)
        await both(bench, pair, abs(distance), f"distance {distance}")


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
