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
from unit.mmu.machine import EPAN, GRANULES, LEAVES, WXN, Machine, span, vas

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
        legal = tnsz if low <= tnsz <= high else 16  # the tables are those of a legal size
        machine = Machine(granule, t0sz=legal, t1sz=legal)
        tcr = machine.registers.tcr & ~(0x3F | 0x3F << 16) | tnsz | tnsz << 16
        machine.registers = replace(machine.registers, tcr=tcr)
        size = 64 - legal
        low = 0x5A5A_5A5A_5A5A & ((1 << size) - 1) & -(1 << granule)
        pages = (low, (-(1 << size) | low) & (1 << 64) - 1)
        for va in pages:
            machine.map(va, 0x1234_5678_0000)
        bench.use(machine)
        for va in pages:
            await cold_and_hot(bench, Access(va | 0xABC), f"granule {granule} TnSZ {tnsz}")


@bench_test(MmuBench)
async def every_block_and_page_size(bench):
    """Scenario b13: the low address bits come from the VA exactly up to the span of the leaf."""
    for (granule, level), va in [(leaf, va) for leaf in LEAVES for va in vas(leaf[0])]:
        machine = Machine(granule)
        bench.use(machine)
        size = 1 << span(granule, level)
        machine.map(va & -size, 0x5555_5555_5555, level)
        insides = (0, size // 2, size - 1, 0x1234 % size)
        for inside, kind in product(insides, (Kind.READ, Kind.EXECUTE)):
            access = Access((va & -size) + inside, kind)
            await cold_and_hot(bench, access, f"granule {granule} level {level}")


def permission_machine() -> tuple[Machine, list[int]]:
    """Sixteen 2 MB regions, one for each set of table bits, with sixteen pages each, one for each
    UXN, PXN, AP."""
    machine, pages = Machine(12), []
    for region, n in product(range(16), range(16)):
        offset = (region << 21) + (n << 12)
        bits = AF | NG | ap(n & 3) | (n >> 2 & 1) << 53 | (n >> 3) << 54
        pages.append(0x4000_0000 + offset)
        machine.map(pages[-1], 0x10_0000_0000 + offset, bits=bits)
    for region in range(16):
        slot = machine.lower.slot(pages[16 * region], 2)
        machine.memory.words[slot] |= region << 59
    return machine, pages


def accesses(va: int):
    for kind, el in product(KINDS, (0, 1)):
        yield Access(va, kind, el)
        if el == 1:
            yield Access(va, kind, el, pan=True)


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
        for index in (*range(8), *range(8)):
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
