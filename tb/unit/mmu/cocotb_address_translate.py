"""The AT operation and PAR, and the registers that show a TLB entry (spec 1.5)."""

import random
from dataclasses import replace

import cocotb
from cocotb.triggers import FallingEdge

from cases.generate import case
from cases.shapes import SHAPES
from drivers.address_space import small_space
from drivers.ip_driver import COMMAND, MAIR, OPERAND, SCTLR, TCR, TTBR0, TTBR1, IpDriver
from drivers.signals import READ
from drivers.started import bench_test
from model import Access, Fault, Kind, Memory, Registers, Translation, translate
from model.examples import (
    EXAMPLES,
    FAULTS,
    TWINS,
    access_of,
    memory_of,
    name_of,
    number,
    registers_of,
)
from model.permissions import Rights
from model.steps import Ask, Flush, Load, Store, Trap, Trouble
from model.walk import par
from support.configurations import features_of
from support.on import On
from support.seed import run_seed

RUNS = [
    On("mmuip:wide"),  # all formats
    # Where an invalidation is complete before its sweep.
    On("mmuip:teaching", tests=["shows_entries", "shows_no_entry_that_is_compared"]),
]

AT_VA, AT_COMMAND, PAR, PAR_HIGH = 0x70, 0x78, 0x80, 0x88
TCR2, PIR, PIRE0, MAIR2, TTBR0_HIGH, TTBR1_HIGH = 0x90, 0x98, 0xA0, 0xA8, 0xB0, 0xB8
SELECT, FLAGS, ENTRY_VA, ENTRY_PA, ENTRY_ASID = 0xD0, 0xD4, 0xD8, 0xE0, 0xE8
# Operation -> kind, EL, PAN.
OPERATIONS = {
    0: (Kind.AT_READ, 1, False),
    1: (Kind.AT_WRITE, 1, False),
    2: (Kind.AT_READ, 0, False),
    3: (Kind.AT_WRITE, 0, False),
    4: (Kind.AT_READ, 1, True),
    5: (Kind.AT_WRITE, 1, True),
}


BARE = Translation(
    0,
    attr=0xFF,
    sh=3,
    level=None,
    span=32,
    granule=12,
    rights=Rights(True, True, True),
    ng=False,
    asid=0,
)


async def load(bench, registers) -> None:
    low = (1 << 64) - 1
    for at, value in (
        (TCR, registers.tcr),
        (TTBR0, registers.ttbr0 & low),
        (TTBR1, registers.ttbr1 & low),
        (MAIR, registers.mair),
        (SCTLR, registers.sctlr),
        (TCR2, registers.tcr2),
        (PIR, registers.pir),
        (PIRE0, registers.pire0),
        (MAIR2, registers.mair2),
        (TTBR0_HIGH, registers.ttbr0 >> 64),
        (TTBR1_HIGH, registers.ttbr1 >> 64),
    ):
        await bench.apb.write64(at, value)


async def at(bench, va: int, operation: int) -> int:
    """All 128 bits of PAR. Memory is as it was: no swap was won."""
    before = dict(bench.memory.words)
    await bench.apb.write64(AT_VA, va)
    await bench.apb.write(AT_COMMAND, operation)
    assert bench.memory.words == before, f"AT operation {operation} at {va:#x} changed memory"
    return await bench.apb.read64(PAR) | await bench.apb.read64(PAR_HIGH) << 64


async def set_up(bench, example: dict) -> tuple:
    """Registers and memory of a worked example, nothing remembered; returns them and the VA."""
    registers, memory = registers_of(example), memory_of(example)
    await load(bench, registers)
    bench.walk.memory = memory
    await bench.tlbi(0)
    return registers, memory, number(example["va"])


def expected_par(outcome, registers, va) -> int:
    """The 128-bit form marks itself and has the address higher up (spec 1.5). With the MMU off the
    block has no flat map: accesses are Bare (see `untranslated_as_accesses_are`)."""
    if not registers.translating:
        outcome = replace(BARE, pa=va & (1 << 32) - 1)
    value = par(outcome)
    if not registers.d128:
        return value
    value |= 1 << 64
    if isinstance(outcome, Fault):
        return value
    return value & ~(((1 << 52) - 1) & ~0xFFF) | (outcome.pa >> 12) << 76


@bench_test(IpDriver)
async def worked_examples(bench):
    """Every AT operation at the address of every worked example, all formats: PAR is the golden
    model's, memory is unchanged, no TLB remembers anything."""
    features = features_of("wide")
    done = 0
    for example in (*EXAMPLES, *TWINS):
        registers, memory, va = await set_up(bench, example)
        for operation, (kind, el, pan) in OPERATIONS.items():
            outcome = translate(
                registers, features, Memory(memory.words, memory.errors), Access(va, kind, el, pan)
            )
            got = await at(bench, va, operation)
            want = expected_par(outcome, registers, va)
            assert got == want, (
                f"{name_of(example)}, operation {operation}: PAR {got:#x}, not {want:#x}"
            )
            done += 1
    assert done == (len(EXAMPLES) + len(TWINS)) * len(OPERATIONS)
    for entry in range(16):
        await bench.apb.write(SELECT, 1 << 8 | entry)
        assert not await bench.apb.read(FLAGS) & 1, "AT left an entry in the TLB"


# Fault examples of which AT knows nothing in this configuration.
NOT_OF_AT = {
    **dict.fromkeys(("E3", "E4", "E5", "E12", "F7", "G4"), "AT does not fetch"),
    **dict.fromkeys(("F8", "F9"), "AT updates no descriptor"),
    **dict.fromkeys(("G7", "G17"), "small tables and 56 bits are there"),
    "G15": "AT has no alignment",
}


@bench_test(IpDriver)
async def controls_of_the_examples(bench):
    """Each control that makes an example fault makes AT of the same access fail, with the same
    status, and with the control off it succeeds."""
    operations = {what: number for number, what in OPERATIONS.items()}
    seen = set()
    for example, twin in zip(FAULTS, TWINS, strict=True):
        if name_of(example) in NOT_OF_AT:
            continue
        values = []
        for variant in (example, twin):
            _, _, va = await set_up(bench, variant)
            a = access_of(variant)
            kind = Kind.AT_WRITE if a.kind.writes and not a.kind.reads else Kind.AT_READ
            values.append(await at(bench, va, operations[kind, a.el, a.pan]))
        status, name = values[0] >> 1 & 0x3F, name_of(example)
        assert values[0] & 1 and status == number(example["fsc"]), f"{name}: {values[0]:#x}"
        assert not values[1] & 1, f"{name_of(twin)}: {values[1]:#x}"
        seen.add(name)
    assert seen | set(NOT_OF_AT) == {name_of(e) for e in FAULTS} and len(seen) > 25


@bench_test(IpDriver)
async def a_fault_of_128_bit_tables_marks_its_form(bench):
    """TCR2 with PIE and D128, tables without an entry: AT fails, and PAR has the 128-bit form."""
    root = 0x4000_0000
    bench.walk.memory = Memory(dict.fromkeys(range(root, root + 0x1000, 8), 0))
    for tcr2, expected in ((0x32, 1 << 64 | 0x857), (0x12, 0x809)):
        await load(bench, Registers(tcr=16 | 16 << 16 | 5 << 32, ttbr0=root, sctlr=1, tcr2=tcr2))
        value = await at(bench, 0x1234_5000, 0)
        assert value == expected, f"TCR2 {tcr2:#x}: PAR {value:#x}, not {expected:#x}"


@bench_test(IpDriver)
async def shareability_of_every_memory_type(bench):
    """Device and Non-cacheable memory, both bytes that mean it, is Outer Shareable whatever the
    entry says; else PAR has the entry's field."""
    space, va, _ = small_space()
    await bench.program(space)
    for byte, outer in ((0xFF, False), (0xAA, False), (0x44, True), (0x40, True), (0x04, True)):
        await bench.apb.write64(MAIR, byte)
        await bench.tlbi(0)
        value = await at(bench, va, 0)
        assert not value & 1, f"{value:#x}"
        assert value >> 56 & 0xFF == byte
        assert (value >> 7 & 3 == 2) is outer, f"MAIR {byte:#x}: PAR {value:#x}"


@bench_test(IpDriver)
async def waits_for_the_walk_of_an_access(bench):
    """AT while the data port walks: both get their own answers."""
    space, va, _ = small_space()
    other = va + 0x7000
    space.map(other, 0xA000_0000)
    await bench.program(space)
    bench.walk.latency = 9
    access = cocotb.start_soon(bench.translate(va, READ))
    for _ in range(3):
        await FallingEdge(bench.dut.clk)
    value = await at(bench, other, 0)
    assert value >> 12 & 0xF_FFFF_FFFF == 0xA0000, f"{value:#x}"
    assert (await access).pa == 0x9000_0000


@bench_test(IpDriver)
async def shows_entries(bench):
    """What is installed is shown, and what is invalidated is not any more."""
    space, va, _ = small_space()
    await bench.program(space)
    await bench.translate(va)
    shown = []
    for entry in range(16):
        await bench.apb.write(SELECT, 1 << 8 | entry)
        flags = await bench.apb.read(FLAGS)
        if flags & 1:
            shown.append((await bench.apb.read64(ENTRY_VA), await bench.apb.read64(ENTRY_PA)))
            assert flags >> 16 & 0xFF == 12, f"flags {flags:#x}: a page of 4K has 2^12 bytes"
            assert not flags & 2, "the page is not global"
            registers = space.registers
            assert await bench.apb.read(ENTRY_ASID) == registers["ttbr0"] >> 48
    assert shown == [(va, 0x9000_0000)]
    await bench.tlbi(0)
    for entry in range(16):
        await bench.apb.write(SELECT, 1 << 8 | entry)
        assert not await bench.apb.read(FLAGS) & 1


@bench_test(IpDriver)
async def shows_no_entry_that_is_compared(bench):
    """A TLBI may be complete while its sweep is under way. What is selected then is shown as it is
    afterwards: an entry that stays with its own address, and none that was covered, also if those
    that the sweep comes to last are looked at first."""
    space, base, _ = small_space()
    pages = [base + (n << 12) for n in range(16)]
    for n, va in enumerate(pages[1:], 1):
        space.map(va, 0x9000_0000 + (n << 12))
    await bench.program(space)
    for va in pages:
        await bench.translate(va)
    elsewhere = base + (32 << 12)
    for entry in reversed(range(16)):
        await bench.tlbi(2, space.registers["ttbr0"] >> 48 << 48 | elsewhere >> 12)
        await bench.apb.write(SELECT, 1 << 8 | entry)
        assert await bench.apb.read(FLAGS) & 1, f"entry {entry} was lost"
        assert await bench.apb.read64(ENTRY_VA) == pages[entry]
    await bench.tlbi(0)
    for entry in reversed(range(16)):
        await bench.apb.write(SELECT, 1 << 8 | entry)
        assert not await bench.apb.read(FLAGS) & 1, f"entry {entry} is shown"


@bench_test(IpDriver)
async def untranslated_as_accesses_are(bench):
    """While neither SCTLR.M nor satp.MODE is set, AT answers what an access does: the low 32 bits
    of a sign-extended address, in Normal memory; afterwards it walks."""
    space, va, _ = small_space()
    for operation in OPERATIONS:
        for high in (0xFFFF_FFFF_8123_4000, 0x8123_4000, 0x7FFF_F000):
            answer = await bench.translate(high, READ)
            got = await at(bench, high, operation)
            assert not got & 1 and not answer.fault, f"{high:#x}: PAR {got:#x}"
            assert got & ((1 << 52) - 1) & ~0xFFF == answer.pa, f"{high:#x}: PAR {got:#x}"
            assert got >> 56 & 0xFF == answer.mair
    await bench.program(space)
    assert await at(bench, va, 0) & ((1 << 52) - 1) & ~0xFFF == 0x9000_0000
    assert await at(bench, 0xFFFF_FFFF_8123_4000, 0) & 1


@bench_test(IpDriver)
async def random_tables(bench):
    """AT in the random cases of `make soak`, every format, at the addresses of their accesses: PAR
    is the golden model's, DirtyBit included."""
    features = features_of("wide")
    outcomes, dirty = set(), 0
    rng = random.Random(run_seed(1))
    for shape in [s for s in SHAPES.values() if s.present(features)] * 6:
        memory, registers = Memory(), Registers(0)
        for step in case(rng, shape, features).steps:
            match step:
                case Store(address, value):
                    memory.words[address] = value
                case Trap(address, Trouble.ERROR):
                    memory.errors.add(address)
                case Load(now):
                    registers = now
                    await load(bench, registers)
                    bench.dut.io_satp.value = registers.satp
                case Flush(op):
                    await bench.apb.write64(OPERAND, op.operand)
                    await bench.apb.write(COMMAND, int(op.kind) | op.last_level << 3)
                case Ask(access) if registers.translating:
                    bench.walk.memory = memory
                    operation = rng.choice([*OPERATIONS])
                    kind, el, pan = OPERATIONS[operation]
                    held = Memory(dict(memory.words), memory.errors)
                    outcome = translate(registers, features, held, Access(access.va, kind, el, pan))
                    got = await at(bench, access.va, operation)
                    want = expected_par(outcome, registers, access.va)
                    assert got == want, (
                        f"{shape.name} {access.va:#x} operation {operation}: "
                        f"PAR {got:#x}, not {want:#x}: {outcome}"
                    )
                    outcomes.add(got >> 1 & 0x3F if got & 1 else None)
                    dirty += got & 1 and got >> 15 & 1
    assert len(outcomes) > 12 and dirty, (outcomes, dirty)
