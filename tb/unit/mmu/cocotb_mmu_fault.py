"""Faults: classes, levels, priority, illegal programming, bus errors (scenarios e22 to e25, f26 to
f28; mutants B6, B7, B10)."""

import random
from dataclasses import replace

import cocotb

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, BusError, Fault, FaultKind, Kind, Memory
from model.geometry import geometry
from model.registers import HA, HD
from model.tables import AF, NG, ap
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import GRANULES, LEAVES, M64, UPPER, Machine, leaf_levels, vas

NARROW = ["address_size", "priority_before_the_first_read", "random_descriptors"]
RUNS = [
    On("mmu:vmsa48_nocache"),
    On("mmu:teaching", tests=NARROW),  # what depends on the width of physical addresses
]

DBM = 1 << 51
STARTS = {12: (16, 25, 34, 43), 14: (16, 17, 28, 39), 16: (16, 22, 35)}
KINDS = (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)


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
    for granule in GRANULES:
        for tnsz in STARTS[granule]:
            machine = Machine(granule, t0sz=tnsz, t1sz=tnsz)
            va = vas(granule, tnsz)[0]
            machine.map(va, 0x1234_0000_0000)
            bench.use(machine)
            for level in machine.lower.geometry.levels:
                slot = machine.lower.slot(va, level)
                for kind in KINDS:
                    machine.memory.errors = {slot}
                    answer = await cold(bench, Access(va, kind), f"level {level}")
                    assert answer.status == 0x14 + level
                    machine.memory.errors = set()
                    assert not (await bench.check(Access(va, kind), "retry")).fault


@bench_test(MmuBench)
async def bus_error_of_an_update(bench):
    """Spec 6.4, 7.3: a bus error on the swap is reported like one on the walk. WnR of an atomic is
    0 where its read would have faulted too: it needs the access flag, but not the dirty state."""
    for granule in GRANULES:
        machine = Machine(granule, flags=HA | HD)
        va = vas(granule)[0]
        for flag in (AF, 0):
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


class Window(Memory):
    """Only [0x4000_0000, 0x8000_0000) exists; everything else answers with an error."""

    def read(self, address: int, size: int = 8) -> int:
        if not 0x4000_0000 <= address < 0x8000_0000:
            raise BusError(hex(address))
        return super().read(address, size)


@bench_test(MmuBench)
async def table_pointers_outside_of_the_memory_map(bench):
    """Scenario f28 and DESIGN: a table pointer of software to nowhere, from TTBR or from an entry,
    is an external abort at the level that was to be read."""
    for granule in GRANULES:
        for nowhere in (0x8000_0000, 0x10_0000_0000, 0x0, 0xFFFF_FFFF_0000):
            machine = Machine(granule, memory=Window())
            va = vas(granule)[0]
            machine.map(va, 0x1234_0000_0000)
            bench.use_memory(machine.memory)
            ttbr0 = machine.registers.ttbr0 & ~((1 << 48) - 1) | nowhere
            bench.context(replace(machine.registers, ttbr0=ttbr0))
            start = machine.lower.geometry.start_level
            answer = await cold(bench, Access(va), "TTBR0")
            assert answer.status == 0x14 + start
            bench.context(machine.registers)
            for level in range(start, 3):
                slot = machine.lower.slot(va, level)
                good = machine.memory.words[slot]
                machine.memory.words[slot] = nowhere | 3
                answer = await cold(bench, Access(va), f"level {level}")
                assert answer.status == 0x14 + level + 1
                machine.memory.words[slot] = good
            assert not (await cold(bench, Access(va))).fault


@bench_test(MmuBench)
async def address_size(bench):
    """Scenario f28 (PA wider than the output size): TTBR, table and leaf addresses at and beyond
    IPS, for every IPS; a fault is found before the read. Blocks count with the VA's offset."""
    for ips in range(8):
        for granule in GRANULES:
            machine = Machine(granule)
            va = vas(granule)[0]
            machine.map(va, 0x1000_0000)
            tcr = machine.registers.tcr & ~(7 << 32) | ips << 32
            good = replace(machine.registers, tcr=tcr)
            bench.use_memory(machine.memory)
            for bit in (31, 32, 35, 36, 39, 40, 41, 42, 43, 44, 47):
                bench.context(replace(good, ttbr0=good.ttbr0 | 1 << bit))
                await cold(bench, Access(va), f"IPS {ips} TTBR bit {bit}")
                bench.context(good)
                for level in machine.lower.geometry.levels:
                    slot = machine.lower.slot(va, level)
                    machine.memory.words[slot] |= 1 << bit
                    await cold(bench, Access(va), f"IPS {ips} level {level} bit {bit}")
                    machine.memory.words[slot] &= ~(1 << bit)
            for level in leaf_levels(granule)[:-1]:
                block = Machine(granule)
                block.map(va, 0, level)
                bench.use_memory(block.memory)
                bench.context(replace(block.registers, tcr=tcr))
                await cold(bench, Access(va), f"IPS {ips} block at level {level}")


@bench_test(MmuBench)
async def every_type_at_every_level(bench):
    """Spec 4.1, B6: invalid and reserved entries at every level of every granule, with all other
    bits set; ignored and RES0 bits of valid ones."""
    ignored_table = 0x07F8_0000_0000_0FFC
    for granule in GRANULES:
        machine = Machine(granule)
        va = vas(granule)[0]
        machine.map(va, 0x1234_0000_0000)
        bench.use(machine)
        for level in machine.lower.geometry.levels:
            slot = machine.lower.slot(va, level)
            good = machine.memory.words[slot]
            for kind in (0b00, 0b01, 0b10):
                for rest in (0, M64 & ~3, good & ~3, good & ~3 | ignored_table):
                    machine.memory.words[slot] = rest | kind
                    await cold(bench, Access(va), f"level {level} type {kind:02b}")
            if level < 3:
                machine.memory.words[slot] = good | ignored_table & ~(0xF << 12)
                assert not (await cold(bench, Access(va), f"level {level} ignored bits")).fault
            else:
                machine.memory.words[slot] = good | 0xF << 59 | 0xF << 55 | 3 << 48 | 1 << 63
                assert not (await cold(bench, Access(va), "leaf ignored bits")).fault
            machine.memory.words[slot] = good


@bench_test(MmuBench)
async def priority_at_the_leaf(bench):
    """Scenario e22, B10 (spec 7.1): bus error, then invalid, address size, access flag, permission;
    every combination of causes at every leaf level, for every kind of access."""
    for granule, level in LEAVES:
        for causes in range(32):
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
            tcr = machine.registers.tcr & ~(7 << 32) | 4 << 32
            bench.context(replace(machine.registers, tcr=tcr))
            for kind in KINDS:
                await cold(bench, Access(va, kind), f"causes {causes:05b}")
                await bench.check(Access(va, kind), f"again, causes {causes:05b}")


@bench_test(MmuBench)
async def priority_before_the_first_read(bench):
    """Spec 7.1: Translation faults of range and configuration come before the TTBR's address
    size."""
    machine = Machine(12)
    va = vas(12)[0]
    machine.map(va, 0x1000_0000)
    bench.use_memory(machine.memory)
    r = machine.registers
    bad_base = replace(r, tcr=r.tcr & ~(7 << 32) | 2 << 32, ttbr0=r.ttbr0 | 1 << 45)
    for flags in (0, 1 << 7, 1 << 55, 1 << 37):
        bench.context(replace(bad_base, tcr=bad_base.tcr | flags))
        for address in (va, va | 1 << 52, va | 1 << 60):
            for el in (0, 1):
                answer = await cold(bench, Access(address, el=el), f"flags {flags:#x}")
                assert answer.fault and not bench.walk.reads


@bench_test(MmuBench)
async def non_canonical_addresses(bench):
    """Scenario f26 (CVA6 #3404, XiangShan #6210, black-parrot #543): every single wrong bit above
    the range, both halves, every granule, with the right page resident: no hit by a truncated
    tag."""
    for granule in GRANULES:
        for tnsz in (16, 25, 39):
            machine = Machine(granule, t0sz=tnsz, t1sz=tnsz)
            size = 64 - tnsz
            low = vas(granule, tnsz)[0]
            high = (-(1 << size) | low) & M64
            bench.use_memory(machine.memory)
            for va in (low, high):
                machine.map(va, 0x1234_0000_0000)
            for tbi in (0, 3 << 37):
                bench.context(replace(machine.registers, tcr=machine.registers.tcr | tbi))
                for va in (low, high):
                    for bit in range(size, 64):
                        wrong = va ^ 1 << bit
                        await cold(bench, Access(wrong), f"bit {bit}")
                        await bench.check(Access(va), "the right one")
                        for kind in KINDS:
                            await bench.check(Access(wrong, kind), f"bit {bit} with a hot TLB")
                    for gap in (1 << size, (1 << 55) - 1, 1 << 55, M64 - (1 << size)):
                        await cold(bench, Access(gap), "gap")


@bench_test(MmuBench)
async def tagged_addresses(bench):
    """Scenario f26 (top byte), G2 to G4 of the examples: TBI0/1 and TBID0/1, data and fetch, each
    half by its own bit, cold and hot."""
    machine = Machine(12)
    low, high = vas(12)
    machine.map(low, 0x1000_0000)
    machine.map(high, 0x2000_0000)
    bench.use_memory(machine.memory)
    for bits in range(16):
        flags = (bits & 3) << 37 | (bits >> 2) << 51
        bench.context(replace(machine.registers, tcr=machine.registers.tcr | flags))
        for va in (low, high):
            for tag in (0x00, 0x01, 0x80, 0xA5, 0xFF):
                tagged = va & ~(0xFF << 56) | tag << 56
                for kind in KINDS:
                    await cold(bench, Access(tagged, kind), f"flags {flags:#x}")
                    await bench.check(Access(va, kind), "untagged")
                    await bench.check(Access(tagged, kind), f"hot, flags {flags:#x}")


@bench_test(MmuBench)
async def reserved_granule(bench):
    """Scenario f27 (C910 #63): the reserved TG0 = 11 and TG1 = 00 walk with the 4K granule."""
    machine = Machine(12)
    bench.use_memory(machine.memory)
    for va in vas(12):
        machine.map(va, 0x1000_0000)
    r = machine.registers
    bench.context(replace(r, tcr=(r.tcr | 3 << 14) & ~(3 << 30)))
    for va in vas(12):
        assert not (await cold(bench, Access(va), "reserved TG")).fault


@bench_test(MmuBench)
async def misaligned_table_base(bench):
    """Scenario f27 (table base misaligned): register bits below the first table's size count as
    0."""
    for granule in GRANULES:
        for tnsz in range(16, 40, 3):
            machine = Machine(granule, t0sz=tnsz, t1sz=tnsz)
            va = vas(granule, tnsz)[0]
            machine.map(va, 0x1234_0000_0000)
            bench.use_memory(machine.memory)
            below = (1 << geometry(granule, tnsz).first_table_log2) - 1
            bench.context(replace(machine.registers, ttbr0=machine.registers.ttbr0 | below))
            assert not (await cold(bench, Access(va), f"TnSZ {tnsz}")).fault


@bench_test(MmuBench)
async def walks_that_are_switched_off(bench):
    """Spec 2.5: E0PDn stops EL0 even where the TLB would hit; EPDn stops walks, not hits."""
    machine = Machine(12)
    bench.use_memory(machine.memory)
    for n, va in enumerate(vas(12)):
        machine.map(va, 0x1000_0000)
        r = machine.registers
        e0pd = replace(r, tcr=r.tcr | 1 << (55 + n))
        epd = replace(r, tcr=r.tcr | 1 << (7 + 16 * n))
        for el in (0, 1):
            bench.context(e0pd)
            await cold(bench, Access(va, el=el), "E0PD")
            bench.context(r)
            await cold(bench, Access(va, el=el), "plain")
            bench.context(e0pd)
            await bench.check(Access(va, el=el), "E0PD, hot")
            bench.context(epd)
            answer = await cold(bench, Access(va, el=el), "EPD")
            assert answer.status == 0x04
        other = vas(12)[1 - n]
        machine.map(other, 0x2000_0000)
        bench.context(epd)
        assert not (await cold(bench, Access(other), "the other half")).fault


@cocotb.test()
async def random_descriptors(dut):
    """Scenario e22, B6: random bits in every entry on the way, biased towards validity; status,
    level and every descriptor read as in the model; cold and hot."""
    rng = random.Random(run_seed())
    bench = await MmuBench.start(dut)
    classes = set()
    for number in range(1500):
        granule = rng.choice(GRANULES)
        tnsz = rng.choice(STARTS[granule])
        machine = Machine(granule, t0sz=tnsz, t1sz=tnsz)
        tcr = machine.registers.tcr & ~(7 << 32) | rng.randrange(8) << 32
        tcr |= rng.choice((0, 0, 1 << 41))
        bench.context(replace(machine.registers, tcr=tcr))
        va = rng.choice(vas(granule, tnsz)) & ((1 << (64 - tnsz)) - 1)
        slot = machine.map(va, 0x1000_0000)
        slots = [machine.lower.slot(va, level) for level in machine.lower.geometry.levels]
        for level, at in zip(machine.lower.geometry.levels, slots, strict=True):
            flips = rng.randrange(1 << 64) & rng.randrange(1 << 64) & rng.randrange(1 << 64)
            flips &= rng.choice((0, 0, M64, 0xFFF0_0000_0000_0FFC, 0x0000_F000_0000_0003))
            if level < 3:  # keep the pointer, so that the walk goes on
                flips &= ~((1 << 48) - (1 << 12))
            machine.memory.words[at] ^= flips
            if rng.random() < 0.03:
                machine.memory.words[at] &= ~2
                break
        if rng.random() < 0.3:
            machine.memory.words[slot] ^= rng.randrange(1 << 48)
        bench.use_memory(machine.memory)
        for _ in range(3):
            access = Access(va, rng.choice(KINDS), rng.randrange(2), bool(rng.randrange(2)))
            expected = bench.golden(access)
            await cold(bench, access, f"walk {number}")
            await bench.check(access, f"hot, walk {number}")
            classes.add(expected.kind if isinstance(expected, Fault) else "translates")
    wanted = {
        FaultKind.TRANSLATION, FaultKind.ADDRESS_SIZE, FaultKind.ACCESS_FLAG,
        FaultKind.PERMISSION, "translates",
    }  # fmt: skip
    assert wanted <= classes, f"never produced: {wanted - classes}"


@bench_test(MmuBench)
async def upper_half_faults(bench):
    """The same classes through TTBR1."""
    for granule in GRANULES:
        machine = Machine(granule)
        va = UPPER | vas(granule)[0]
        slot = machine.map(va, 0x1000_0000)
        bench.use(machine)
        good = machine.memory.words[slot]
        for entry in (good, 0, good & ~AF, good & ~ap(3), good | ap(2), good & ~2):
            machine.memory.words[slot] = entry
            for kind in KINDS:
                for el in (0, 1):
                    await cold(bench, Access(va, kind, el), f"entry {entry:#x}")
