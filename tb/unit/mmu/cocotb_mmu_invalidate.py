"""What each invalidation removes, and what it leaves (spec 8.2 to 8.4; scenarios a5, b11, 36).

Every page is filled into the TLB, then all tables are changed behind its back, then the
invalidation is sent: who still answers with the old address was kept, who answers with the new one
was removed. The MMU promises more than the architecture asks: without a TTL hint it removes exactly
what the model says must go, so both directions are checked.
"""

import random
from dataclasses import dataclass, replace
from itertools import product

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Entry, Invalidation, must_go, range_length, range_operand, va_operand
from support.on import On
from unit.mmu.machine import (
    GRANULES,
    LEAVES,
    M64,
    UPPER,
    Machine,
    operation,
    span,
    vas,
)

RUNS = [
    On("mmu:vmsa48_nocache"),
    On("mmu:vmsa48_main"),  # they are complete before the sweep; and a main TLB
    On("mmu:vmsa48_hashed"),  # the hashed table is there, and off
    On("mmu:wide", tests=["range_with_a_base_in_64k_steps"]),
]

OLD, NEW = 0x0100_0000_0000, 0x0200_0000_0000
USER = AF | ap(1)
SIDES = (Kind.READ, Kind.EXECUTE)
BLOCKS = [leaf for leaf in LEAVES if leaf[1] < 3]


@dataclass(frozen=True)
class Resident:
    """One entry to be: `touch` is the address inside its span that is accessed."""

    va: int
    level: int = 3
    asid: int = 1
    ng: bool = True
    touch: int = 0

    def entry(self, granule: int) -> Entry:
        return Entry(self.va, span(granule, self.level), granule, self.level, self.asid, self.ng)


class Bench(MmuBench):
    """With residents of one machine. Entries of one address and several ASIDs share their
    descriptor."""

    machine: Machine
    residents: list[Resident]
    kind: Kind

    def _write(self, base: int) -> None:
        for n, r in enumerate(sorted({(r.va, r.level, r.ng) for r in self.residents})):
            va, level, ng = r
            pa = base + (n << 36) if span(self.machine.granule, level) > 30 else base + (n << 30)
            self.machine.map(va, pa, level, bits=USER | NG * ng)

    async def _translate(self, r: Resident):
        access = Access((r.va + r.touch) & M64, self.kind)
        registers = self.machine.registers
        if registers.asid != r.asid:
            registers = self.machine.with_asid(r.asid)
        self.context(registers)
        return access, await self.translate(access)

    async def fill(self, residents, machine: Machine, kind: Kind = Kind.READ) -> None:
        """All residents are in the TLB; their tables then say something else."""
        self.residents, self.machine, self.kind = list(residents), machine, kind
        self.use_memory(machine.memory)
        self._write(OLD)
        await self.invalidate_all()
        for r in self.residents:
            access, answer = await self._translate(r)
            assert answer.pa == self.golden(access).pa, f"fill {r}: {answer}"
        for r in self.residents:
            _, answer = await self._translate(r)
            assert answer.cycles == 0, f"{r} did not stay: too many entries for this test"
        self._write(NEW)

    async def kept(self, r: Resident) -> bool:
        """Is it still there? What is there must be what was put there."""
        access, answer = await self._translate(r)
        fresh = self.golden(access)
        stale = fresh.pa - NEW + OLD
        assert answer.pa in (stale, fresh.pa), f"{r}: {answer} is neither old nor new"
        return answer.pa == stale

    async def compare(self, *ops: Invalidation, exact: bool = True) -> None:
        """Of all residents, what these have removed, with the model."""
        for r in self.residents:
            kept = await self.kept(r)
            must = any(must_go(op, r.entry(self.machine.granule)) for op in ops)
            assert not (must and kept), f"{r} survived {ops}"
            if exact:
                assert kept or must, f"{r} was removed without need by {ops}"

    async def run(self, op: Invalidation, residents, granule=12, kind=Kind.READ, *, exact=True,
                  context=None) -> None:  # fmt: skip
        """Fills, invalidates, compares with the model; `context` is in force meanwhile."""
        await self.fill(residents, Machine(granule), kind)
        if context is not None:
            self.context(context)
        await self.invalidate(op)
        await self.compare(op, exact=exact)


def in_a_row(start: int, size: int, rng: random.Random, level: int) -> list[Resident]:
    """A leaf and its neighbours, each touched somewhere."""
    return [Resident((start + n * size) & M64, level, touch=rng.randrange(size))
            for n in (-1, 0, 1)]  # fmt: skip


def ops_for(va: int, granule: int, asid: int):
    for kind in tlbi.Kind:
        yield operation(kind, va, granule, asid=asid)
        if kind >= tlbi.Kind.VA:
            yield operation(kind, va, granule, asid=asid, last_level=True)


@bench_test(Bench)
async def table_of_what_must_go(bench):
    """Scenarios a5, a9, b11, B3, B4: every kind against global entries, the same ASID and another,
    here and elsewhere; every granule, level and half; both TLBs."""
    for (granule, level), half, side in product(LEAVES, (0, 1), SIDES):
        size = 1 << span(granule, level)
        va = vas(granule)[half] & -size
        other = va ^ size << 1
        residents = [
            Resident(va, level, asid=5),
            Resident(va, level, asid=9),
            Resident(other, level, asid=5),
            Resident(other ^ size << 2, level, asid=5, ng=False),
        ]
        for op in ops_for(va, granule, 5):
            await bench.run(op, residents, granule, side)
            # The global entry at the very address, invalidated under another ASID.
            await bench.run(op, [Resident(va, level, asid=9, ng=False)], granule, side)


@bench_test(Bench)
async def asid_of_the_operand_not_of_the_context(bench):
    """Scenario a5 (CVA6 #364, #324): the ASID comes from the operand, whatever TTBR0 says; and it
    is compared with all 16 bits."""
    va = vas(12)[0]
    cases = ((5, 5, 9), (5, 9, 5), (0x105, 0x105, 5), (0x105, 5, 0x105))
    kinds = (tlbi.Kind.ASID, tlbi.Kind.VA, tlbi.Kind.RANGE)
    for (mine, named, current), kind in product(cases, kinds):
        context = Machine(12, asid=current).registers
        op = operation(kind, va, asid=named)
        await bench.run(op, [Resident(va, asid=mine)], context=context)


@bench_test(Bench)
async def eight_bit_asids(bench):
    """Spec 8.1: with TCR.AS = 0 entries carry eight bits; A1 takes the ASID from TTBR1."""
    machine = Machine(12)
    va = vas(12)[0]
    slot = machine.map(va, 0x1000_0000, bits=USER | NG)
    bench.use_memory(machine.memory)
    r = machine.registers
    narrow = replace(r, tcr=r.tcr & ~(1 << 36), ttbr0=machine.with_asid(0xAB34).ttbr0)
    from_ttbr1 = replace(r, tcr=r.tcr | 1 << 22, ttbr1=r.ttbr1 | 0x77 << 48)
    for registers, asid, wrong in ((narrow, 0x34, 0xAB34), (from_ttbr1, 0x77, 1)):
        bench.context(registers)
        await bench.invalidate_all()
        machine.memory.words[slot] = 0x1000_0000 | USER | NG | 3
        await bench.check(Access(va))
        machine.memory.words[slot] = 0x2000_0000 | USER | NG | 3
        await bench.invalidate(operation(tlbi.Kind.ASID, asid=wrong))
        assert (await bench.translate(Access(va))).pa & -4096 == 0x1000_0000
        await bench.invalidate(operation(tlbi.Kind.ASID, asid=asid))
        await bench.check(Access(va), "after the right ASID")


@bench_test(Bench)
async def range_boundaries(bench):
    """Our own mutant, off by one at both ends: the pages just inside and just outside of a range;
    every granule and scale, both halves, both TLBs."""
    rng = random.Random(84)
    for granule, scale in product(GRANULES, range(4)):
        for num, va in product((0, 1, 30, 31, rng.randrange(2, 30)), vas(granule)):
            page, length = 1 << granule, range_length(num, scale) << granule
            spots = (va - page, va, va + page, va + length - page, va + length)
            residents = [Resident(spot & M64) for spot in dict.fromkeys(spots)]
            op = operation(tlbi.Kind.RANGE, va, granule, num=num, scale=scale)
            await bench.run(op, residents, granule, rng.choice(SIDES))


@bench_test(Bench)
async def range_with_a_base_in_64k_steps(bench):
    """Spec 8.4: with DS = 1, which only LPA2 has, the base counts in steps of 64 KB for every
    granule."""
    va, ds = 0x5A5A_0001_0000, bench.features.lpa2
    for granule, num in product(GRANULES, (0, 5)):
        page, length = 1 << granule, range_length(num, 0) << granule
        spots = (va - page, va, va + length - page, va + length)
        residents = [Resident(spot) for spot in dict.fromkeys(spots)]
        operand = range_operand(va, granule, num, 0, asid=1, ds=ds)
        await bench.run(Invalidation(tlbi.Kind.RANGE, operand, ds=ds), residents, granule)


@bench_test(Bench)
async def block_partly_inside_a_range(bench):
    """Our own mutant: a block that the range only touches at one end goes, wherever in it the
    access was that filled it; its neighbours stay."""
    rng = random.Random(85)
    for (granule, level), half, _ in product(BLOCKS, (0, 1), range(4)):
        size, page = 1 << span(granule, level), 1 << granule
        base = vas(granule)[half] & -size
        num, scale = rng.randrange(32), rng.randrange(2)
        length = range_length(num, scale) << granule
        for start in (base - length + page, base + size - page, base + size - length):
            op = operation(tlbi.Kind.RANGE, start, granule, num=num, scale=scale)
            await bench.run(op, in_a_row(base, size, rng, level), granule)


@bench_test(Bench)
async def range_at_the_end_of_its_half(bench):
    """Our own mutant, wrap: a range that runs over the end of the address half stops there, and
    takes neither address 0 nor the other half."""
    low_end, high_end = 1 << 48, 1 << 64
    for granule in GRANULES:
        page = 1 << granule
        residents = [
            *map(Resident, (low_end - 2 * page, low_end - page, 0)),
            *map(Resident, (UPPER, high_end - 2 * page, high_end - page)),
        ]
        ends = (low_end - page, high_end - page)
        for start in (*ends, low_end - 4 * page, UPPER - page):
            for (num, scale), side in product(((0, 0), (3, 0), (31, 3)), SIDES):
                op = operation(tlbi.Kind.RANGE, start, granule, num=num, scale=scale)
                # With 16K and 64K the base reaches beyond 48 bits, where nothing is mapped.
                await bench.run(op, residents, granule, side, exact=False)
        for start in ends:
            await bench.fill(residents, Machine(granule))
            await bench.invalidate(operation(tlbi.Kind.RANGE, start, granule, num=3))
            for r in (Resident(0), Resident(UPPER)):
                assert await bench.kept(r), f"granule {granule}: from {start:#x} took {r.va:#x}"


@bench_test(Bench)
async def va_anywhere_in_a_block(bench):
    """Scenario b11 (rocket #3297, XiangShan #5087): a VA anywhere in a block of any size removes
    it; the blocks beside it stay."""
    rng = random.Random(11)
    for (granule, level), half in product(LEAVES, (0, 1)):
        size = 1 << span(granule, level)
        base = vas(granule)[half] & -size
        for inside, side in product((0, size - 1, rng.randrange(size)), SIDES):
            op = operation(tlbi.Kind.VA, base + inside)
            await bench.run(op, in_a_row(base, size, rng, level), granule, side)


@bench_test(Bench)
async def every_entry_by_its_own_fill(bench):
    """Scenario 36 (microwatt INVAL_2M_2): every entry of both TLBs is filled, with each size, and
    half of them removed on their own, in random order, by VA and by range; the others stay."""
    rng = random.Random(36)
    for (side, count), (granule, level) in product(((Kind.READ, 16), (Kind.EXECUTE, 8)), LEAVES):
        size = 1 << span(granule, level)
        base = 0x10_0000_0000_0000 >> 8 & -size
        residents = [Resident(base + n * size, level) for n in range(count)]
        await bench.fill(residents, Machine(granule), side)
        gone, ops = rng.sample(residents, count)[: count // 2], []
        # A range of two pages would take a neighbour.
        other = tlbi.Kind.VA_ALL_ASIDS if level == 3 else tlbi.Kind.RANGE
        for n, r in enumerate(gone):
            ops.append(operation((tlbi.Kind.VA, other)[n % 2], r.va, granule))
            await bench.invalidate(ops[-1])
        # Asking fills again, which may replace: so ask for the removed ones last.
        bench.residents.sort(key=gone.__contains__)
        await bench.compare(*ops)


@bench_test(Bench)
async def level_hints(bench):
    """Spec 8.3, 8.4: with a TTL hint the leaves of that level must go; a reserved hint is none."""
    for granule, level in LEAVES:
        va = vas(granule)[0] & -(1 << span(granule, level))
        own = {12: 1, 14: 2, 16: 3}[granule] << 2 | level
        for ttl in range(16):
            op = Invalidation(tlbi.Kind.VA, va_operand(va, 1, ttl))
            await bench.run(op, [Resident(va, level)], granule, exact=ttl == own)
        for ttl in range(4):
            operand = range_operand(va, granule, 1, 0, asid=1, ttl=ttl)
            op = Invalidation(tlbi.Kind.RANGE, operand)
            await bench.run(op, [Resident(va, level)], granule, exact=False)


@bench_test(Bench)
async def back_to_back_with_changing_operands(bench):
    """Scenario a5 (CVA6 #3307, #3312), B2: invalidations without a pause, each offered while the
    one before still runs; each acts with its own operand and none is lost."""
    rng = random.Random(5)
    kinds = [k for k in tlbi.Kind if k is not tlbi.Kind.ALL]
    for granule, _ in product(GRANULES, range(30)):
        residents = [
            Resident(vas(granule)[0] + (n << granule), 3, rng.choice((1, 2)), rng.random() < 0.7)
            for n in range(10)
        ]
        await bench.fill(residents, Machine(granule))
        ops = [
            operation(rng.choice(kinds), r.va, granule, asid=rng.choice((r.asid, 3)),
                      last_level=rng.random() < 0.5)
            for r in rng.sample(residents, 4)
        ]  # fmt: skip
        for op in ops:
            # Offered in the cycle after the last one was accepted, hence during its work.
            await bench.until(lambda: not bench.inv.pending, "acceptance")
            bench.inv.chain(op, bench.cycle)
        await bench.until(lambda: not bench.inv.busy, "the last invalidation")
        assert bench.inv.completions == bench.inv.commands, "one done for each command"
        await bench.compare(*ops)
