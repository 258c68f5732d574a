"""The AT operation and PAR, and the registers that show a TLB entry (spec 1.5)."""

import random
from dataclasses import replace

from cases.generate import case
from cases.shapes import SHAPES
from drivers.address_space import USER, small_space
from drivers.ip_driver import COMMAND, MAIR, OPERAND, SCTLR, TCR, TTBR0, TTBR1, IpDriver
from drivers.signals import READ
from drivers.started import bench_test
from model import Access, Fault, Kind, Memory, Registers, Translation, translate
from model.permissions import Rights
from model.steps import Ask, Flush, Load, Store, Trap, Trouble
from model.tables import NG
from model.tlbi import va_operand
from model.walk import par
from support.configurations import features_of
from support.on import On
from support.seed import run_seed

RUNS = [
    On("mmuip:wide"),  # all formats
    # Where an invalidation is complete before its sweep.
    On("mmuip:teaching", tests=["shows_no_entry_that_is_compared"]),
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
BARE = Translation(0, attr=0xFF, sh=3, level=None, span=32, granule=12,
                   rights=Rights(True, True, True), ng=False, asid=0)  # fmt: skip
ENTRIES = 16


async def load(bench, registers) -> None:
    """All of them but satp; of the roots the upper halves of 128 bits too."""
    low = (1 << 64) - 1
    for name, at in {
        "tcr": TCR, "ttbr0": TTBR0, "ttbr1": TTBR1, "mair": MAIR, "sctlr": SCTLR, "tcr2": TCR2,
        "pir": PIR, "pire0": PIRE0, "mair2": MAIR2,
    }.items():  # fmt: skip
        await bench.apb.write64(at, getattr(registers, name) & low)
    for value, at in ((registers.ttbr0, TTBR0_HIGH), (registers.ttbr1, TTBR1_HIGH)):
        await bench.apb.write64(at, value >> 64)


async def at(bench, va: int, operation: int) -> int:
    """All 128 bits of PAR. Memory is as it was: no swap was won."""
    before = dict(bench.memory.words)
    await bench.apb.write64(AT_VA, va)
    await bench.apb.write(AT_COMMAND, operation)
    assert bench.memory.words == before, f"AT operation {operation} at {va:#x} changed memory"
    return await bench.apb.read64(PAR) | await bench.apb.read64(PAR_HIGH) << 64


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


async def agrees(bench, registers: Registers, va: int, operation: int, what: str) -> int:
    """PAR, which is that of the golden model with these registers and the bench's memory."""
    kind, el, pan = OPERATIONS[operation]
    held = Memory(dict(bench.memory.words), bench.memory.errors)
    outcome = translate(registers, features_of("wide"), held, Access(va, kind, el, pan))
    got, want = await at(bench, va, operation), expected_par(outcome, registers, va)
    assert got == want, f"{what} {va:#x} operation {operation}: PAR {got:#x}, not {want:#x}"
    return got


async def shown(bench, number: int) -> tuple[int, int] | None:
    """VA and PA of an entry of the data TLB, which is a page of 4K of the first task; None: there
    is nothing."""
    await bench.apb.write(SELECT, 1 << 8 | number)
    flags = await bench.apb.read(FLAGS)
    if not flags & 1:
        return None
    assert flags >> 16 & 0xFF == 12, f"flags {flags:#x}: a page of 4K has 2^12 bytes"
    assert not flags & 2, "the page is not global"
    assert await bench.apb.read(ENTRY_ASID) == small_space()[0].asid
    return await bench.apb.read64(ENTRY_VA), await bench.apb.read64(ENTRY_PA)


@bench_test(IpDriver)
async def shows_no_entry_that_is_compared(bench):
    """What is installed is shown. A TLBI may be complete while its sweep is under way. What is
    selected then is shown as it is afterwards: an entry that stays with its own address, and none
    that was covered, also if those that the sweep comes to last are looked at first."""
    space, base, _ = small_space()
    pages = [(base + (n << 12), 0x9000_0000 + (n << 12)) for n in range(ENTRIES)]
    for va, pa in pages[1:]:
        space.map(va, pa, bits=USER | NG)
    await bench.program(space)
    for va, _ in pages:
        await bench.translate(va)
    elsewhere = base + (32 << 12)
    for entry in reversed(range(ENTRIES)):
        await bench.tlbi(2, va_operand(elsewhere, space.asid))
        assert await shown(bench, entry) == pages[entry]
    await bench.tlbi(0)
    for entry in reversed(range(ENTRIES)):
        assert await shown(bench, entry) is None, f"entry {entry}"


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
                    got = await agrees(bench, registers, access.va, operation, shape.name)
                    outcomes.add(got >> 1 & 0x3F if got & 1 else None)
                    dirty += got & 1 and got >> 15 & 1
    assert len(outcomes) > 12 and dirty, (outcomes, dirty)
