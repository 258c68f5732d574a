"""Invalidation while a walk is in flight: at every cycle offset, for every kind, granule and level
(scenarios a1 to a6, a10; mutants B1, B2).

What software does is played in full. It moves a range of addresses to another table (old: PA_OLD
through the old table, new: PA_NEW through the new one), sends the invalidation, and once that is
complete reuses the old table, which then leads to PA_POISON. So a walk that outlives its
invalidation with an old table pointer in its hand is caught whatever it does afterwards.
"""

import os
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.geometry import geometry
from model.registers import HA
from model.tables import AF, NG, ap
from support.on import On
from unit.mmu.machine import GRANULES, LEAVES, Machine, operation, span, vas

SWEPT = ["every_entry_while_it_is_swept", "every_entry_before_it_is_swept"]
UPDATES = ["no_update_after_completion"]
SWAP = 200  # cycles of one that takes long
RUNS = [
    On("mmu:vmsa48_nocache"),
    # An invalidation is complete before its sweep; and there is a main TLB.
    On("mmu:vmsa48_main", tests=SWEPT + UPDATES),
    On("mmu:vmsa48_hashed", tests=UPDATES),  # the hashed table is there, and off
    On("mmu:blocking64", tests=UPDATES, rare=True),  # complete after its sweep
]

PA_OLD, PA_NEW, PA_POISON = 0x0123_4000_0000, 0x0456_8000_0000, 0x0789_C000_0000
LOW, HIGH = vas(12)
RESTARTS = ["walkRestart"]  # so many walks were caught in flight
KINDS = [
    (tlbi.Kind.ALL, False),
    (tlbi.Kind.ASID, False),
    *product(list(tlbi.Kind)[2:], (False, True)),
]


@dataclass
class Move:
    """The change of tables, in the three steps of software, and the invalidation. `last` operations
    may leave table entries cached, so with them only the leaf changes. `others` are resident
    before, so that the new entry goes elsewhere in the TLB."""

    kind: tlbi.Kind
    last: bool = False
    va: int = LOW
    granule: int = 12
    level: int = 3
    bits: int = AF | NG | ap(1)
    flags: int = 0
    others: tuple[int, ...] = ()

    def __post_init__(self):
        self.machine = Machine(self.granule, flags=self.flags)
        self.words = self.machine.memory.words
        self.op = operation(self.kind, self.va, self.granule, num=3, last_level=self.last)
        for n, other in enumerate(self.others):
            self.machine.map(other, PA_POISON + (n << 12))
        self.machine.map(self.va, PA_OLD, self.level, bits=self.bits)
        tables = self.machine.tables(self.va)
        self.leaf = tables.slot(self.va, self.level)
        self.above = None
        if not self.last and self.level > tables.geometry.start_level:
            self.above = tables.slot(self.va, self.level - 1)

    def _leaf(self, pa: int) -> int:
        size = span(self.granule, self.level)
        return pa >> size << size | self.bits | (3 if self.level == 3 else 1)

    def change(self) -> None:
        if self.above is None:
            self.words[self.leaf] = self._leaf(PA_NEW)
            return
        fresh = self.machine.tables(self.va)._new_table()
        index = self.leaf & (1 << self.granule) - 1
        self.words[fresh | index] = self._leaf(PA_NEW)
        self.words[self.above] = fresh | 3

    def reuse_old_table(self) -> None:
        if self.above is not None:
            self.words[self.leaf] = self._leaf(PA_POISON)


class Met(NamedTuple):
    """Where the walk was when the invalidation was accepted, and the cycles from then to the
    installation of what the access was answered with."""

    phase: str
    installed: int


def phase(bench: MmuBench, side, requested: int) -> str:
    """Where the walk was when the invalidation was accepted."""
    accepted = bench.inv.accepted
    if accepted <= requested:
        return "before the request"
    if side.answer and accepted >= side.answer.fired:
        return "answer" if accepted == side.answer.fired else "after"
    earlier = [r for r in bench.walk.reads if r.asked <= accepted]
    if not earlier:
        return "before the first read"
    read, number = earlier[-1], len(earlier)
    if accepted == read.asked:
        return f"read {number} asked"
    if not read.answered or accepted < read.answered:
        return f"read {number} waiting"
    return f"read {number} answered" if accepted == read.answered else f"read {number} examined"


async def race(bench: MmuBench, move: Move, access: Access, offset: int) -> Met:
    """Request at cycle 0, invalidation at `offset`."""
    bench.use(move.machine)
    await bench.invalidate_all()
    for va in move.others:
        await bench.translate(Access(va, access.kind))
    bench.walk.reads.clear()
    old = bench.golden(access)
    side, requested, poisoned = bench.side(access), None, False
    for now in range(min(offset, 0), 4000):
        if now == 0:
            requested = bench.cycle + 1
            bench.request(access)
        if now == offset:
            move.change()
            new = bench.golden(access)
            bench.inv.request(move.op, bench.cycle)
        await bench.step()
        if now >= offset and not bench.inv.busy and not poisoned:
            move.reuse_old_table()
            poisoned = True
        if now >= max(offset, 0) and poisoned and not side.busy:
            break
    else:
        raise AssertionError(f"offset {offset}: no end")
    where = phase(bench, side, requested)
    note = f"{move.op} offset {offset} ({where}):"
    met = Met(where, side.answer.fired - 1 - bench.inv.accepted)
    allowed = {new.pa} if side.answer.fired > bench.inv.done else {old.pa, new.pa}
    assert not side.answer.fault, f"{note} {side.answer}"
    assert side.answer.pa in allowed, f"{note} {side.answer}, allowed {[hex(a) for a in allowed]}"
    again = await bench.translate(access)
    assert (again.fault, again.pa) == (False, new.pa), f"{note} afterwards {again}"
    return met


async def sweep(bench: MmuBench, access: Access, latency: int, *move, **moves) -> set[str]:
    """Every offset from before the request until the invalidation comes after the answer."""
    bench.walk.latency = latency
    phases = set()
    for offset in range(-24, 400):
        of = Move(*move, va=access.va, **moves)
        phases.add((await race(bench, of, access, offset)).phase)
        if "after" in phases:
            return phases
    raise AssertionError("the sweep never came past the answer")


@bench_test(MmuBench, count=RESTARTS)
async def every_kind_at_every_offset(bench):
    """Scenarios a1, a2, a3: every kind of invalidation, at every cycle from well before the request
    until after the answer, for every granule, leaf level and memory latency; fetch and data."""
    ports = ((3, Kind.READ), (1, Kind.EXECUTE))
    for (granule, level), kind, (latency, which) in product(LEAVES, KINDS, ports):
        access = Access(vas(granule)[0] & -(1 << span(granule, level)), which)
        phases = await sweep(bench, access, latency, *kind, granule=granule, level=level)
        wanted = {"answer", "after", "before the request"}
        for n in range(1, level - geometry(granule, 16).start_level + 2):
            wanted |= {f"read {n} asked", f"read {n} answered"}
            if latency > 1:
                wanted |= {f"read {n} waiting"}
        assert wanted <= phases, f"never reached: {sorted(wanted - phases)}"
    restarts = bench.events["walkRestart"]
    assert restarts > 500, f"only {restarts} walks were caught in flight: the race was not reached"


@bench_test(MmuBench, count=RESTARTS)
async def upper_half_and_deep_addresses(bench):
    """Scenarios a1 and B11: the same in the upper half, where the operand's sign counts."""
    for granule, kind in product(GRANULES, KINDS):
        await sweep(bench, Access(vas(granule)[1], el=1), 2, *kind, granule=granule)
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench, count=RESTARTS)
async def every_entry_while_it_is_swept(bench):
    """Scenario a1 in its narrowest form: the walk installs into an entry just before, while and
    just after the invalidation looks at that entry; for a middle and the last entry. The first one
    is looked at so soon that no walk comes between: that installs with the command at the latest.
    """
    kinds = (tlbi.Kind.VA, tlbi.Kind.VA_ALL_ASIDS, tlbi.Kind.RANGE)
    first = 3 if os.environ["GRANULE_CONFIG"].endswith("_main") else 2  # when that is looked at
    installed = defaultdict(set)
    for kind, entry, level, latency in product(kinds, (0, 8, 15), (1, 3), (1, 2)):
        others = tuple(HIGH + (n << 12) for n in range(entry))
        bench.walk.latency = latency
        for offset in range(0, 14 + 3 * latency):
            move = Move(kind, level=level, others=others)
            met = await race(bench, move, Access(LOW), offset)
            installed[entry].add(met.installed - first - entry)
    assert -first in installed[0], installed
    assert {-1, 0, 1} <= installed[8] & installed[15], installed
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench)
async def every_entry_before_it_is_swept(bench):
    """Scenario a1: the page is resident, in the first, a middle or the last entry, and is asked for
    at every cycle of the invalidation: never the old one after `done`."""
    for kind, before, offset in product(tlbi.Kind, (0, 1, 8, 15), range(-24, 3)):
        others = (*(HIGH + (n << 12) for n in range(before)), LOW)
        await race(bench, Move(kind, others=others), Access(LOW), offset)


@bench_test(MmuBench, count=RESTARTS)
async def slow_memory_ghost_response(bench):
    """Scenarios a4, a6 (ghost response): with a slow memory the answer to a read of the killed walk
    comes long after; it must not be taken for that of the walk that follows."""
    for kind in KINDS:
        assert "read 4 waiting" in await sweep(bench, Access(LOW), 20, *kind)
    assert bench.events["walkRestart"] > 100


@bench_test(MmuBench, count=RESTARTS)
async def many_kills_of_one_walk(bench):
    """Scenario a10: one access whose walk is killed again and again (more than any counter of
    aborted answers would hold); it ends as soon as the invalidations stop."""
    machine = Machine(12)
    machine.map(LOW, PA_NEW)
    bench.use(machine)
    bench.walk.latency = 30
    side = bench.request(Access(LOW))
    for _ in range(20):
        await bench.invalidate(operation(tlbi.Kind.VA, LOW))
    assert side.busy, "the storm was over too early to mean anything"
    bench.walk.latency = 1
    await bench.until(lambda: not side.busy, "the access after the storm")
    assert not side.answer.fault and side.answer.pa == bench.golden(Access(LOW)).pa
    assert bench.events["walkRestart"] > 4


@bench_test(MmuBench)
async def no_update_after_completion(bench):
    """An invalidation at every moment of a walk that sets the access flag, with a compare-and-swap
    that is taken late and takes longer than any sweep: the old table belongs to somebody else as
    soon as the invalidation is complete, and does not change any more. A slow read holds nothing
    back."""
    port = bench.walk
    port.late = True
    port.latency = lambda: SWAP if port.open.swap else 1
    taken = 0

    def ready() -> bool:
        nonlocal taken
        if bench.dut.io_walk_cmd_valid.value and bench.dut.io_walk_cmd_payload_swap.value:
            taken += 1
            return taken > 6
        return True

    port.ready = ready
    held_back = updated = untouched = 0
    for kind in tlbi.Kind:
        for offset in range(0, 36 if kind is not tlbi.Kind.VA else 110):
            move = Move(kind, bits=NG | ap(1), flags=HA)
            bench.use(move.machine)
            await bench.invalidate_all()
            port.swaps.clear()
            taken = 0
            side = bench.request(Access(LOW))
            await bench.step(offset)
            move.change()
            await bench.invalidate(move.op)
            old = move.words[move.leaf]
            await bench.until(lambda s=side: not s.busy, "translation")
            await bench.step(SWAP + 10)
            assert move.words[move.leaf] == old, f"{kind.name} at {offset}"
            held_back += bench.inv.cycles > 40
            updated += bool(old & AF)
            untouched += not old & AF
    assert held_back > 20 and updated > 20 and untouched > 20, (held_back, updated, untouched)
