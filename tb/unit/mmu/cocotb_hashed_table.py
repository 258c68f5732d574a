"""The hashed table: what is entered and found, in how many cycles, what software takes away, and
what goes wrong. model/hashed_table.py says where entries are."""

import random

import cocotb
from cocotb.triggers import ClockCycles

from drivers.address_space import AF, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import READ, VA, WRITE
from drivers.started import bench_test
from model.hashed_table import HashedTable, Page, is_clean, page_of
from model.registers import HA, HD
from model.tables import DBM, NG, READ_ONLY, ap
from model.tlbi import va_operand
from support.on import On
from support.seed import run_seed

RUNS = [On("mmu:vmsa48_hashed")]

BASE, GROUPS = 0x1000_0000, 4
MOST = 18  # log2 of the groups of the largest table
CACHED = 1 << 8 | 1 << 24  # TCR: walks of both halves may be cached
TNSZ = {12: 25, 14: 28, 16: 25}
USER = AF | NG | ap(1)


class Bench(MmuDriver):
    """An MMU whose hashed table is on, and spaces by ASID."""

    @classmethod
    async def start(cls, dut, granule: int = 12, asids=(1,), tcr: int = 0, groups: int = GROUPS):
        bench = await super().start(dut)
        bench.granule, bench.tcr = granule, tcr
        bench.table = HashedTable(bench.memory, BASE, groups)
        dut.io_htab.value = bench.table.control
        bench.spaces = {}
        for n, asid in enumerate(asids):
            space = AddressSpace(granule, TNSZ[granule], asid, root=0x4000_0000 + (n << 24))
            space.tables.memory = bench.memory
            bench.spaces[asid] = space
        bench.run_as(asids[0])
        return bench

    def run_as(self, asid: int) -> None:
        registers = self.spaces[asid].registers
        self.asid = asid
        self.context(**registers | {"tcr": registers["tcr"] | CACHED | self.tcr})

    def page(self, va: int) -> Page:
        return Page(va, self.granule, self.asid)

    def map(self, va: int, pa: int, bits: int = USER, level: int = 3) -> int:
        return self.spaces[self.asid].map(va, pa, level, bits)

    async def forget(self) -> None:
        """Nothing is in a TLB."""
        await self.settle()
        await self.invalidate_all()

    async def settle(self) -> None:
        """What is being entered is in memory."""
        await ClockCycles(self.dut.clk, 8 * (self.walk.latency + 4))

    async def access(self, va: int, access: int = READ) -> tuple:
        """The answer, and the addresses of all reads."""
        self.walk.reads.clear()
        answer = await self.translate(va, access)
        return answer, [r.address for r in self.walk.reads]

    def descriptors(self, reads: list[int]) -> int:
        size = 128 << self.table.groups
        return sum(not BASE <= address < BASE + size for address in reads)

    async def take_away(self, va: int) -> int:
        """Software's part of an unmapping, after it has cleared the descriptor."""
        operand = va_operand(va, self.asid)
        self.waited = await self.invalidate(VA, operand)
        found = self.table.take_away(self.page(va))
        if found:
            await self.invalidate(VA, operand)
        return found

    def slots_of(self, va: int) -> list[int]:
        tags = self.table.tags(va, self.granule, self.asid)
        return [tags.index(at) for at in self.table.of(self.page(va))]


@cocotb.test()
async def what_is_walked_is_found(dut):
    """Each granule, both halves, global and not, in the largest table: the entry is where the model
    says, and the next access after an invalidation reads it and no descriptor."""
    for granule in (12, 14, 16):
        bench = await Bench.start(dut, granule, asids=(0xA123,), groups=MOST)
        space = bench.spaces[0xA123]
        upper = space.registers["ttbr1"]
        top = (1 << 64) - 0x7654_0000
        for va, bits in ((0x1234_5000, USER), (0x2_1230_0000, USER & ~NG), (top, USER)):
            if va == top:
                space.tables.root = upper
            pa = 0x7_6543_0000 >> granule << granule
            bench.map(va, pa, bits)
            await bench.forget()
            first, reads = await bench.access(va)
            tags = bench.table.tags(va, granule, 0xA123)
            assert first.pa == pa + va % (1 << granule) and reads[:16] == tags
            await bench.settle()
            page = Page(va, granule, 0xA123 if bits & NG else None)
            entries = bench.table.of(page, 0xA123)
            assert entries == tags[:1]
            assert page_of(bench.memory.read(entries[0] + 64)) == pa
            await bench.invalidate_all()
            again, reads = await bench.access(va + 4)
            assert again.pa == first.pa + 4 and again.mair == first.mair
            assert reads == [entries[0], entries[0] + 64]
            assert bench.table.take_away(page, 0xA123) == 1


@bench_test(Bench, groups=1)
async def cycles(bench):
    """A hit in slot i of the first or second group, a miss, and the table that is off."""
    vas = [n << 14 for n in range(16)]  # one hash, as there are two groups
    for va in vas:
        bench.map(va, va | 1 << 32)
    for latency in (1, 2, 5):
        bench.walk.latency = latency
        bench.memory.words = {a: w for a, w in bench.memory.words.items() if a >= 0x4000_0000}
        for va in vas:
            await bench.forget()
            answer, reads = await bench.access(va)
            walk = bench.descriptors(reads)
            assert answer.cycles == 16 * (latency + 1) + 1 + walk * (latency + 1) + 4
        for slot, va in enumerate(vas):
            await bench.forget()
            answer, reads = await bench.access(va)
            assert (answer.pa, len(reads)) == (va | 1 << 32, slot + 2)
            assert answer.cycles == (slot + 2) * (latency + 1) + 3
    bench.dut.io_htab.value = 0
    await bench.forget()
    answer, reads = await bench.access(vas[0])
    assert answer.cycles == len(reads) * 6 + 5 and bench.descriptors(reads) == len(reads)


@bench_test(Bench)
async def what_is_no_page_is_walked(bench):
    """Blocks and contiguous groups are not entered; neither is anything when walks are not
    cached."""
    bench.map(0x4000_0000, 0x8000_0000, USER, level=2)
    for n in range(16):
        bench.map(n << 12, 0x9000_0000 + (n << 12), USER | 1 << 52)
    bench.map(0x20_0000, 0xA000_0000)
    for va in (0x4000_0000, 0x3000):
        for _ in range(2):
            await bench.forget()
            _, reads = await bench.access(va)
            assert len(reads) > 16 and not bench.table.entries()
    bench.context(tcr=bench.spaces[1].registers["tcr"])
    await bench.forget()
    _, reads = await bench.access(0x20_0000)
    await bench.settle()
    assert bench.descriptors(reads) == len(reads) and not bench.table.entries()


@bench_test(Bench, tcr=HA | HD)
async def a_write_marks_the_page(bench):
    """A writable-clean entry serves reads; a write walks, and what it finds takes its place."""
    va, other = 0x5000, 0x1_5000
    slot = bench.map(va, 0x8000_0000, USER | DBM | READ_ONLY)
    bench.map(other, 0x9000_0000)
    for each in (other, va):  # so that it is not in the slot whose turn it is
        await bench.access(each)
        await bench.settle()
    assert bench.slots_of(va) == [1]
    await bench.forget()
    assert [is_clean(t) for _, t in bench.table.entries()] == [False, True]
    _, reads = await bench.access(va)
    assert len(reads) == 3
    answer, reads = await bench.access(va, WRITE)
    assert not answer.fault and bench.descriptors(reads) and len(reads) > 2
    assert not bench.memory.words[slot] & READ_ONLY
    await bench.forget()
    assert [is_clean(t) for _, t in bench.table.entries()] == [False, False]
    assert bench.slots_of(va) == [1]
    _, reads = await bench.access(va, WRITE)
    assert len(reads) == 3


@bench_test(Bench, groups=1)
async def a_full_group_gives_one_entry(bench):
    """Pages of one hash fill both groups. Then entries of the first one go in turn, and no other;
    no page is there twice."""
    vas = [n << 14 for n in range(40)]
    for va in vas:
        bench.map(va, va | 1 << 32)
    for n, va in enumerate(vas):
        await bench.forget()
        before = dict(bench.table.entries())
        answer, _ = await bench.access(va)
        assert answer.pa == va | 1 << 32
        await bench.settle()
        after = dict(bench.table.entries())
        assert len(after) == min(n + 1, 16), n
        assert bench.slots_of(va) == [n if n < 16 else n % 8], n
        assert len(set(before) - set(after)) == (n >= 16)
    held = sum(len(bench.slots_of(va)) for va in vas)
    assert held == 16 == len(bench.table.entries())


@bench_test(Bench, groups=1)
async def software_is_first(bench):
    """A swap of an entry is lost: of a free tag, of a translation, of a tag that is to be freed.
    The walk answers all the same, and what software stored stays."""
    vas = [n << 14 for n in range(17)]
    for va in vas:
        bench.map(va, va | 1 << 32)
    tags = bench.table.tags(0, 12, 1)
    stored = 0xABCD_0000_0000
    for at in (tags[0], tags[0] + 64):
        bench.memory.race[at] = stored
        await bench.forget()
        answer, _ = await bench.access(vas[0])
        await bench.settle()
        assert answer.pa == 1 << 32 and bench.memory.words[at] == stored
        assert not bench.table.entries() and not bench.memory.race
        bench.memory.words[at] = 0
    for va in vas[:16]:
        await bench.forget()
        await bench.access(va)
    await bench.forget()
    bench.memory.race[tags[0]] = stored
    answer, _ = await bench.access(vas[16])
    await bench.settle()
    assert answer.pa == vas[16] | 1 << 32 and bench.memory.words[tags[0]] == stored
    assert len(bench.table.entries()) == 15 and not bench.slots_of(vas[16])


@bench_test(Bench)
async def bus_errors_are_no_faults(bench):
    """In a tag, in a translation, in a swap: the walk answers."""
    va = 0xB000
    bench.map(va, 0x8000_0000)
    tags = bench.table.tags(va, 12, 1)
    for errors, swaps in (({tags[3]}, ()), ({tags[0] + 64}, ()), ((), {tags[0]}),
                          ((), {tags[0] + 64})):  # fmt: skip
        bench.memory.errors, bench.memory.swap_errors = set(errors), set(swaps)
        await bench.forget()
        answer, _ = await bench.access(va)
        assert not answer.fault and answer.pa == 0x8000_0000
        await bench.settle()
        assert not bench.table.entries()
    bench.memory.errors, bench.memory.swap_errors = set(), set()
    await bench.forget()
    await bench.access(va)
    await bench.settle()
    bench.memory.errors = {tags[0] + 64}
    await bench.forget()
    answer, _ = await bench.access(va)
    assert answer.pa == 0x8000_0000


@bench_test(Bench)
async def unmapping_at_every_cycle(bench):
    """Software moves a page by the rules, beginning at every cycle of an access that misses, that
    hits in the table, and that enters. Afterwards nothing knows the old place, although memory
    swaps as late as it may."""
    bench.walk.late = True
    va, old, new = 0xD000, 0x8000_0000, 0x9000_0000
    for latency, known in ((1, False), (1, True), (3, False), (3, True)):
        bench.walk.latency = latency
        begun = [0, 0]
        for cycles in range(3, 100 + 40 * latency if not known else 20 + 4 * latency):
            bench.memory.words = {}
            slot = bench.map(va, old)
            await bench.forget()
            if known:
                await bench.access(va)
                await bench.forget()
            access = cocotb.start_soon(bench.access(va))
            await ClockCycles(bench.dut.clk, cycles)
            bench.memory.words[slot] = 0
            await bench.take_away(va)
            bench.map(va, new)
            answer, _ = await access
            assert answer.fault or answer.pa in (old, new)
            begun[answer.fault or answer.pa == new] += 1
            answer, _ = await bench.access(va)
            assert answer.pa == new, f"latency {latency}, {cycles} cycles"
            await bench.settle()
            assert all(page_of(t) == new for _, t in bench.table.entries())
        # What is known is old until software has taken it away, however often it is asked for.
        assert begun[0] > 3 and (known or begun[1] > 3), begun


@bench_test(Bench)
async def done_waits_for_a_swap_on_its_way(bench):
    """Memory swaps after more cycles than a sweep takes, and software unmaps at every cycle."""
    clock, swap = bench.dut.clk, bench.dut.io_walk_cmd_payload_swap
    bench.walk.late = True
    bench.walk.latency = lambda: 60 if swap.value else 1
    va, old, new, waited = 0xD000, 0x8000_0000, 0x9000_0000, set()
    for cycles in range(30, 250, 3):
        bench.memory.words = {}
        slot = bench.map(va, old)
        await ClockCycles(clock, 250)
        await bench.invalidate_all()
        access = cocotb.start_soon(bench.access(va))
        await ClockCycles(clock, cycles)
        bench.memory.words[slot] = 0
        await bench.take_away(va)
        waited.add(bench.waited)
        bench.map(va, new)
        await access
        answer, _ = await bench.access(va)
        assert answer.pa == new, f"{cycles} cycles"
    assert max(waited) > min(waited) + 30, waited


@bench_test(Bench, tcr=HA | HD)
async def no_table_is_walked_when_translation_is_off(bench):
    """SCTLR.M is cleared while entries are probed: the access is answered without translation, and
    the walk that would have followed reads no table and sets no access flag."""
    dut, walk, va = bench.dut, bench.walk, 0xD000

    async def begin(cycles: int) -> tuple:
        bench.memory.words = {}
        slot = bench.map(va, 0x8000_0000, USER & ~AF)
        bench.run_as(1)
        await bench.forget()
        access = cocotb.start_soon(bench.access(va))
        await ClockCycles(dut.clk, cycles)
        return slot, bench.memory.words[slot], access

    def walked() -> int:
        return bench.descriptors([read.address for read in walk.reads])

    *_, access = await begin(1)
    probing = 0
    while not walked():
        await ClockCycles(dut.clk, 1)
        probing += 1
    await access
    assert probing > 30, "no entry was probed"
    for cycles in range(2, probing - 5):
        slot, before, access = await begin(cycles)
        dut.io_context_sctlr.value = 0
        answer, _ = await access
        await bench.settle()
        await bench.settle()
        assert not answer.fault and answer.pa == va, f"{cycles} cycles: {answer}"
        assert not walked() and bench.memory.words[slot] == before, f"{cycles} cycles"


@bench_test(Bench, asids=(1, 2, 5, 0x8003), tcr=HA | HD, groups=1)
async def random_traffic(bench):
    """Pages of several spaces in a table that is too small, mapped, moved, written and unmapped."""
    rng = random.Random(run_seed())
    pages, hits = {}, 0
    for _ in range(1500):
        if rng.random() < 0.2:
            bench.run_as(rng.choice([*bench.spaces]))
        bench.walk.latency = rng.choice((1, 2, 4))
        va = rng.randrange(12) << 12
        key = bench.asid, va
        if rng.random() < 0.1:
            if key in pages:
                bench.memory.words[pages.pop(key)[0]] = 0
                await bench.take_away(va)
                assert not bench.slots_of(va)
            else:
                pa = rng.randrange(1 << 20) << 12
                bits = USER | rng.choice((0, DBM | READ_ONLY))
                pages[key] = bench.map(va, pa, bits), pa
            continue
        if rng.random() < 0.3:
            await bench.invalidate_all()
        answer, reads = await bench.access(va, rng.choice((READ, READ, WRITE)))
        hits += bool(reads) and not bench.descriptors(reads)
        assert answer.fault == (key not in pages), f"{key}: {answer}"
        if not answer.fault:
            assert answer.pa == pages[key][1], f"{key}: {answer}"
    entries = bench.table.entries()
    assert len({tag for tag, _ in entries}) == len(entries)
    assert hits > 50, hits
