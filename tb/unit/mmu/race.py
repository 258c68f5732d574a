"""A walk and an invalidation side by side: what software does is played in full.

It moves a range of addresses to another table (old: PA_OLD through the old table, new: PA_NEW
through the new one), sends the invalidation, and once that is complete reuses the old table, which
then leads to PA_POISON. So a walk that outlives its invalidation with an old table pointer in its
hand is caught whatever it does afterwards.
"""

from dataclasses import dataclass

from drivers.lockstep import MmuBench
from model import Access, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Invalidation
from unit.mmu.machine import Machine, span

PA_OLD, PA_NEW, PA_POISON = 0x0123_4000_0000, 0x0456_8000_0000, 0x0789_C000_0000


def operation(kind: tlbi.Kind, last: bool, va: int, granule: int, asid: int) -> Invalidation:
    if kind.is_range:
        operand = tlbi.range_operand(va & (1 << 64) - 1, granule, 3, 0, asid=asid)
    else:
        operand = tlbi.va_operand(va, asid)
    return Invalidation(kind, operand, last)


@dataclass
class Move:
    """The change of tables, in the three steps of software. `last` operations may leave table
    entries cached, so with them only the leaf changes."""

    machine: Machine
    va: int
    level: int
    last: bool
    leaf_bits: int = AF | NG | ap(1)

    def __post_init__(self):
        self.machine.map(self.va, PA_OLD, self.level, bits=self.leaf_bits)
        tables = self.machine.tables(self.va)
        self.leaf = tables.slot(self.va, self.level)
        self.above = None
        if not self.last and self.level > tables.geometry.start_level:
            self.above = tables.slot(self.va, self.level - 1)

    def _leaf(self, pa: int) -> int:
        size = span(self.machine.granule, self.level)
        return pa >> size << size | self.leaf_bits | (3 if self.level == 3 else 1)

    def change(self) -> None:
        words = self.machine.memory.words
        if self.above is None:
            words[self.leaf] = self._leaf(PA_NEW)
            return
        tables = self.machine.tables(self.va)
        fresh = tables._new_table()
        index = self.leaf & (1 << self.machine.granule) - 1
        words[fresh | index] = self._leaf(PA_NEW)
        words[self.above] = fresh | 3

    def reuse_old_table(self) -> None:
        if self.above is not None:
            self.machine.memory.words[self.leaf] = self._leaf(PA_POISON)


def phase(bench: MmuBench, side, accepted: int, requested: int) -> str:
    """Where the walk was when the invalidation was accepted."""
    if accepted <= requested:
        return "before the request"
    if side.answer and accepted >= side.answer.fired:
        return "answer" if accepted == side.answer.fired else "after"
    earlier = [r for r in bench.walk.reads if r.asked <= accepted]
    if not earlier:
        return "before the first read"
    read = earlier[-1]
    number = len(earlier)
    if accepted == read.asked:
        return f"read {number} asked"
    if not read.answered or accepted < read.answered:
        return f"read {number} waiting"
    return f"read {number} answered" if accepted == read.answered else f"read {number} examined"


async def race(
    bench: MmuBench,
    move: Move,
    op: Invalidation,
    access: Access,
    offset: int,
    *,
    others=(),
    stays: bool = False,
) -> str:
    """Request at cycle 0, invalidation at `offset`; returns the phase that was hit. `others` are
    resident before, so that the new entry goes elsewhere in the TLB. `stays`: the invalidation
    covers the tables, but not a leaf that was found before it."""
    machine = move.machine
    bench.use(machine)
    await bench.invalidate_all()
    await bench.swept()
    for va in others:
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
            bench.inv.request(op, bench.cycle)
        await bench.step()
        if now >= offset and not bench.inv.busy and not poisoned:
            move.reuse_old_table()
            poisoned = True
        if now >= max(offset, 0) and poisoned and not side.busy:
            break
    else:
        raise AssertionError(f"offset {offset}: no end")
    where = phase(bench, side, bench.inv.accepted, requested)
    note = f"{op.kind.name} last={op.last_level} offset {offset} ({where}):"
    allowed = {new.pa} if side.answer.fired > bench.inv.done else {old.pa, new.pa}
    assert not side.answer.fault, f"{note} {side.answer}"
    assert side.answer.pa in allowed, f"{note} {side.answer}, allowed {[hex(a) for a in allowed]}"
    kept = stays and bench.walk.reads[-1].asked <= bench.inv.accepted
    again = await bench.translate(access)
    expected = side.answer.pa if kept else new.pa
    assert (again.fault, again.pa) == (False, expected), f"{note} afterwards {again}"
    return where


async def sweep(
    bench: MmuBench, make_move, op_of, access: Access, latency: int, **options
) -> set[str]:
    """Every offset from before the request until the invalidation comes after the answer."""
    bench.walk.latency = latency
    phases = set()
    for offset in range(-24, 400):
        move = make_move()
        where = await race(bench, move, op_of(move), access, offset, **options)
        phases.add(where)
        if where == "after":
            return phases
    raise AssertionError("the sweep never came past the answer")
