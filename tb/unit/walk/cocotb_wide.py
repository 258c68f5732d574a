"""Walks with 128-bit descriptors: tables that are larger than the output size, bits of an address
that do not count, dirty state that only software may change, counters of levels above 0."""

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, Kind, Memory, Registers
from model.registers import HA, HD
from support.on import On

RUNS = [On("mmu:wide")]

D128, INDIRECT = 1 << 5, 1 << 1  # of TCR2
ALL_ALLOWED = 0x5555_5555_5555_5555  # PIR: reads and writes
AF = 1 << 10
READS = [f"walkRead_{n}" for n in range(4)]


def skip(levels: int) -> int:
    return levels << 109


def leaf(level: int, address: int, bits: int = 0) -> int:
    return skip(3 - level) | address | AF | 1 | bits


def registers(tcr: int, ttbr0: int, **others) -> Registers:
    values = {"tcr2": D128, "pir": ALL_ALLOWED, "pire0": ALL_ALLOWED, "mair": 0xFF, "sctlr": 5}
    return Registers(tcr, ttbr0=ttbr0, **values | others)


def memory(**words) -> Memory:
    """16-byte entries by their address: `x1000=...`."""
    held = Memory()
    for name, entry in words.items():
        held.write(int(name[1:], 16), entry, 16)
    return held


async def ask(bench, held: Memory, regs: Registers, va: int, kind=Kind.READ):
    """One access, cold, that agrees with the golden model; what was read on the way."""
    bench.use_memory(held)
    bench.context(regs)
    await bench.invalidate_all()
    bench.walk.reads.clear()
    return await bench.check(Access(va, kind)), [r.address for r in bench.walk.reads]


@bench_test(MmuBench)
async def first_table_beyond_the_output_size(bench):
    """T0SZ = 12, SKL = 3: a first table of 64 GiB with 32 bits of output. Where the index leads
    outside, nothing is read."""
    regs = registers(0x800A_000C, 6)
    answer, reads = await ask(bench, memory(), regs, 1 << 51)
    assert (answer.fault, answer.status, reads) == (True, 0x00, [])
    inside = memory(x1000=leaf(2, 0x9000_0000))
    answer, reads = await ask(bench, inside, regs, 0x100 << 20)
    assert (answer.fault, answer.pa, reads) == (False, 0x9000_0000, [0x1000])


@bench_test(MmuBench)
async def next_table_beyond_the_output_size(bench):
    """The same of a table that an entry of level -1 points to; the entry's level is reported, cold
    and when a part of the table was used before."""
    regs = registers(0x8000_000C, 0x1000)
    outside, inside = 1 << 43, 0x50 << 12
    held = memory(x1000=skip(3) | 1, x500=leaf(3, 0x9000_0000))
    answer, reads = await ask(bench, held, regs, outside)
    assert (answer.fault, answer.status, reads) == (True, 0x29, [0x1000])
    answer, reads = await ask(bench, held, regs, inside)
    assert (answer.fault, answer.pa, reads) == (False, 0x9000_0000, [0x1000, 0x500])
    again = await bench.check(Access(outside, Kind.READ), "after the same table was used")
    assert (again.fault, again.status) == (True, 0x29)


@bench_test(MmuBench)
async def bits_inside_a_table_do_not_count(bench):
    """An address bit below the size of a table is RES0, even above the output size: set in TTBR or
    in a descriptor, it changes nothing."""
    noisy = 1 << 33
    page = memory(x1000=leaf(2, 0x9000_0000))
    for noise in (0, noisy):
        answer, reads = await ask(bench, page, registers(0x800A_000C, 6 | noise), 0x100 << 20)
        assert (answer.fault, answer.pa, reads) == (False, 0x9000_0000, [0x1000])
        held = memory(x1000=skip(3) | noise | 1, x500=leaf(3, 0x9000_0000))
        answer, reads = await ask(bench, held, registers(0x8000_000C, 0x1000), 0x50 << 12)
        assert (answer.fault, answer.pa, reads) == (False, 0x9000_0000, [0x1000, 0x500])


@bench_test(MmuBench)
async def dirty_state_of_a_fault(bench):
    """A write that only nDirty forbids says so, cold, on the resident entry, and when the access
    flag would have been set; not when the page is dirty, or may not be written at all."""
    not_dirty = 1 << 7
    held = memory(x1000=leaf(2, 0x9000_0000, not_dirty))
    old = memory(x1000=leaf(2, 0x9000_0000, not_dirty) & ~AF)
    read_only = ALL_ALLOWED & ~0xF | 1
    cases = (
        (held, 0, ALL_ALLOWED, True, True),
        (held, HA, ALL_ALLOWED, True, True),
        (old, HA, ALL_ALLOWED, True, True),
        (held, 0, read_only, True, False),
        (old, HA, read_only, True, False),
        (held, HA | HD, ALL_ALLOWED, False, False),
        (memory(x1000=leaf(2, 0x9000_0000)), 0, ALL_ALLOWED, False, False),
    )
    for held, flags, permissions, fault, dirty in cases:
        regs = registers(0x800A_000C | flags, 6, pire0=permissions)
        for kind in (Kind.WRITE, Kind.ATOMIC):
            answer, _ = await ask(bench, Memory(dict(held.words)), regs, 0x100 << 20, kind)
            hot = await bench.check(Access(0x100 << 20, kind))
            for got in (answer, hot):
                assert (got.fault, got.fault and got.dirty) == (fault, dirty), f"{kind} {got}"
        answer, _ = await ask(bench, Memory(dict(held.words)), regs, 0x100 << 20)
        assert not answer.fault, "a read may always be"


@bench_test(MmuBench, count=READS)
async def reads_above_level_0_are_counted(bench):
    """With walk_read_l0, so that the four counters add up to all reads of a walk that begins at
    level -2."""
    tables = [0x1_0000 * n for n in range(1, 7)]
    held = Memory()
    for here, after in zip(tables[:-1], tables[1:], strict=True):
        held.words.update({here: after | 1, here + 8: 0})
    held.words.update(memory(x60000=leaf(3, 0x9000_0000)).words)
    regs = registers(9 | 2 << 30 | 7 << 32, tables[0])
    bench.use_memory(held)
    bench.context(regs)
    await bench.invalidate_all()
    bench.clear_events()
    assert not (await bench.check(Access(0))).fault
    await bench.step(2)
    assert [r.address for r in bench.walk.reads] == tables
    counts = [bench.events[name] for name in READS]
    assert counts == [3, 1, 1, 1], counts
