"""Latency of invalidations and of hits: that of the configuration, and the same for every kind.
The figures go to build/results/invalidate.json.
"""

import os
import random
from itertools import pairwise

import cocotb

from drivers.lockstep import MmuBench, compare
from drivers.ports import AddressTranslateSide, TranslateSide
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tlbi import Invalidation, range_length, range_operand, va_operand
from support import results
from support.configurations import invalidation_cycles
from support.on import On
from unit.mmu.machine import Machine, vas
from unit.mmu.pipe import Pipe

RUNS = [On("mmu:teaching"), On("mmu:vmsa48_nocache")]


def operations(va: int) -> dict[str, Invalidation]:
    thousand = next(
        (num, scale) for scale in range(4) for num in range(32) if range_length(num, scale) == 1024
    )
    ops = {
        "all": Invalidation(tlbi.Kind.ALL),
        "asid": Invalidation(tlbi.Kind.ASID, va_operand(0, 1)),
        "va": Invalidation(tlbi.Kind.VA, va_operand(va, 1)),
        "va, last level": Invalidation(tlbi.Kind.VA, va_operand(va, 1), True),
        "va, all ASIDs": Invalidation(tlbi.Kind.VA_ALL_ASIDS, va_operand(va)),
    }
    for pages, (num, scale) in ((2, (0, 0)), (1024, thousand), (1 << 21, (31, 3))):
        operand = range_operand(va, 12, num, scale, asid=1)
        ops[f"range of {pages} pages"] = Invalidation(tlbi.Kind.RANGE, operand)
        ops[f"range of {pages} pages, all ASIDs"] = Invalidation(tlbi.Kind.RANGE_ALL_ASIDS, operand)
    return ops


def mapped(bench: MmuBench, pages: int) -> int:
    """Maps adjacent pages of 4K; returns the address of the first."""
    machine = Machine(12)
    base = vas(12)[0]
    for n in range(pages):
        machine.map(base + (n << 12), 0x1000_0000 + (n << 12))
    bench.use(machine)
    return base


async def swept(bench: MmuBench) -> None:
    """The sweep of the last command may go on after its completion; the next one waits for it."""
    await bench.until(lambda: bench.inv.ready, "the end of the sweep")


@bench_test(MmuBench)
async def every_kind_takes_the_same_cycles(bench):
    """Issue: an invalidation of any kind, a range of 1024 pages included, completes in the same
    number of cycles: from an idle MMU, from a full TLB, and while a walk waits for memory."""
    machine = Machine(12)
    base = vas(12)[0]
    pages = [base + (n << 12) for n in range(16)]
    for va in pages:
        machine.map(va, 0x1000_0000 + (va & 0xFFFF))
    bench.use(machine)
    figures = {}
    for name, op in operations(base).items():
        await swept(bench)
        idle = await bench.invalidate(op)
        for va in pages:
            await bench.translate(Access(va))
            if va in pages[:8]:
                await bench.translate(Access(va, Kind.EXECUTE))
        full = await bench.invalidate(op)
        await swept(bench)
        await bench.invalidate_all()
        await swept(bench)
        bench.walk.latency = 300
        bench.request(Access(base))
        await bench.step(5)
        walking = await bench.invalidate(op)
        assert bench.data.busy, "the walk was over: the case was not reached"
        bench.walk.latency = 1
        await bench.until(lambda: not bench.data.busy, "the access")
        figures[name] = {"idle": idle, "full": full, "walking": walking}
    cycles = {n for by_state in figures.values() for n in by_state.values()}
    config = os.environ["GRANULE_CONFIG"]
    assert cycles == {invalidation_cycles(config)}, figures
    name = "invalidate" if config == "teaching" else f"invalidate-{config}"
    told = {"unit": "cycles from the command to done", "kinds": figures}
    results.write(name, config, told, command="pytest tb/unit/mmu/cocotb_mmu_latency.py")


@bench_test(MmuBench)
async def invalidations_do_not_depend_on_the_load(bench):
    """The bound holds under random traffic on both ports with a slow, refusing memory; and traffic
    goes on (scenario h33, microwatt c78d9b3)."""
    rng = random.Random(33)
    bench.walk.latency = lambda: rng.choice((1, 2, 7, 20))
    bench.walk.ready = lambda: rng.random() < 0.4
    base = mapped(bench, 40)
    alone = await bench.invalidate_all()
    ops, served = list(operations(base).values()), 0
    for _ in range(9000):
        if not bench.inv.busy and bench.inv.ready and rng.random() < 0.01:
            if bench.inv.completions:
                assert bench.inv.cycles == alone
            bench.inv.request(rng.choice(ops), bench.cycle)
        for side, kind in ((bench.data, Kind.READ), (bench.fetch, Kind.EXECUTE)):
            if not side.busy:
                served += 1
                bench.request(Access(base + (rng.randrange(40) << 12), kind))
        await bench.step()
    await bench.until(lambda: not (bench.data.busy or bench.fetch.busy), "the last accesses")
    assert served > 100, f"only {served} accesses were answered"


def pipes_of(bench: MmuBench) -> dict[str, Pipe]:
    """Masters that may send a command in every cycle take the place of those of the bench."""
    pipes = {name: Pipe(bench.dut, name, random.Random(0)) for name in ("data", "fetch")}
    bench.data, bench.fetch = pipes["data"], pipes["fetch"]
    return pipes


@bench_test(MmuBench)
async def a_hit_takes_no_cycle(bench):
    """Contract of the translate port: one access a cycle while they hit, on both ports at once."""
    base = mapped(bench, 8)
    for n in range(8):
        for kind in (Kind.READ, Kind.EXECUTE):
            await bench.check(Access(base + (n << 12), kind))
    answers = 0
    pipes = pipes_of(bench)
    for n in range(101):
        pipes["data"].drive(bench.cycle, Access(base + (n % 8 << 12)))
        pipes["fetch"].drive(bench.cycle, Access(base + (n % 7 << 12), Kind.EXECUTE))
        await bench.step()
        for access, answer in filter(None, (pipe.take() for pipe in pipes.values())):
            assert answer.cycles == 0, access
            compare(access, answer, bench.golden(access))
            answers += 1
    assert answers == 200


@bench_test(MmuBench)
async def after_a_miss_hits_take_no_cycle_again(bench):
    """The next command comes two cycles after the answer of one that waited, as that was announced
    till then; from there on one comes in each cycle."""
    base = mapped(bench, 8)
    await bench.check(Access(base))
    port = pipes_of(bench)["data"]
    port.drive(bench.cycle, Access(base + 0x1000))
    fired = []
    for _ in range(60):
        await bench.step()
        if taken := port.take():
            access, answer = taken
            compare(access, answer, bench.golden(access))
            assert (answer.cycles == 0) == (access.va == base), access
            fired.append(answer.fired)
        port.drive(bench.cycle, Access(base))
    assert [b - a for a, b in pairwise(fired)] == [2] + [1] * (len(fired) - 2)
    assert len(fired) > 30


@cocotb.test()
async def hits_of_one_port_do_not_hold_up_walks(dut):
    """Both ports hit in every cycle, and then one misses while the other goes on. Wherever in the
    stream that is, it takes as long as alone if it has the turn. Else it takes two cycles more, as
    its keys are compared again first; AT, which has none, takes one."""
    bench = await MmuBench.start(dut)
    base = mapped(bench, 2)
    at = AddressTranslateSide(dut)
    hits = {"data": Access(base), "fetch": Access(base, Kind.EXECUTE)}
    misses = {"data": Access(base + 0x1000), "fetch": Access(base + 0x1000, Kind.EXECUTE)}

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
                at.request(Access(base + 0x1000, Kind.AT_READ))
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
        assert set(beside) == {alone, alone + (1 if who == "at" else 2)}
