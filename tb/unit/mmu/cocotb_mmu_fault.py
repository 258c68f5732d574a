"""Faults: classes, levels, priority, bus errors (scenarios e22 to e25, f26, f28; mutants B6, B7,
B10)."""

from dataclasses import replace
from itertools import product

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind
from model.registers import HA, HD
from model.tables import AF, NG, ap
from support.on import On
from unit.mmu.machine import GRANULES, LEAVES, M64, Machine, leaf_levels, vas

RUNS = [
    On("mmu:vmsa48_nocache"),
    # What depends on the width of physical addresses.
    On("mmu:teaching", tests=["address_size", "priority_before_the_first_read"]),
]

DBM = 1 << 51
STARTS = {12: (16, 25, 34, 43), 14: (16, 17, 28, 39), 16: (16, 22, 35)}
KINDS = (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)


def mapped(bench: MmuBench, granule: int, tnsz: int = 16) -> tuple[Machine, int]:
    """A machine with one page, in use, and its address."""
    machine = Machine(granule, t0sz=tnsz, t1sz=tnsz)
    va = vas(granule, tnsz)[0]
    machine.map(va, 0x1000_0000)
    bench.use(machine)
    return machine, va


def with_ips(machine: Machine, ips: int):
    """Its registers with another output size."""
    registers = machine.registers
    return replace(registers, tcr=registers.tcr & ~(7 << 32) | ips << 32)


async def cold(bench: MmuBench, access: Access, note: str = ""):
    """From an empty TLB: the answer and every descriptor read are those of the model."""
    await bench.invalidate_all()
    bench.walk.reads.clear()
    expected = bench.golden(access)
    answer = await bench.check(access, note)
    reads = tuple(read.address for read in bench.walk.reads)
    assert reads == expected.reads, f"{note}: read {[*map(hex, reads)]}, model {expected}"
    return answer


@bench_test(MmuBench)
async def bus_error_at_each_level(bench):
    """Scenarios e24, e25, B7: a bus error is an external abort with the level of the read, of the
    access that caused the walk, for every kind of access; nothing of it is kept."""
    for granule, tnsz in [(g, tnsz) for g in GRANULES for tnsz in STARTS[g]]:
        machine, va = mapped(bench, granule, tnsz)
        for level, kind in product(machine.lower.geometry.levels, KINDS):
            machine.memory.errors = {machine.lower.slot(va, level)}
            answer = await cold(bench, Access(va, kind), f"level {level}")
            assert answer.status == 0x14 + level
            machine.memory.errors = set()
            assert not (await bench.check(Access(va, kind), "retry")).fault


@bench_test(MmuBench)
async def bus_error_of_an_update(bench):
    """Spec 6.4, 7.3: a bus error on the swap is reported like one on the walk. WnR of an atomic is
    0 where its read would have faulted too: it needs the access flag, but not the dirty state."""
    for granule, flag in product(GRANULES, (AF, 0)):
        machine = Machine(granule, flags=HA | HD)
        va = vas(granule)[0]
        slot = machine.map(va, 0x1000_0000, bits=flag | NG | ap(0b11) | DBM)
        machine.memory.swap_errors = {slot}
        bench.use(machine)
        for kind in (Kind.READ, Kind.WRITE, Kind.ATOMIC):
            note = f"{granule}, AF = {bool(flag)}, {kind.name}"
            answer = await cold(bench, Access(va, kind), note)
            assert answer.fault == (kind.writes or not flag), note
            if answer.fault:
                assert answer.status == 0x17, note
                assert answer.wnr == (kind is Kind.WRITE or kind.writes and bool(flag)), note


@bench_test(MmuBench)
async def address_size(bench):
    """Scenario f28 (PA wider than the output size): TTBR, table and leaf addresses at and beyond
    IPS, for every IPS; a fault is found before the read. Blocks count with the VA's offset."""
    for ips, granule in product(range(8), GRANULES):
        machine, va = mapped(bench, granule)
        good = with_ips(machine, ips)
        words = machine.memory.words
        for bit in (31, 32, 35, 36, 39, 40, 41, 42, 43, 44, 47):
            bench.context(replace(good, ttbr0=good.ttbr0 | 1 << bit))
            await cold(bench, Access(va), f"IPS {ips} TTBR bit {bit}")
            bench.context(good)
            for level in machine.lower.geometry.levels:
                slot = machine.lower.slot(va, level)
                words[slot] |= 1 << bit
                await cold(bench, Access(va), f"IPS {ips} level {level} bit {bit}")
                words[slot] &= ~(1 << bit)
        for level in leaf_levels(granule)[:-1]:
            block = Machine(granule)
            block.map(va, 0, level)
            bench.use_memory(block.memory)
            bench.context(with_ips(block, ips))
            await cold(bench, Access(va), f"IPS {ips} block at level {level}")


@bench_test(MmuBench)
async def every_type_at_every_level(bench):
    """Spec 4.1, B6: invalid and reserved entries at every level of every granule, with all other
    bits set; ignored and RES0 bits of valid ones."""
    ignored_table = 0x07F8_0000_0000_0FFC
    ignored_leaf = 0xF << 59 | 0xF << 55 | 3 << 48 | 1 << 63
    for granule in GRANULES:
        machine, va = mapped(bench, granule)
        words = machine.memory.words
        for level in machine.lower.geometry.levels:
            slot = machine.lower.slot(va, level)
            good = words[slot]
            rests = (0, M64 & ~3, good & ~3, good & ~3 | ignored_table)
            for kind, rest in product((0b00, 0b01, 0b10), rests):
                words[slot] = rest | kind
                await cold(bench, Access(va), f"level {level} type {kind:02b}")
            words[slot] = good | (ignored_table & ~(0xF << 12) if level < 3 else ignored_leaf)
            assert not (await cold(bench, Access(va), f"level {level} ignored bits")).fault
            words[slot] = good


@bench_test(MmuBench)
async def priority_at_the_leaf(bench):
    """Scenario e22, B10 (spec 7.1): bus error, then invalid, address size, access flag, permission;
    every combination of causes at every leaf level, for every kind of access."""
    for (granule, level), causes in product(LEAVES, range(32)):
        machine = Machine(granule)
        va = vas(granule)[0]
        bits = (0 if causes & 1 else AF) | NG | (ap(0) if causes & 2 else ap(1))
        slot = machine.map(va, 0x1000_0000, level, bits=bits)
        if causes & 4:
            machine.memory.words[slot] |= 1 << 44
        if causes & 8:
            machine.memory.words[slot] &= ~1
        if causes & 16:
            machine.memory.errors = {slot}
        bench.use_memory(machine.memory)
        bench.context(with_ips(machine, 4))
        for kind in KINDS:
            await cold(bench, Access(va, kind), f"causes {causes:05b}")
            await bench.check(Access(va, kind), f"again, causes {causes:05b}")


@bench_test(MmuBench)
async def priority_before_the_first_read(bench):
    """Spec 7.1: Translation faults of range and configuration come before the TTBR's address
    size."""
    machine, va = mapped(bench, 12)
    bad_base = replace(with_ips(machine, 2), ttbr0=machine.registers.ttbr0 | 1 << 45)
    addresses = (va, va | 1 << 52, va | 1 << 60)
    for flags, address, el in product((0, 1 << 7, 1 << 55, 1 << 37), addresses, (0, 1)):
        bench.context(replace(bad_base, tcr=bad_base.tcr | flags))
        answer = await cold(bench, Access(address, el=el), f"flags {flags:#x}")
        assert answer.fault and not bench.walk.reads


@bench_test(MmuBench)
async def non_canonical_addresses(bench):
    """Scenario f26 (CVA6 #3404, XiangShan #6210, black-parrot #543): every single wrong bit above
    the range, both halves, every granule, with the right page resident: no hit by a truncated
    tag."""
    for granule, tnsz in product(GRANULES, (16, 25, 39)):
        machine, low = mapped(bench, granule, tnsz)
        size = 64 - tnsz
        high = (-(1 << size) | low) & M64
        machine.map(high, 0x1234_0000_0000)
        for tbi, va in product((0, 3 << 37), (low, high)):
            bench.context(replace(machine.registers, tcr=machine.registers.tcr | tbi))
            for bit in range(size, 64):
                wrong = va ^ 1 << bit
                await cold(bench, Access(wrong), f"bit {bit}")
                await bench.check(Access(va), "the right one")
                for kind in KINDS:
                    await bench.check(Access(wrong, kind), f"bit {bit} with a hot TLB")
            for gap in (1 << size, (1 << 55) - 1, 1 << 55, M64 - (1 << size)):
                await cold(bench, Access(gap), "gap")
