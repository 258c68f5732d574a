"""Random traffic against the golden model: tables that change by the rules, invalidations, task
switches, bus errors and memory delays, on both ports at once (the scenario matrix as a whole).

SEED: repeats a run; COUNT: translations a granule. A failure prints the seed and writes a vector
file with the machine state and the access, which `make conformance` replays."""

import os
import random
from collections import deque
from pathlib import Path

import cocotb

from mmu.lockstep import MmuBench, compare, same
from mmu.machine import EPAN, GRANULES, WXN, Machine, leaf_levels, span
from model import Access, Fault, Kind, Memory, tlbi, translate, vectors
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, range_operand, va_operand
from support.run import ROOT

M64 = (1 << 64) - 1
DATA_KINDS = (Kind.READ, Kind.WRITE, Kind.ATOMIC)


class World:
    """Two address spaces that share their upper half, in a few regions that are remapped again and
    again; software follows break-before-make."""

    def __init__(self, rng: random.Random, granule: int):
        self.rng, self.granule = rng, granule
        tnsz = rng.choice((16, 17, 22, 25, 28, 33))
        flags = rng.choice((0, 1 << 41, 1 << 37, 1 << 38, 1 << 56))
        sctlr = 1 | 1 << 2 | rng.choice((0, WXN, EPAN))
        options = {"granule": granule, "t0sz": tnsz, "t1sz": tnsz, "flags": flags, "sctlr": sctlr}
        self.memory = Memory()
        self.spaces = [
            Machine(**options, asid=asid, base=0x4000_0000 * asid, memory=self.memory)
            for asid in (1, 2)
        ]
        upper = self.spaces[0].registers.ttbr1
        for space in self.spaces:
            space.upper = self.spaces[0].upper
            space.registers = space.registers.__class__(
                **{**_fields(space.registers), "ttbr1": upper}
            )
        self.size = 64 - tnsz
        self.regions = self._regions()
        self.mapped: dict[tuple[int, int], int] = {}

    def _regions(self) -> list[int]:
        """Starts of regions as large as the largest block, so that sizes can change within."""
        largest = span(self.granule, min(self._levels()))
        room = max(1 << self.size >> largest, 1)
        low = [n * (1 << largest) for n in {0, room // 2, room - 1}]
        top = (M64 + 1) - (1 << self.size)
        return low + [top + va for va in low]

    def _levels(self) -> list[int]:
        start = self.spaces[0].lower.geometry.start_level
        return [n for n in leaf_levels(self.granule)
                if n >= start and span(self.granule, n) <= self.size]  # fmt: skip

    def address(self) -> int:
        """Mostly near what is mapped, sometimes anywhere."""
        rng = self.rng
        if rng.random() < 0.03:
            return rng.randrange(1 << 64)
        if self.mapped and rng.random() < 0.85:
            (space, va), level = rng.choice(list(self.mapped.items()))
            return va + rng.randrange(1 << span(self.granule, level)) & M64
        region = rng.choice(self.regions)
        return region + (rng.randrange(4) << self.granule) + rng.randrange(1 << self.granule) & M64

    def change(self, story=None) -> Invalidation | None:
        """Maps a free place, or takes a mapping away; returns the invalidation that software
        owes."""
        rng = self.rng
        if self.mapped and (rng.random() < 0.4 or len(self.mapped) > 20):
            (which, va), level = rng.choice(list(self.mapped.items()))
            del self.mapped[which, va]
            self.removed = which, va, level
            self.spaces[which].unmap(va, level)
            op = self._owed(va, level, which)
            _tell(story, f"unmap {va:#x} level {level} of {which}: {op.kind.name} {op.operand:#x}")
            return op
        level = rng.choice(self._levels())
        size = 1 << span(self.granule, level)
        region = rng.choice(self.regions)
        va = region + rng.randrange(4) * size & -size & M64
        which = 0 if va >> 55 & 1 else rng.randrange(2)
        if not self._canonical(va) or self._taken(which, va, size):
            return None
        ng = 0 if va >> 55 & 1 else NG
        bits = AF * (rng.random() < 0.95) | ng | ap(rng.randrange(4)) | rng.randrange(3) << 2
        bits |= rng.randrange(4) << 53
        pa = rng.randrange(1 << 47) & -size
        try:
            slot = self.spaces[which].map(va, pa, level, bits=bits)
        except ValueError:
            return None
        if rng.random() < 0.05:
            self.memory.errors.add(slot)
        else:
            self.memory.errors.discard(slot)
        self.mapped[which, va] = level
        _tell(story, f"map {va:#x} level {level} of {which}")
        return None

    def _canonical(self, va: int) -> bool:
        top = (M64 + 1) - (1 << self.size)
        return va < 1 << self.size or va >= top

    def _taken(self, which: int, va: int, size: int) -> bool:
        if self.spaces[which].tables(va).memory.words.get(self._slot_or_none(which, va, size), 0):
            return True
        for (space, other), level in self.mapped.items():
            length = 1 << span(self.granule, level)
            if space == which and va < other + length and other < va + size:
                return True
        return False

    def _slot_or_none(self, which: int, va: int, size: int) -> int:
        level = next(n for n in self._levels() if 1 << span(self.granule, n) == size)
        try:
            return self.spaces[which].tables(va).slot(va, level)
        except (KeyError, ValueError):
            return -1

    def _owed(self, va: int, level: int, which: int) -> Invalidation:
        """Any kind that covers the address; software with global pages uses an all-ASID form."""
        rng, shared = self.rng, bool(va >> 55 & 1)
        inside = va + rng.randrange(1 << span(self.granule, level)) & M64
        asid = self.spaces[which].asid
        kinds = [tlbi.Kind.ALL, tlbi.Kind.VA_ALL_ASIDS, tlbi.Kind.RANGE_ALL_ASIDS]
        kinds += [tlbi.Kind.VA, tlbi.Kind.RANGE] + [tlbi.Kind.ASID] * (not shared)
        kind = rng.choice(kinds)
        if kind.is_range:
            base = inside & -(1 << self.granule)
            operand = range_operand(base, self.granule, rng.randrange(32), rng.randrange(4),
                                    asid=asid)  # fmt: skip
        else:
            operand = va_operand(inside, asid)
        return Invalidation(kind, operand, rng.random() < 0.5)

    def covered(self, va: int, asid: int) -> bool:
        """Was `va` in the mapping that was taken away last?"""
        which, start, level = self.removed
        mine = bool(va >> 55 & 1) or self.spaces[which].asid == asid
        return mine and 0 <= va - start < 1 << span(self.granule, level)


def _tell(story, line: str) -> None:
    if story is not None:
        story.append(line)


def _fields(registers) -> dict:
    return {name: getattr(registers, name) for name in registers.__dataclass_fields__}


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
    vectors.write(path, [case], source="tb/mmu/cocotb_mmu_random.py", seed=seed)
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
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 32))
    count = int(os.environ.get("COUNT") or 2000)
    print(f"random traffic: seed {seed}", flush=True)
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
