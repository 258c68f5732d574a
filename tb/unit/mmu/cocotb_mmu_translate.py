"""What the MMU translates: geometry, sizes, permissions and attributes, cold and hot, against the
golden model."""

import random
from dataclasses import replace
from itertools import product

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind
from model.geometry import tnsz_limits
from model.tables import AF, NG, ap
from support.on import On
from unit.mmu.machine import EPAN, GRANULES, LEAVES, UPPER, WXN, Machine, span, vas

NARROW = ["translation_off", "every_tnsz_of_every_granule", "attributes_by_index"]
RUNS = [
    On("mmu:vmsa48_nocache"),
    On("mmu:teaching", tests=NARROW),  # what depends on the width of physical addresses
]

KINDS = (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)


async def cold_and_hot(bench: MmuBench, access: Access, note: str) -> None:
    """The same answer twice; a success needs no second walk."""
    await bench.invalidate_all()
    await bench.check(access, f"{note} cold")
    bench.walk.reads.clear()
    answer = await bench.check(access, f"{note} hot")
    if not answer.fault:
        assert answer.cycles == 0 and not bench.walk.reads, f"{note}: a hit must take no cycle"


@bench_test(MmuBench)
async def every_tnsz_of_every_granule(bench):
    """Spec 3.2: start level, first index and page for every TnSZ 0..63, both halves; those out of
    range are Translation faults at level 0 (scenario f27)."""
    for granule, tnsz in product(GRANULES, range(64)):
        low, high = tnsz_limits(granule, bench.features, ds=False, d128=False)
        machine = (
            Machine(granule, t0sz=tnsz, t1sz=tnsz) if low <= tnsz <= high else Machine(granule)
        )
        if machine.t0sz != tnsz:  # the tables are those of a legal size
            tcr = machine.registers.tcr & ~(0x3F | 0x3F << 16) | tnsz | tnsz << 16
            machine.registers = replace(machine.registers, tcr=tcr)
        size = 64 - machine.t0sz
        low = 0x5A5A_5A5A_5A5A & ((1 << size) - 1) & -(1 << granule)
        for va in (low, (-(1 << size) | low) & (1 << 64) - 1):
            machine.map(va, 0x1234_5678_0000)
        bench.use(machine)
        for va in (low | 0xABC, (-(1 << size) | low | 0xABC) & (1 << 64) - 1):
            await cold_and_hot(bench, Access(va), f"granule {granule} TnSZ {tnsz}")


@bench_test(MmuBench)
async def every_block_and_page_size(bench):
    """Scenario b13: the low address bits come from the VA exactly up to the span of the leaf."""
    for granule, level in LEAVES:
        machine = Machine(granule)
        bench.use(machine)
        size = 1 << span(granule, level)
        for va in vas(granule):
            start = va & -size
            machine.map(start, 0x5555_5555_5555, level)
            for inside in (0, size // 2, size - 1, 0x1234 % size):
                for kind in (Kind.READ, Kind.EXECUTE):
                    access = Access(start + inside, kind)
                    await cold_and_hot(bench, access, f"granule {granule} level {level}")


@bench_test(MmuBench)
async def one_block_serves_all_its_pages(bench):
    """Scenario b13: a hit anywhere in a block of any size, without a further walk."""
    rng = random.Random(13)
    for granule, level in LEAVES:
        machine = Machine(granule)
        bench.use(machine)
        size = 1 << span(granule, level)
        start = vas(granule)[0] & -size
        machine.map(start, 0x2AAA_AAAA_AAAA, level)
        await bench.invalidate_all()
        await bench.check(Access(start + rng.randrange(size)))
        for _ in range(8):
            answer = await bench.check(Access(start + rng.randrange(size)), "in the block")
            assert answer.cycles == 0
        # The neighbours are not part of it.
        for outside in (start - 1, start + size):
            answer = await bench.check(Access(outside & (1 << 48) - 1), "neighbour")
            assert answer.fault


def permission_machine() -> tuple[Machine, list[int]]:
    """Sixteen 2 MB regions, one for each set of table bits, with sixteen pages each, one for each
    UXN, PXN, AP."""
    machine = Machine(12)
    pages = []
    for region in range(16):
        tables, leaves = region << 59, range(16)
        base = 0x4000_0000 + (region << 21)
        for n in leaves:
            bits = AF | NG | ap(n & 3) | (n >> 2 & 1) << 53 | (n >> 3) << 54
            va = base + (n << 12)
            machine.map(va, 0x10_0000_0000 + (region << 21) + (n << 12), bits=bits)
            pages.append(va)
        machine.memory.words[machine.lower.slot(base, 2)] |= tables
    return machine, pages


def accesses(va: int):
    for kind, el in product(KINDS, (0, 1)):
        yield Access(va, kind, el)
        if el == 1:
            yield Access(va, kind, el, pan=True)


@bench_test(MmuBench)
async def every_permission_with_what_others_left_in_the_tlb(bench):
    """Scenarios c17, c18, c19: all UXN, PXN, AP, table bits, WXN, EPAN, PAN, EL, accesses, in
    random order, so that most hit an entry that another kind of access installed."""
    machine, pages = permission_machine()
    bench.use_memory(machine.memory)
    rng = random.Random(19)
    hits = 0
    for flags in (0, WXN, EPAN, WXN | EPAN):
        bench.context(replace(machine.registers, sctlr=machine.sctlr | flags))
        await bench.invalidate_all()
        for start in range(0, len(pages), 8):
            todo = [a for va in pages[start : start + 8] for a in accesses(va)]
            rng.shuffle(todo)
            for access in todo:
                answer = await bench.check(access, f"sctlr flags {flags:#x}")
                hits += answer.cycles == 0
    assert hits > 10_000, f"only {hits} hits: the hot path was not tested"


@bench_test(MmuBench)
async def every_permission_cold_and_hot(bench):
    """Scenario c19: the cause of a fault is the same from a cold and from a hot TLB, and a WXN or
    EPAN that is switched on acts on resident entries (c18)."""
    machine, pages = permission_machine()
    bench.use_memory(machine.memory)
    rng = random.Random(20)
    for va in pages:
        for access in rng.sample(list(accesses(va)), 4):
            bench.context(machine.registers)
            await cold_and_hot(bench, access, "plain")
            for flags in (WXN, EPAN):
                bench.context(replace(machine.registers, sctlr=machine.sctlr | flags))
                await bench.check(access, f"after setting {flags:#x}")


@bench_test(MmuBench)
async def hierarchical_bits_can_be_switched_off(bench):
    """TCR.HPD0: the table bits count for nothing."""
    machine, pages = permission_machine()
    bench.use_memory(machine.memory)
    bench.context(replace(machine.registers, tcr=machine.registers.tcr | 1 << 41))
    await bench.invalidate_all()
    rng = random.Random(21)
    for va in pages:
        for access in rng.sample(list(accesses(va)), 3):
            await bench.check(access, "HPD0")


@bench_test(MmuBench)
async def attributes_by_index(bench):
    """Spec 1.4 and 5.1: the MAIR byte of the index, cacheability with SCTLR.C, Device."""
    machine = Machine(12)
    for index in range(8):
        machine.map(index << 12, 0x8000_0000 + (index << 12), bits=AF | NG | ap(1) | index << 2)
    bench.use_memory(machine.memory)
    for cached in (1, 0):
        sctlr = machine.sctlr & ~(1 << 2) | cached << 2
        bench.context(replace(machine.registers, sctlr=sctlr))
        await bench.invalidate_all()
        for index in range(8):
            for _ in range(2):
                answer = await bench.check(Access(index << 12), f"AttrIndx {index}")
                attr = machine.registers.attributes(index)
                device = attr >> 4 == 0
                assert answer.device == device
                normal_cached = not device and attr & 0xF not in (0, 4)
                assert answer.cacheable == (normal_cached and bool(cached)), hex(attr)


@bench_test(MmuBench)
async def translation_off(bench):
    """Spec 1.3: SCTLR.M = 0 is a flat map of Device memory; addresses that do not fit are Address
    size faults; TBI applies. Untranslated accesses ignore everything (M-mode)."""
    machine = Machine(12)
    width = len(bench.dut.io_data_rsp_pa)
    off = replace(machine.registers, sctlr=1 << 12)
    for tbi in (0, 1 << 37):
        bench.context(replace(off, tcr=off.tcr | tbi))
        for va in (0, 0x8000_1234, (1 << width) - 1, 1 << width, 1 << 55, 0xFF << 56, 0xA5 << 56):
            for kind in KINDS:
                await bench.check(Access(va, kind), "MMU off")
        assert (await bench.translate(Access(0x1000))).device
    for va in (0x8000_1234, 0xFFFF_FFFF_9000_0000):
        for registers in (off, machine.registers):
            bench.context(registers)
            answer = await bench.translate(Access(va), untranslated=True)
            assert not answer.fault and answer.pa == va & 0xFFFF_FFFF and answer.cycles == 0
            assert answer.cacheable and not answer.device


@bench_test(MmuBench)
async def both_halves_have_their_own_granule(bench):
    """TG0 and TG1 differ, and so do T0SZ and T1SZ: every pair of granules."""
    for g0, g1 in product(GRANULES, GRANULES):
        machine = Machine(g0, t0sz=25, t1sz=20, granule1=g1)
        low, high = 0x12_3456_0000, UPPER | 0xF234_5678_0000
        machine.map(low, 0x1111_0000)
        machine.map(high, 0x2222_0000)
        bench.use(machine)
        await bench.invalidate_all()
        for va in (low, high, low, high):
            answer = await bench.check(Access(va), f"granules {g0}, {g1}")
            assert not answer.fault
