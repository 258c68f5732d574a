"""Rules about single entries that random translations once found broken: each has a test of its
own, with what must happen said here and the golden model beside it. Most are about 128-bit entries:
first tables of many levels, tables that are larger than the output size, dirty state that only
software may change, counters of levels above 0."""

from dataclasses import dataclass
from itertools import pairwise, product

from drivers.lockstep import MmuBench
from drivers.started import bench_test
from model import Access, FaultKind, Kind, Memory, Registers
from model.faults import status_code
from model.geometry import CONTIGUOUS_LOG2, Geometry, geometry
from model.registers import HA, HD, IPS_BITS, TG0, TG1
from support.on import On
from unit.mmu.machine import GRANULES

RUNS = [On("mmu:wide")]

KINDS = (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)
READ_WRITE = 0x5555_5555_5555_5555  # every permission index
VALID, TABLE, USER, AF = 1, 2, 1 << 6, 1 << 10
DS = 1 << 59
READS = [f"walkRead_{n}" for n in range(4)]


def registers(g: Geometry, root: int, *, ips=7, ds=False, flags=0, pire0=READ_WRITE) -> Registers:
    """The lower half, without a table in the upper one; `flags` are further bits of TCR."""
    granules = TG0[g.granule] << 14 | TG1[g.granule] << 30
    return Registers(
        tcr=g.tnsz | g.tnsz << 16 | granules | ips << 32 | ds * DS | flags,
        ttbr0=root | g.skl << 1,
        mair=0xFF,
        tcr2=g.d128 << 5,
        pir=READ_WRITE,
        pire0=pire0,
    )


@bench_test(MmuBench)
async def first_table_of_skipped_levels_is_indexed_by_all_their_bits(bench):
    """128-bit entries, TTBR.SKL (spec 10.2): the first table takes the place of up to four, and the
    whole index, from the top of the address range down, finds the entry in it."""
    root, page = 1 << 44, 0x12_3456_0000
    walked = set()
    for granule, tnsz, skl in product(GRANULES, (9, 12, 16, 25, 33, 39), range(4)):
        g = geometry(granule, tnsz, True, skl)
        level, low, top = g.start_level, g.lsb(g.start_level), g.input_size
        if level > 3:
            continue
        bench.context(registers(g, root))
        ones = (1 << top) - 1
        for va in (1 << top - 1, 1 << low, ones, 0x5A_5A5A_5A5A_5A5A & ones):
            slot = root + (va >> low << 4)
            memory = Memory()
            leaf = level >= (0 if granule == 12 else 1)
            if leaf:
                memory.write(slot, page >> low << low | VALID | AF | 3 - level << 109, 16)
            bench.use_memory(memory)
            await bench.invalidate_all()
            bench.walk.reads.clear()
            answer = await bench.check(Access(va), f"granule {granule} TnSZ {tnsz} SKL {skl}")
            assert [read.address for read in bench.walk.reads] == [slot]
            if leaf:
                assert answer.pa == page >> low << low | va & (1 << low) - 1
            else:
                assert answer.status == status_code(FaultKind.TRANSLATION, level)
        walked.add((granule, skl))
    assert walked == {*product(GRANULES, range(4))}


SV32_ROOT, SV32_LEAVES = 0x4000_0000, 0x4040_0000
V, R, W, X, U, G, A, D = (1 << n for n in range(8))


async def sv32_entry(bench: MmuBench, bits: int, level: int) -> set[int]:
    """Statuses that accesses of every kind and mode get from an entry with these bits at a level; 0
    for those that work. The other level is as it should be."""
    va, page = 0x1234_5678, 0x8_0000 << 10
    memory, rest = Memory(), G * (bits & G > 0)
    pointer = SV32_LEAVES >> 2 | V if level == 3 else page | bits
    # A table made of pages, should the entry at the root count as a pointer to it.
    memory.write(SV32_ROOT + (va >> 22) * 4, pointer, 4)
    for table in (SV32_LEAVES, page << 2):
        leaf = page | (bits if level == 3 else V | R | X | A | U | rest)
        memory.write(table + (va >> 12 & 1023) * 4, leaf, 4)
    bench.use_memory(memory)
    statuses = set()
    for kind, el in product(KINDS, (0, 1)):
        await bench.invalidate_all()
        answer = await bench.check(Access(va, kind, el), f"bits {bits:#04x} level {level}")
        statuses.add(answer.status if answer.fault else 0)
    return statuses


@bench_test(MmuBench)
async def sv32_writable_but_not_readable_is_reserved(bench):
    """W without R is for future use, with X as without it, whatever the other bits say: a page
    fault, at both levels, for every kind of access."""
    bench.context(Registers(0, satp=1 << 31 | SV32_ROOT >> 12))
    for level, x, others in product((2, 3), (0, X), (0, A | D, U | A | D, U | G | A | D)):
        assert await sv32_entry(bench, V | W | x | others, level) == {0x04 | level}
        assert 0 in await sv32_entry(bench, V | W | R | x | A | D | others, level)


@bench_test(MmuBench)
async def sv32_pointer_with_bits_of_a_leaf_is_reserved(bench):
    """U, A and D of a pointer are for future use: a page fault of its level. G is not."""
    bench.context(Registers(0, satp=1 << 31 | SV32_ROOT >> 12))
    for u, a, d, g in product((0, U), (0, A), (0, D), (0, G)):
        statuses = await sv32_entry(bench, V | u | a | d | g, 2)
        assert (statuses == {0x06}) == bool(u | a | d), f"{u | a | d | g:#04x}: {statuses}"
        assert await sv32_entry(bench, V | u | a | d | g, 3) == {0x07}


@dataclass(frozen=True)
class Block:
    """A block, or group of blocks, in a first table that has its level."""

    granule: int
    tnsz: int
    ds: bool = False
    d128: bool = False

    @property
    def geometry(self) -> Geometry:
        return geometry(self.granule, self.tnsz, self.d128)

    def entry(self, address: int, group: bool) -> int:
        if self.d128:
            return address | VALID | AF | 3 - self.geometry.start_level << 109 | group << 111
        return address | VALID | USER | AF | group << 52


BLOCKS = (Block(12, 16, ds=True), Block(14, 17, ds=True), Block(16, 16),
          Block(12, 20, d128=True), Block(14, 20, d128=True), Block(16, 12, d128=True))  # fmt: skip
GROUPS = (Block(12, 25), Block(16, 22), Block(16, 24, d128=True))
ROOT = 0x40_0000


async def outputs(bench: MmuBench, block: Block, start: int, span: int, ips: int) -> None:
    """Of what starts at `start`, what the output can hold translates and the rest faults, in
    whatever order it is asked for and whatever the TLB keeps."""
    limit, level = 1 << IPS_BITS[ips], block.geometry.start_level
    inside = (0x1234, limit // 2 + 0x88, limit - 1)
    outside = (limit, limit + 0x1234, span - 1)
    for offsets in ((*inside, *outside), (*outside, *inside), (inside[0], outside[1], inside[0])):
        await bench.invalidate_all()
        for offset in offsets:
            answer = await bench.check(Access(start + offset), f"{block} IPS {ips} +{offset:#x}")
            if offset < limit:
                assert answer.pa == offset
            else:
                assert answer.status == status_code(FaultKind.ADDRESS_SIZE, level)


@bench_test(MmuBench)
async def block_larger_than_the_output_is_clipped(bench):
    """Spec 2.4, 4.2: the complete output address is checked. A TLB that kept the block would give
    addresses beyond the output size for accesses that must fault."""
    met = 0
    for block, ips in product(BLOCKS, range(8)):
        g, memory = block.geometry, Memory()
        low = g.lsb(g.start_level)
        if IPS_BITS[ips] >= low:
            continue
        met += 1
        memory.write(ROOT + (1 << g.entry_log2), block.entry(0, False), 1 << g.entry_log2)
        bench.use_memory(memory)
        bench.context(registers(g, ROOT, ips=ips, ds=block.ds))
        await outputs(bench, block, 1 << low, 1 << low, ips)
    assert met == 10


@bench_test(MmuBench)
async def group_larger_than_the_output_is_clipped(bench):
    """The same of a contiguous group whose members the output can hold only in part."""
    for block in GROUPS:
        g, memory = block.geometry, Memory()
        low = g.lsb(g.start_level)
        members = 1 << CONTIGUOUS_LOG2[g.d128][g.granule][g.start_level]
        for n in range(members):
            at = ROOT + (members + n << g.entry_log2)
            memory.write(at, block.entry(n << low, True), 1 << g.entry_log2)
        assert low < 32 < low + members.bit_length() - 1
        bench.use_memory(memory)
        bench.context(registers(g, ROOT, ips=0))
        await outputs(bench, block, members << low, members << low, 0)


LARGE = geometry(12, 12, True, 3)  # with a first table of 64 GiB


def skip(levels: int) -> int:
    """Of a 128-bit table entry."""
    return levels << 109 | VALID


def leaf(level: int, bits: int = AF) -> int:
    """A 128-bit entry."""
    return skip(3 - level) | 0x9000_0000 | bits


def memory(entries: dict[int, int]) -> Memory:
    held = Memory()
    for address, entry in entries.items():
        held.write(address, entry, 16)
    return held


async def ask(bench, entries: dict[int, int], regs: Registers, va: int, kind=Kind.READ):
    """One access, cold, that agrees with the golden model; what was read on the way."""
    bench.use_memory(memory(entries))
    bench.context(regs)
    await bench.invalidate_all()
    bench.walk.reads.clear()
    return await bench.check(Access(va, kind)), [r.address for r in bench.walk.reads]


@bench_test(MmuBench)
async def next_table_beyond_the_output_size(bench):
    """The first table, or that which an entry of level -1 points to, has 64 GiB with 32 bits of
    output. Where the index leads outside, nothing is read; the entry's level is reported, cold and
    when a part of the table was used before."""
    answer, reads = await ask(bench, {}, registers(LARGE, 0, ips=0), 1 << 51)
    assert (answer.fault, answer.status, reads) == (True, 0x00, [])
    regs = registers(geometry(12, 12, True), ROOT, ips=0)
    outside, inside = 1 << 43, 0x50 << 12
    held = {ROOT: skip(3), 0x500: leaf(3)}
    answer, reads = await ask(bench, held, regs, outside)
    assert (answer.fault, answer.status, reads) == (True, 0x29, [ROOT])
    answer, reads = await ask(bench, held, regs, inside)
    assert (answer.fault, answer.pa, reads) == (False, 0x9000_0000, [ROOT, 0x500])
    again = await bench.check(Access(outside), "after the same table was used")
    assert (again.fault, again.status) == (True, 0x29)


@bench_test(MmuBench)
async def dirty_state_of_a_fault(bench):
    """A write that only nDirty forbids says so, cold, on the resident entry, and when the access
    flag would have been set; not when the page is dirty, or may not be written at all."""
    not_dirty, read_only = 1 << 7, READ_WRITE & ~0xF | 1
    cases = (
        (AF | not_dirty, 0, READ_WRITE, True, True),
        (AF | not_dirty, HA, READ_WRITE, True, True),
        (not_dirty, HA, READ_WRITE, True, True),
        (AF | not_dirty, 0, read_only, True, False),
        (not_dirty, HA, read_only, True, False),
        (AF | not_dirty, HA | HD, READ_WRITE, False, False),
        (AF, 0, READ_WRITE, False, False),
    )
    va = 0x100 << 20
    for bits, flags, permissions, fault, dirty in cases:
        held = {0x1000: leaf(2, bits)}
        regs = registers(LARGE, 0, ips=0, flags=flags, pire0=permissions)
        for kind in (Kind.WRITE, Kind.ATOMIC):
            answer, _ = await ask(bench, held, regs, va, kind)
            hot = await bench.check(Access(va, kind))
            for got in (answer, hot):
                assert (got.fault, got.fault and got.dirty) == (fault, dirty), f"{kind} {got}"
        answer, _ = await ask(bench, held, regs, va)
        assert not answer.fault, "a read may always be"


@bench_test(MmuBench, count=READS)
async def reads_above_level_0_are_counted(bench):
    """With walk_read_l0, so that the four counters add up to all reads of a walk that begins at
    level -2."""
    tables = [0x1_0000 * n for n in range(1, 7)]
    held = {here: after | VALID for here, after in pairwise(tables)} | {tables[-1]: leaf(3)}
    bench.use_memory(memory(held))
    bench.context(registers(geometry(12, 9, True), tables[0]))
    await bench.invalidate_all()
    bench.clear_events()
    assert not (await bench.check(Access(0))).fault
    await bench.step(2)
    assert [r.address for r in bench.walk.reads] == tables
    assert [bench.events[name] for name in READS] == [3, 1, 1, 1]
