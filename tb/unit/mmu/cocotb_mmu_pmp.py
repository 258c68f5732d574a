"""The MMU with physical memory protection (RISC-V privileged ISA 1.12, 3.7): descriptors, what a
leaf maps, and accesses without translation, against the golden models of both.

SEED and COUNT in the environment repeat or lengthen the random one.
"""

import os
import random
from collections.abc import Mapping

import cocotb

from drivers.lockstep import MmuBench, compare
from drivers.started import bench_test
from model import Access, BusError, Fault, Kind, Memory, tlbi, translate
from model.bits import mask
from model.pmp import (
    ADDRESS,
    CONFIG,
    EXECUTE,
    LOCKED,
    NA4,
    NAPOT,
    OFF,
    OPEN,
    READ,
    TOR,
    WRITE,
    Pmp,
)  # fmt: skip
from model.registers import HA, HD
from model.tables import AF, NG, ap
from model.tlbi import Invalidation, va_operand
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import Machine, vas

RUNS = [
    On("mmu:teaching"),
    # What a TLB keeps of a table entry may be a part of it.
    On("mmu:teaching_main", tests=["a_block_is_kept_page_by_page", "random_protection"]),
]

COUNT = 8
ABORT, EXTERNAL, PERMISSION = 0x10, 0x14, 0x0C
NEEDS = {Kind.READ: READ, Kind.WRITE: WRITE, Kind.EXECUTE: EXECUTE, Kind.ATOMIC: READ | WRITE}
BITS = (AF | NG | ap(1), AF | NG | ap(3), AF | ap(0), AF | ap(2))
TABLES, PAGES = 0x4000_0000, 0x8000_0000
PIECE = 4 << 20


def closed(first: int, size: int, rights: int = 0) -> list[tuple[int, int]]:
    """Entries: an aligned region with these rights, then all of memory."""
    return [(NAPOT | rights, (first | size // 2 - 1) >> 2), (NAPOT | OPEN, mask(32))]


def entries(*given: tuple[int, int]) -> Pmp:
    pmp = Pmp(COUNT)
    for i, (_, address) in enumerate(given):
        pmp.write(ADDRESS + i, address & mask(32))
    for word in range(0, len(given), 4):
        config = sum(byte << 8 * i for i, (byte, _) in enumerate(given[word : word + 4]))
        pmp.write(CONFIG + word // 4, config)
    return pmp


class Guarded(Memory):
    """A read of what S-mode may not read is refused, also where memory holds nothing."""

    def __init__(self, words: Mapping[int, int], pmp: Pmp):
        super().__init__(words)
        self._pmp = pmp

    def read(self, address: int, size: int = 8) -> int:
        if not self._pmp.rights(address, size) & READ:
            raise BusError(f"read of {address:#x}")
        return super().read(address, size)


class Bench(MmuBench):
    pmp: Pmp

    def protect(self, *given: tuple[int, int]) -> None:
        self.pmp = entries(*given)
        self.protection.drive(self.pmp)

    async def both(self, access: Access, note: str = "") -> None:
        """From an empty TLB, and again: the same answer, which is that of the models."""
        await self.invalidate_all()
        for again in ("cold", "again"):
            await self.agrees(access, f"{note} {again}")

    async def agrees(self, access: Access, note: str) -> bool:
        """True: the models let it pass."""
        memory = Guarded(self.memory.words, self.pmp)
        expected = translate(self.registers, self.features, memory, access)
        answer = await self.translate(access)
        needs = NEEDS[access.kind]
        if isinstance(expected, Fault) or self.pmp.rights(expected.pa & ~3, 4) & needs == needs:
            compare(access, answer, expected, note)
            return not answer.fault
        assert answer.fault and answer.status == ABORT, f"{note} {access}: {answer}"
        assert answer.wnr == (access.kind is Kind.WRITE), note
        return False


def draw_region(rng: random.Random, targets: list[int]) -> tuple[int, int]:
    """An entry at, or around, one of these addresses."""
    rights = rng.choice((0, READ, OPEN, OPEN, READ | WRITE, READ | EXECUTE, EXECUTE))
    at = rng.choice(targets) + rng.choice((0, 0, 4, 8, -4, 4096, -4096, 2048))
    kind = rng.choice((NAPOT, NAPOT, TOR, NA4, OFF))
    if kind == NAPOT:
        size = 8 << rng.choice((0, 1, 3, 8, 9, 10, 11, 13, 18, 20, 25))
        at = (at & -size) | (size // 2 - 1)
    return kind | rights | rng.choice((0, 0, LOCKED)), at >> 2


@cocotb.test()
async def random_protection(dut):
    """Tables of every granule with blocks and groups; regions around what walks read and find."""
    rng = random.Random(run_seed(11))
    bench = await Bench.start(dut)
    bench.walk.latency = lambda: rng.choice((1, 1, 2, 3, 6))
    outcomes = {False: 0, True: 0}
    for _ in range(int(os.environ.get("COUNT", "60"))):
        granule = rng.choice((12, 12, 14, 16))
        machine = Machine(granule, base=TABLES)
        low = vas(granule)[0]
        block = {12: 21, 14: 25, 16: 29}[granule]
        places = {low: PAGES + (rng.getrandbits(8) << granule)}
        group = rng.random() < 0.3
        machine.map(low, places[low], bits=rng.choice(BITS) | group << 52)
        at = low + (1 << block)
        places[at] = (PAGES + (1 << 30)) & -(1 << block)
        machine.map(at, places[at], 2, bits=rng.choice(BITS))
        bench.use(machine)
        targets = [*places.values(), *places.values(), *machine.memory.words]
        bench.protect(
            *(draw_region(rng, targets) for _ in range(rng.randrange(5))),
            *([(NAPOT | OPEN, mask(32))] if rng.random() < 0.9 else []),
        )
        for _ in range(12):
            va = rng.choice(list(places))
            va += rng.choice((0, 4, 8, 0x800, 0xFFC, 0x1000, rng.getrandbits(11) << 2))
            kind, el = rng.choice(list(NEEDS)), rng.randrange(2)
            access = Access(va, kind, el, pan=bool(el and rng.random() < 0.3))
            await bench.invalidate_all()
            for again in ("cold", "again"):
                passed = await bench.agrees(access, f"{granule} {again}")
            outcomes[passed] += 1
    assert min(outcomes.values()) > 100, outcomes


@bench_test(Bench)
async def what_is_open_costs_a_cycle_of_the_walk(bench):
    """A walk takes one cycle more than without protection, and a hit none. Memory that answers in
    the cycle after the command is too early by one."""
    machine = Machine(12, t0sz=16)
    va = vas(12)[0]
    machine.map(va, PAGES)
    bench.use(machine)
    for latency in (1, 2, 3, 7):
        bench.walk.latency = latency
        for given in ([(NAPOT | OPEN, mask(32))], closed(PAGES - 0x1000, 0x1000)):
            bench.protect(*given)
            await bench.invalidate_all()
            answer = await bench.translate(Access(va))
            assert (answer.fault, answer.cycles) == (False, 4 * (max(latency, 2) + 1) + 5)
            assert (await bench.translate(Access(va + 8))).cycles == 0


@bench_test(Bench)
async def what_is_not_open_costs(bench):
    """The cycles that docs/mmu.md names: of a block that is not open as a whole, and of a page."""
    machine = Machine(12)
    va, block, latency = vas(12)[0], 0x4000_0000, 3
    bench.walk.latency = latency
    machine.map(block, PAGES, 2)
    machine.map(va, PAGES + PIECE)
    bench.use(machine)

    async def cost(access: Access) -> int:
        bench.walk.reads.clear()
        answer = await bench.translate(access)
        walk = len(bench.walk.reads) * (latency + 1) + 4
        return answer.cycles - walk if bench.walk.reads else answer.cycles

    bench.protect(*closed(PAGES, 8), (NAPOT | OPEN, mask(32)))
    await bench.invalidate_all()
    assert [await cost(Access(block + 0x1000)) for _ in range(2)] == [4, 0]
    bench.protect(*closed(PAGES + PIECE, 8))
    await bench.invalidate_all()
    assert [await cost(Access(va + 8)) for _ in range(2)] == [7, 7]


@bench_test(Bench)
async def a_block_is_kept_page_by_page(bench):
    """Of a block that protection does not open as one, pages are kept, each after its own walk; an
    invalidation of any address of the block removes them."""
    machine = Machine(12)
    va = 0x4000_0000
    machine.map(va, PAGES, 2)
    bench.use(machine)
    bench.protect(*closed(PAGES + 0x8000, 0x1000))
    await bench.invalidate_all()
    for page in (0, 1, 2):
        bench.walk.reads.clear()
        assert await bench.agrees(Access(va + (page << 12) + 0x10), "first")
        assert bench.walk.reads, "another page of the block answered"
        bench.walk.reads.clear()
        assert await bench.agrees(Access(va + (page << 12) + 0xFF0), "again")
        assert not bench.walk.reads, "the page was not kept"
    assert not await bench.agrees(Access(va + 0x8000), "closed")
    operand = va_operand(va + (100 << 12), 1)
    await bench.invalidate(Invalidation(tlbi.Kind.VA, operand))
    for page in (0, 1, 2):
        bench.walk.reads.clear()
        assert await bench.agrees(Access(va + (page << 12)), "invalidated")
        assert bench.walk.reads, "an entry of the block was left"


@bench_test(Bench)
async def a_page_that_is_not_open_is_checked_at_every_access(bench):
    """A page that protection splits, or does not open to all kinds of access: nothing is kept."""
    machine = Machine(12)
    va = vas(12)[0]
    machine.map(va, PAGES)
    bench.use(machine)
    bench.protect(*closed(PAGES + 0x400, 4 * 2, READ))
    assert bench.pmp.rights(PAGES + 0x3FC, 4) == OPEN
    await bench.invalidate_all()
    for _ in range(3):
        for offset, kind in ((0x3FC, Kind.WRITE), (0x400, Kind.WRITE), (0x404, Kind.READ),
                             (0x408, Kind.ATOMIC), (0x404, Kind.ATOMIC)):  # fmt: skip
            bench.walk.reads.clear()
            await bench.agrees(Access(va + offset, kind), hex(offset))
            assert bench.walk.reads, "an entry was kept"
    bench.protect(*closed(PAGES, 0x1000, READ | WRITE))
    await bench.both(Access(va, Kind.WRITE))
    await bench.both(Access(va, Kind.EXECUTE))


@bench_test(Bench)
async def the_page_fault_comes_first(bench):
    machine = Machine(12)
    va = vas(12)[0]
    machine.map(va, PAGES, bits=AF | NG | ap(3))  # read-only
    bench.use(machine)
    bench.protect(*closed(PAGES, 0x1000))
    await bench.invalidate_all()
    assert (await bench.translate(Access(va, Kind.WRITE))).status == PERMISSION + 3
    assert (await bench.translate(Access(va, Kind.READ))).status == ABORT


@bench_test(Bench)
async def descriptors_at_each_level(bench):
    """A descriptor that S-mode may not load ends the walk with an external abort of its level, for
    every kind of access; the memory port delivered it all the same."""
    machine = Machine(12)
    va = vas(12)[0]
    machine.map(va, PAGES)
    bench.use(machine)
    for level in range(4):
        slot = machine.lower.slot(va, level)
        for rights in (0, EXECUTE):
            bench.protect(*closed(slot, 8, rights))
            for kind in NEEDS:
                await bench.invalidate_all()
                answer = await bench.translate(Access(va, kind))
                assert (answer.fault, answer.status) == (True, EXTERNAL + level), (level, answer)
        bench.protect(*closed(slot, 8, READ))
        await bench.both(Access(va))
        bench.protect((NA4 | OPEN, slot + 4 >> 2), (NAPOT | OPEN, mask(32)))  # half of it
        await bench.both(Access(va))


@bench_test(Bench)
async def an_update_needs_the_right_to_store(bench):
    """3.7, 4.3: the compare-and-swap is a store of S-mode; a descriptor that it must not write is
    not written, and the access faults."""
    machine = Machine(12, flags=HA | HD)
    va = vas(12)[0]
    slot = machine.map(va, PAGES, bits=NG | ap(1))
    bench.use(machine)
    before = machine.memory.words[slot]
    bench.protect(*closed(slot, 8, READ))
    for kind in (Kind.READ, Kind.WRITE):
        await bench.invalidate_all()
        answer = await bench.translate(Access(va, kind))
        assert (answer.fault, answer.status) == (True, EXTERNAL + 3), answer
        assert answer.wnr == (kind is Kind.WRITE)
    assert not bench.walk.swaps and machine.memory.words[slot] == before
    bench.protect(*closed(slot, 8, READ | WRITE))
    assert not (await bench.translate(Access(va))).fault
    assert machine.memory.words[slot] == before | AF
