"""Which entries does an invalidation remove? Every page is filled into the TLB, then all tables are
changed behind its back, then the invalidation is sent: who still answers with the old address was
kept, who answers with the new one was removed.
"""

from dataclasses import dataclass

from drivers.lockstep import MmuBench
from model import Access, Kind
from model.tables import AF, NG, ap
from model.tlbi import Entry, Invalidation, must_go
from unit.mmu.machine import Machine, span

OLD, NEW = 0x0100_0000_0000, 0x0200_0000_0000
USER = AF | ap(1)


@dataclass(frozen=True)
class Resident:
    """One entry to be: `touch` is the address inside its span that is accessed."""

    va: int
    level: int
    asid: int = 1
    ng: bool = True
    touch: int = 0

    def entry(self, granule: int) -> Entry:
        return Entry(self.va, span(granule, self.level), granule, self.level, self.asid, self.ng)


class Experiment:
    """Residents of one machine. Entries of one address and several ASIDs share their descriptor."""

    def __init__(self, bench: MmuBench, machine: Machine, residents, kind: Kind = Kind.READ):
        self.bench, self.machine, self.kind = bench, machine, kind
        self.residents = list(residents)

    def _write(self, base: int) -> None:
        for n, r in enumerate(sorted({(r.va, r.level, r.ng) for r in self.residents})):
            va, level, ng = r
            pa = base + (n << 36) if span(self.machine.granule, level) > 30 else base + (n << 30)
            self.machine.map(va, pa, level, bits=USER | NG * ng)

    async def _translate(self, r: Resident):
        access = Access((r.va + r.touch) & (1 << 64) - 1, self.kind)
        registers = self.machine.registers
        if registers.asid != r.asid:
            registers = self.machine.with_asid(r.asid)
        self.bench.context(registers)
        return access, await self.bench.translate(access)

    async def fill(self) -> None:
        """All residents are in the TLB; their tables then say something else."""
        bench = self.bench
        bench.use_memory(self.machine.memory)
        self._write(OLD)
        await bench.invalidate_all()
        for r in self.residents:
            access, answer = await self._translate(r)
            assert answer.pa == bench.golden(access).pa, f"fill {r}: {answer}"
        for r in self.residents:
            _, answer = await self._translate(r)
            assert answer.cycles == 0, f"{r} did not stay: too many entries for this test"
        self._write(NEW)

    async def kept(self) -> list[bool]:
        """For each resident: is it still there? What is there must be what was put there."""
        result = []
        for r in self.residents:
            access, answer = await self._translate(r)
            fresh = self.bench.golden(access)
            stale = fresh.pa - NEW + OLD
            assert answer.pa in (stale, fresh.pa), f"{r}: {answer} is neither old nor new"
            result.append(answer.pa == stale)
        return result

    async def run(self, op: Invalidation, *, exact: bool = True, context=None) -> None:
        """Fills, invalidates, compares with the model; `context` is in force meanwhile."""
        await self.fill()
        if context is not None:
            self.bench.context(context)
        await self.bench.invalidate(op)
        await self.compare([op], exact=exact)

    async def compare(self, ops, *, exact: bool = True) -> None:
        granule = self.machine.granule
        for r, kept in zip(self.residents, await self.kept(), strict=True):
            must = any(must_go(op, r.entry(granule)) for op in ops)
            assert not (must and kept), f"{r} survived {[describe(op) for op in ops]}"
            if exact:
                assert kept or must, f"{r} was removed without need by {[*map(describe, ops)]}"


def describe(op: Invalidation) -> str:
    return f"{op.kind.name} {op.operand:#018x} last={op.last_level:d} ds={op.ds:d}"
