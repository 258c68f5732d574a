"""Random traffic against the golden model: tables that change by the rules, invalidations, task
switches, bus errors and memory delays, on both ports at once (the scenario matrix as a whole).

SEED: repeats a run; COUNT: translations a granule. A failure prints the seed and writes a vector
file with the machine state and the access, which `make conformance` replays."""

import os
import random
from collections import deque
from pathlib import Path

import cocotb

from drivers.lockstep import MmuBench, compare, same
from model import Access, Fault, Kind, Memory, translate, vectors
from support.on import On
from support.run import ROOT
from support.seed import run_seed
from unit.mmu.machine import GRANULES
from unit.mmu.world import World

RUNS = [
    On("mmu:vmsa48_nocache"),
    On("mmu:vmsa48_main"),  # invalidations are complete before the sweep; and a main TLB
    On("mmu:vmsa48_hashed"),  # the hashed table is there, and off
]

DATA_KINDS = (Kind.READ, Kind.WRITE, Kind.ATOMIC)


def save(bench: MmuBench, access: Access, expected, seed: int) -> Path:
    """The state of the machine and the access that went wrong, as a vector file."""
    outcome = (
        {"fsc": expected.status}
        if isinstance(expected, Fault)
        else {"pa": expected.pa, "attr": expected.attr}
    )
    check = vectors.Check(access.va, access.el, access.kind, access.pan, **outcome)
    case = vectors.Case(
        bench.registers, dict(bench.memory.words), (check,), frozenset(bench.memory.errors)
    )
    path = ROOT / "build" / "sim" / f"random-{seed}.json.gz"
    vectors.write(path, [case], source="tb/unit/mmu/cocotb_mmu_random.py", seed=seed)
    return path


async def traffic(bench: MmuBench, world: World, count: int, seed: int) -> dict[str, int]:
    """`count` translations on both ports; between them tables change by the rules. Every answer is
    that of the tables as they were at some moment while the access waited."""
    rng = world.rng
    seen = {"hits": 0, "faults": 0, "walks": 0, "invalidations": 0, "errors": 0}
    bench.use_memory(world.memory)
    bench.context(world.spaces[0].registers)
    await bench.invalidate_all()
    for _ in range(12):
        world.change()
    done, waiting, owed, old = 0, {}, None, Memory()
    story: deque[str] = deque(maxlen=40)  # what happened last, for the report of a failure

    def before(access: Access):
        return translate(bench.registers, bench.features, old, access)

    def now_possible() -> None:
        for access, outcomes in waiting.values():
            outcomes.append(bench.golden(access))

    while done < count:
        for side in (bench.data, bench.fetch):
            if not side.busy and side.name not in waiting and rng.random() < 0.7:
                kind = Kind.EXECUTE if side is bench.fetch else rng.choice(DATA_KINDS)
                access = Access(world.address(), kind, rng.randrange(2), rng.random() < 0.3)
                waiting[side.name] = (access, [bench.golden(access)])
                if owed:  # what is about to go may still answer
                    waiting[side.name][1].append(before(access))
                bench.request(access)
        # Software: a change of the tables, and the invalidation that it owes before the next one.
        if owed is None and not bench.inv.busy:
            if rng.random() < 0.03:
                old = Memory(world.memory.words, world.memory.errors)
                owed = world.change(story)
                now_possible()
                if owed:
                    bench.inv.request(owed, bench.cycle)
                    seen["invalidations"] += 1
            elif rng.random() < 0.05 and not waiting:
                bench.context(rng.choice(world.spaces).registers)
        await bench.step()
        if owed and not bench.inv.busy:
            owed = None
            story.append(f"{bench.cycle} invalidation done")
            # For what it covered, only what the tables say now counts from here on.
            for name, (access, _) in waiting.items():
                if getattr(bench, name).busy and world.covered(access.va, bench.registers.asid):
                    waiting[name] = (access, [bench.golden(access)])
        for side in (bench.data, bench.fetch):
            if side.name in waiting and not side.busy:
                access, outcomes = waiting.pop(side.name)
                done += 1
                story.append(f"{bench.cycle} {side.name} {access.va:#x}: {side.answer}")
                seen["hits"] += side.answer.cycles == 0
                seen["walks"] += side.answer.cycles > 0
                seen["faults"] += side.answer.fault
                seen["errors"] += side.answer.fault and 0x14 <= side.answer.status <= 0x17
                if not any(same(side.answer, outcome) for outcome in outcomes):
                    print(*story, sep="\n", flush=True)
                    path = save(bench, access, outcomes[-1], seed)
                    compare(access, side.answer, outcomes[-1],
                            f"seed {seed}, replay {path.relative_to(ROOT)}:")  # fmt: skip
    return seen


@cocotb.test()
async def random_traffic(dut):
    """Everything at once, 2,000 translations a granule in several worlds."""
    seed = run_seed()
    count = int(os.environ.get("COUNT") or 2000)
    rng = random.Random(seed)
    bench = await MmuBench.start(dut)
    total: dict[str, int] = {}
    for granule in GRANULES:
        for _ in range(8):
            slow = rng.choice(((1,), (1, 2, 3), (1, 5, 30)))
            ready = rng.choice((1.0, 0.5))
            bench.walk.latency = lambda choices=slow: rng.choice(choices)
            bench.walk.ready = lambda share=ready: rng.random() < share
            seen = await traffic(bench, World(rng, granule), count // 8, seed)
            await bench.until(lambda: not (bench.inv.busy or bench.data.busy or bench.fetch.busy),
                              "the end of the world")  # fmt: skip
            total = {key: total.get(key, 0) + n for key, n in seen.items()}
    print(f"random traffic: {total}", flush=True)
    if count >= 2000:
        assert all(n > 20 for n in total.values()), f"not everything happened: {total}"
