"""What each invalidation removes, and what it leaves (spec 8.2 to 8.4; scenarios a5, b11, b12, 36).

The MMU promises more than the architecture asks: without a TTL hint it removes exactly what the
model says must go, so both directions are checked.
"""

import random
from dataclasses import replace

import cocotb

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, tlbi
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, range_length, range_operand, va_operand
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import GRANULES, LEAVES, M64, UPPER, Machine, leaf_levels, span, vas
from unit.mmu.resident import Experiment, Resident

RUNS = [
    On("mmu:vmsa48_nocache"),
    On("mmu:vmsa48_main"),  # they are complete before the sweep; and a main TLB
    On("mmu:vmsa48_hashed"),  # the hashed table is there, and off
]

SIDES = (Kind.READ, Kind.EXECUTE)


def ops_for(va: int, granule: int, asid: int):
    for kind in tlbi.Kind:
        operand = (
            range_operand(va, granule, 0, 0, asid=asid) if kind.is_range else va_operand(va, asid)
        )
        yield Invalidation(kind, operand)
        if kind >= tlbi.Kind.VA:
            yield Invalidation(kind, operand, last_level=True)


@bench_test(MmuBench)
async def table_of_what_must_go(bench):
    """Scenarios a5, a9, b11, B3, B4: every kind against global entries, the same ASID and another,
    here and elsewhere; every granule, level and half; both TLBs."""
    for granule, level in LEAVES:
        size = 1 << span(granule, level)
        for va in (v & -size for v in vas(granule)):
            other = va ^ size << 1
            for side in SIDES:
                for op in ops_for(va, granule, 5):
                    residents = [
                        Resident(va, level, asid=5),
                        Resident(va, level, asid=9),
                        Resident(other, level, asid=5),
                        Resident(other ^ size << 2, level, asid=5, ng=False),
                    ]
                    await Experiment(bench, Machine(granule), residents, side).run(op)
                    # The global entry at the very address, invalidated under another ASID.
                    residents = [Resident(va, level, asid=9, ng=False)]
                    await Experiment(bench, Machine(granule), residents, side).run(op)


@bench_test(MmuBench)
async def asid_of_the_operand_not_of_the_context(bench):
    """Scenario a5 (CVA6 #364, #324): the ASID comes from the operand, whatever TTBR0 says; and it
    is compared with all 16 bits."""
    va = vas(12)[0]
    for mine, named, current in ((5, 5, 9), (5, 9, 5), (0x105, 0x105, 5), (0x105, 5, 0x105)):
        for kind in (tlbi.Kind.ASID, tlbi.Kind.VA, tlbi.Kind.RANGE):
            machine = Machine(12, asid=current)
            operand = (
                range_operand(va, 12, 0, 0, asid=named) if kind.is_range else va_operand(va, named)
            )
            experiment = Experiment(bench, machine, [Resident(va, 3, asid=mine)])
            await experiment.run(Invalidation(kind, operand), context=machine.registers)


@bench_test(MmuBench)
async def eight_bit_asids(bench):
    """Spec 8.1: with TCR.AS = 0 entries carry eight bits; A1 takes the ASID from TTBR1."""
    machine = Machine(12)
    va = vas(12)[0]
    slot = machine.map(va, 0x1000_0000, bits=AF | NG | ap(1))
    bench.use_memory(machine.memory)
    narrow = replace(
        machine.registers,
        tcr=machine.registers.tcr & ~(1 << 36),
        ttbr0=machine.with_asid(0xAB34).ttbr0,
    )
    from_ttbr1 = replace(
        machine.registers, tcr=machine.registers.tcr | 1 << 22,
        ttbr1=machine.registers.ttbr1 | 0x77 << 48,
    )  # fmt: skip
    for registers, asid, wrong in ((narrow, 0x34, 0xAB34), (from_ttbr1, 0x77, 1)):
        bench.context(registers)
        await bench.invalidate_all()
        machine.memory.words[slot] = 0x1000_0000 | AF | NG | ap(1) | 3
        await bench.check(Access(va))
        machine.memory.words[slot] = 0x2000_0000 | AF | NG | ap(1) | 3
        await bench.invalidate(Invalidation(tlbi.Kind.ASID, va_operand(0, wrong)))
        assert (await bench.translate(Access(va))).pa & -4096 == 0x1000_0000
        await bench.invalidate(Invalidation(tlbi.Kind.ASID, va_operand(0, asid)))
        await bench.check(Access(va), "after the right ASID")


@bench_test(MmuBench)
async def range_boundaries(bench):
    """Our own mutant, off by one at both ends: the pages just inside and just outside of a range;
    every granule and scale, both halves, both TLBs."""
    rng = random.Random(84)
    for granule in GRANULES:
        for scale in range(4):
            for num in (0, 1, 30, 31, rng.randrange(2, 30)):
                for va in vas(granule):
                    length = range_length(num, scale) << granule
                    page = 1 << granule
                    spots = (va - page, va, va + page, va + length - page, va + length)
                    residents = [Resident(spot & M64, 3) for spot in dict.fromkeys(spots)]
                    operand = range_operand(va & M64, granule, num, scale, asid=1)
                    side = rng.choice(SIDES)
                    experiment = Experiment(bench, Machine(granule), residents, side)
                    await experiment.run(Invalidation(tlbi.Kind.RANGE, operand))


@bench_test(MmuBench)
async def block_partly_inside_a_range(bench):
    """Our own mutant: a block that the range only touches at one end goes, wherever in it the
    access was that filled it; its neighbours stay."""
    rng = random.Random(85)
    for granule in GRANULES:
        for level in leaf_levels(granule)[:-1]:
            size, page = 1 << span(granule, level), 1 << granule
            for base in (v & -size for v in vas(granule)):
                for _ in range(4):
                    num, scale = rng.randrange(32), rng.randrange(2)
                    length = range_length(num, scale) << granule
                    for start in (base - length + page, base + size - page, base + size - length):
                        residents = [
                            Resident((base + n * size) & M64, level, touch=rng.randrange(size))
                            for n in (-1, 0, 1)
                        ]
                        operand = range_operand(start & M64, granule, num, scale, asid=1)
                        experiment = Experiment(bench, Machine(granule), residents)
                        await experiment.run(Invalidation(tlbi.Kind.RANGE, operand))


@bench_test(MmuBench)
async def range_at_the_end_of_its_half(bench):
    """Our own mutant, wrap: a range that runs over the end of the address half stops there, and
    takes neither address 0 nor the other half."""
    for granule in GRANULES:
        page = 1 << granule
        low_end, high_end = 1 << 48, 1 << 64
        residents = [
            Resident(low_end - 2 * page, 3),
            Resident(low_end - page, 3),
            Resident(0, 3),
            Resident(UPPER, 3),
            Resident(high_end - 2 * page, 3),
            Resident(high_end - page, 3),
        ]
        for start in (low_end - page, high_end - page, low_end - 4 * page, UPPER - page):
            for num, scale in ((0, 0), (3, 0), (31, 3)):
                operand = range_operand(start & M64, granule, num, scale, asid=1)
                for side in SIDES:
                    experiment = Experiment(bench, Machine(granule), residents, side)
                    # With 16K and 64K the base reaches beyond 48 bits, where nothing is mapped.
                    await experiment.run(Invalidation(tlbi.Kind.RANGE, operand), exact=False)
        for start in (low_end - page, high_end - page):
            operand = range_operand(start & M64, granule, 3, 0, asid=1)
            experiment = Experiment(bench, Machine(granule), residents)
            await experiment.fill()
            await bench.invalidate(Invalidation(tlbi.Kind.RANGE, operand))
            kept = dict(zip((r.va for r in residents), await experiment.kept(), strict=True))
            assert kept[0], f"granule {granule}: the range from {start:#x} wrapped to address 0"
            assert kept[UPPER], f"granule {granule}: the range from {start:#x} left its half"


@bench_test(MmuBench)
async def range_of_another_granule(bench):
    """Spec 8.4: the granule of the range is compared with that of the entry, TCR plays no role; the
    reserved code asks for nothing."""
    va = 0x5A5A_0000_0000
    for entry_granule in GRANULES:
        for range_granule in GRANULES:
            for tcr_granule in GRANULES:
                machine = Machine(entry_granule)
                operand = range_operand(va, range_granule, 31, 0, asid=1)
                op = Invalidation(tlbi.Kind.RANGE, operand)
                context = Machine(tcr_granule).registers
                experiment = Experiment(bench, machine, [Resident(va, 3)])
                await experiment.run(op, context=context)
        operand = range_operand(va, 12, 31, 3, asid=1) & ~(3 << 46)
        op = Invalidation(tlbi.Kind.RANGE_ALL_ASIDS, operand)
        await Experiment(bench, Machine(entry_granule), [Resident(va, 3)]).run(op, exact=False)


@bench_test(MmuBench)
async def operations_do_not_depend_on_the_context(bench):
    """Spec 8.2: with the MMU off, EPD set or another TnSZ an invalidation works the same."""
    va = vas(12)[0]
    machine = Machine(12)
    contexts = [
        replace(machine.registers, sctlr=0),
        replace(machine.registers, tcr=machine.registers.tcr | 1 << 7 | 1 << 23),
        replace(machine.registers, tcr=machine.registers.tcr & ~0x3F003F | 39 | 39 << 16),
        replace(machine.registers, tcr=0),
    ]
    for context in contexts:
        for op in ops_for(va, 12, 1):
            residents = [Resident(va, 3), Resident(va ^ 1 << 40, 3)]
            await Experiment(bench, Machine(12), residents).run(op, context=context)


@bench_test(MmuBench)
async def va_anywhere_in_a_block(bench):
    """Scenario b11 (rocket #3297, XiangShan #5087): a VA anywhere in a block of any size removes
    it; the blocks beside it stay."""
    rng = random.Random(11)
    for granule, level in LEAVES:
        size = 1 << span(granule, level)
        for base in (v & -size for v in vas(granule)):
            for inside in (0, size - 1, rng.randrange(size)):
                for side in SIDES:
                    residents = [
                        Resident((base + n * size) & M64, level, touch=rng.randrange(size))
                        for n in (-1, 0, 1)
                    ]
                    op = Invalidation(tlbi.Kind.VA, va_operand(base + inside & M64, 1))
                    await Experiment(bench, Machine(granule), residents, side).run(op)


@bench_test(MmuBench)
async def every_entry_by_its_own_fill(bench):
    """Scenario 36 (microwatt INVAL_2M_2): every entry of both TLBs is filled, with each size, and
    removed on its own, in random order, by VA and by range; the others stay."""
    rng = random.Random(36)
    for side, count in ((Kind.READ, 16), (Kind.EXECUTE, 8)):
        for granule, level in LEAVES:
            size = 1 << span(granule, level)
            base = 0x10_0000_0000_0000 >> 8 & -size
            residents = [Resident(base + n * size, level) for n in range(count)]
            experiment = Experiment(bench, Machine(granule), residents, side)
            await experiment.fill()
            order = rng.sample(residents, count)
            ops = []
            for n, r in enumerate(order[: count // 2]):
                kind = (tlbi.Kind.VA, tlbi.Kind.RANGE)[n % 2]
                operand = (
                    range_operand(r.va, granule, 0, 0, asid=1)
                    if kind.is_range
                    else (va_operand(r.va, 1))
                )
                if kind.is_range and level == 3:
                    kind, operand = tlbi.Kind.VA_ALL_ASIDS, va_operand(r.va)
                ops.append(Invalidation(kind, operand))
                await bench.invalidate(ops[-1])
            # Asking fills again, which may replace: so ask for the removed ones last.
            gone = [r for r in residents if r in order[: count // 2]]
            experiment.residents = [r for r in residents if r not in gone] + gone
            await experiment.compare(ops)


@bench_test(MmuBench)
async def level_hints(bench):
    """Spec 8.3, 8.4: with a TTL hint the leaves of that level must go; a reserved hint is none."""
    for granule in GRANULES:
        code = {12: 1, 14: 2, 16: 3}[granule]
        for level in leaf_levels(granule):
            size = 1 << span(granule, level)
            va = vas(granule)[0] & -size
            for ttl in range(16):
                op = Invalidation(tlbi.Kind.VA, va_operand(va, 1, ttl))
                await Experiment(bench, Machine(granule), [Resident(va, level)]).run(
                    op, exact=False
                )
            for ttl in range(4):
                operand = range_operand(va, granule, 1, 0, asid=1, ttl=ttl)
                op = Invalidation(tlbi.Kind.RANGE, operand)
                await Experiment(bench, Machine(granule), [Resident(va, level)]).run(
                    op, exact=False
                )
            hinted = Invalidation(tlbi.Kind.VA, va_operand(va, 1, code << 2 | level))
            await Experiment(bench, Machine(granule), [Resident(va, level)]).run(hinted)


@bench_test(MmuBench)
async def back_to_back_with_changing_operands(bench):
    """Scenario a5 (CVA6 #3307, #3312), B2: invalidations without a pause, each offered while the
    one before still runs; each acts with its own operand and none is lost."""
    rng = random.Random(5)
    for granule in GRANULES:
        for _ in range(30):
            base = vas(granule)[0]
            residents = [
                Resident(base + (n << granule), 3, asid=rng.choice((1, 2)), ng=rng.random() < 0.7)
                for n in range(10)
            ]
            experiment = Experiment(bench, Machine(granule), residents)
            await experiment.fill()
            ops = []
            for r in rng.sample(residents, 4):
                asid = rng.choice((r.asid, 3))
                kind = rng.choice([k for k in tlbi.Kind if k is not tlbi.Kind.ALL])
                operand = (
                    range_operand(r.va, granule, 0, 0, asid=asid)
                    if kind.is_range
                    else (va_operand(r.va, asid))
                )
                ops.append(Invalidation(kind, operand, rng.random() < 0.5))
            for op in ops:
                # Offered in the cycle after the last one was accepted, hence during its work.
                await bench.until(lambda: not bench.inv.pending, "acceptance")
                bench.inv.chain(op, bench.cycle)
            await bench.until(lambda: not bench.inv.busy, "the last invalidation")
            assert bench.inv.completions == bench.inv.commands, "one done for each command"
            await experiment.compare(ops)


@cocotb.test()
async def random_sets_and_operations(dut):
    """Random entries of every size, half, ASID and both TLBs against random operations."""
    rng = random.Random(run_seed())
    bench = await MmuBench.start(dut)
    for _ in range(300):
        granule = rng.choice(GRANULES)
        anchor = vas(granule)[rng.randrange(2)] & -(1 << 36)
        residents, taken = [], set()
        for _ in range(7):
            level = rng.choice(leaf_levels(granule))
            size = 1 << span(granule, level)
            va = anchor + rng.randrange(1 << 4) * size & M64
            cells = {va >> 25}
            if cells & taken or any(overlap(va, size, r, granule) for r in residents):
                continue
            touch = rng.randrange(size)
            residents.append(Resident(va, level, rng.choice((1, 2)), rng.random() < 0.7, touch))
        kind = rng.choice(list(tlbi.Kind))
        target = rng.choice(residents)
        unit = 1 << (16 if granule == 16 else granule)
        va = target.va + rng.randrange(-4, 4) * unit & M64
        asid = rng.choice((1, 2))
        operand = va_operand(va, asid)
        if kind.is_range:
            num, scale = rng.randrange(32), rng.randrange(4)
            operand = range_operand(va & -unit, granule, num, scale, asid=asid)
        op = Invalidation(kind, operand, rng.random() < 0.5)
        experiment = Experiment(bench, Machine(granule), residents, rng.choice(SIDES))
        await experiment.run(op)


def overlap(va: int, size: int, r: Resident, granule: int) -> bool:
    other = 1 << span(granule, r.level)
    return va < r.va + other and r.va < va + size
