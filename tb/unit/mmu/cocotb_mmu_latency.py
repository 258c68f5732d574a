"""Latency of invalidations and of hits: that of the configuration, and the same for every kind.
The figures go to build/results/invalidate.json.
"""

import itertools
import os
import random
from dataclasses import replace

import cocotb

from drivers.lockstep import MmuBench, compare
from drivers.ports import AddressTranslateSide, TranslateSide
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tlbi import Invalidation, range_length
from model.walk import par
from support import results
from support.configurations import INVALIDATION_CYCLES
from support.on import On
from unit.mmu.machine import adjacent, operation
from unit.mmu.pipe import Pipe

RUNS = [On("mmu:teaching"), On("mmu:vmsa48_nocache")]


def operations(va: int) -> dict[str, Invalidation]:
    ops = {
        "all": operation(tlbi.Kind.ALL),
        "asid": operation(tlbi.Kind.ASID),
        "va": operation(tlbi.Kind.VA, va),
        "va, last level": operation(tlbi.Kind.VA, va, last_level=True),
        "va, all ASIDs": operation(tlbi.Kind.VA_ALL_ASIDS, va, asid=0),
    }
    for num, scale in ((0, 0), (15, 1), (31, 3)):
        name = f"range of {range_length(num, scale)} pages"
        ops[name] = operation(tlbi.Kind.RANGE, va, num=num, scale=scale)
        ops[f"{name}, all ASIDs"] = operation(tlbi.Kind.RANGE_ALL_ASIDS, va, num=num, scale=scale)
    return ops


@bench_test(MmuBench)
async def every_kind_takes_the_same_cycles(bench):
    """Issue: an invalidation of any kind, a range of 1024 pages included, completes in the same
    number of cycles: from an idle MMU, from a full TLB, and while a walk waits for memory."""
    pages = adjacent(bench, 16)
    figures = {}
    for name, op in operations(pages[0].va).items():
        await bench.swept()
        idle = await bench.invalidate(op)
        for n, access in enumerate(pages):
            await bench.translate(access)
            if n < 8:
                await bench.translate(Access(access.va, Kind.EXECUTE))
        full = await bench.invalidate(op)
        await bench.swept()
        await bench.invalidate_all()
        bench.walk.latency = 300
        bench.request(pages[0])
        await bench.step(5)
        walking = await bench.invalidate(op)
        assert bench.data.busy, "the walk was over: the case was not reached"
        bench.walk.latency = 1
        await bench.until(lambda: not bench.data.busy, "the access")
        figures[name] = {"idle": idle, "full": full, "walking": walking}
    cycles = {n for by_state in figures.values() for n in by_state.values()}
    config = os.environ["GRANULE_CONFIG"]
    assert cycles == {INVALIDATION_CYCLES}, figures
    name = "invalidate" if config == "teaching" else f"invalidate-{config}"
    told = {"unit": "cycles from the command to done", "kinds": figures}
    results.write(name, config, told, command="pytest tb/unit/mmu/cocotb_mmu_latency.py")


def pipes_of(bench: MmuBench) -> dict[str, Pipe]:
    """Masters that may send a command in every cycle take the place of those of the bench."""
    pipes = {name: Pipe(bench.dut, name, random.Random(0)) for name in ("data", "fetch")}
    bench.data, bench.fetch = pipes["data"], pipes["fetch"]
    return pipes


@bench_test(MmuBench)
async def after_a_miss_hits_take_no_cycle_again(bench):
    """The next command comes two cycles after the answer of one that waited, as that was announced
    till then; from there on one comes in each cycle."""
    first, second = adjacent(bench, 2)
    await bench.check(first)
    port = pipes_of(bench)["data"]
    port.drive(bench.cycle, second)
    fired = []
    for _ in range(60):
        await bench.step()
        if taken := port.take():
            access, answer = taken
            compare(access, answer, bench.golden(access))
            assert (answer.cycles == 0) == (access == first), access
            fired.append(answer.fired)
        port.drive(bench.cycle, first)
    assert [b - a for a, b in itertools.pairwise(fired)] == [2] + [1] * (len(fired) - 2)
    assert len(fired) > 30


@cocotb.test()
async def hits_of_one_port_do_not_hold_up_walks(dut):
    """Both ports hit in every cycle, and then one misses while the other goes on. Wherever in the
    stream that is, it takes as long as alone if it has the turn. Else it takes two cycles more, as
    its keys are compared again first; AT, which stands behind the turn, is next at once."""
    bench = await MmuBench.start(dut)
    hit, miss = adjacent(bench, 2)
    at = AddressTranslateSide(dut)
    hits = {"data": hit, "fetch": Access(hit.va, Kind.EXECUTE)}
    misses = {"data": miss, "fetch": Access(miss.va, Kind.EXECUTE)}

    async def cycles(who: str, distance: int | None) -> int:
        """From a miss to its answer: behind `distance` cycles of hits, or alone."""
        bench.data, bench.fetch = TranslateSide(dut, "data"), TranslateSide(dut, "fetch")
        await bench.invalidate_all()
        for hit in hits.values():
            await bench.translate(hit)
        pipes = pipes_of(bench)
        announced = distance or 0  # when the miss is; it is sent a cycle later
        for cycle in range(announced + 200):
            if who == "at" and cycle == announced + 1:
                at.request(Access(miss.va, Kind.AT_READ))
            for name, pipe in pipes.items():
                misses_next = name == who and cycle == announced
                sends_miss = name == who and cycle == announced + 1
                sends_hit = distance is not None and (name != who or cycle <= announced)
                following = misses[name] if misses_next else hits[name]
                pipe.drive(bench.cycle, following, pause=not (sends_hit or sends_miss))
            await bench.step()
            at.edge()
            if cycle > announced and not (at if who == "at" else pipes[who]).busy:
                return cycle - announced
        raise AssertionError(f"{who} waits while the other ports hit")

    for who in ("data", "fetch", "at"):
        alone = await cycles(who, None)
        beside = [await cycles(who, distance) for distance in range(6)]
        print(f"{who}: {alone} cycles alone, {beside} beside hits")
        assert set(beside) == ({alone} if who == "at" else {alone, alone + 2})


@bench_test(MmuBench)
async def at_waits_for_one_walk_at_most(bench):
    """Both ports miss with every command, and AT comes in each cycle of their walks: it takes as
    long as alone, or so long from the end of the walk on that it comes in."""
    operand, *pages = adjacent(bench, 64)
    at = AddressTranslateSide(bench.dut)
    await bench.check(operand)  # a walk cache has the tables
    pipes = pipes_of(bench)
    fetched = [replace(page, kind=Kind.EXECUTE) for page in pages]
    turns = {"data": itertools.cycle(pages), "fetch": itertools.cycle(fetched)}
    following = {name: next(turn) for name, turn in turns.items()}
    ends = []  # of walks of the ports

    async def step(*, quiet: bool = False) -> None:
        for name, pipe in pipes.items():
            pipe.drive(bench.cycle, following[name], pause=quiet)
        await bench.step()
        at.edge()
        for name, pipe in pipes.items():
            if taken := pipe.take():
                assert taken[1].cycles > 0, f"{taken[0]} hits"
                following[name] = next(turns[name])
                ends.append(bench.cycle - 1)

    async def cycles(*, quiet: bool = False) -> int:
        asked = bench.cycle
        at.request(replace(operand, kind=Kind.AT_READ))
        while at.busy:
            await step(quiet=quiet)
            assert bench.cycle < asked + 200, "AT waits while the ports miss"
        return bench.cycle - next((end for end in ends if end > asked), asked)

    alone = await cycles(quiet=True)
    for distance in range(30):
        for _ in range(distance):
            await step()
        assert await cycles() <= alone, f"AT {distance} cycles after the last one"
    assert len(ends) > 30


@bench_test(MmuBench)
async def at_and_a_miss_end_each_for_its_own(bench):
    """AT of a page comes in each cycle before, in and after a miss of another one: each gets the
    answer of its own walk, and the port hits afterwards."""
    operand, page = adjacent(bench, 2)
    at = AddressTranslateSide(bench.dut)
    alone = bench.golden(replace(operand, kind=Kind.AT_READ))
    for access in (page, Access(page.va, Kind.EXECUTE)):
        for distance in range(-14, 15):
            await bench.invalidate_all()
            for cycle in range(-14, 60):
                if cycle == 0:
                    side = bench.request(access)
                if cycle == distance:
                    at.request(replace(operand, kind=Kind.AT_READ))
                await bench.step()
                at.edge()
            note = f"AT {distance} cycles after {access.kind.name}"
            assert not at.busy and not side.busy, note
            compare(access, side.answer, bench.golden(access), note)
            assert at.par == par(alone), note
            again = await bench.check(access, note)
            assert again.cycles == 0, note
