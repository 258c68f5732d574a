"""The MMU with physical memory protection (RISC-V privileged ISA 1.12, 3.7): descriptors, what a
leaf maps, and accesses without translation, against the golden models of both.

SEED and COUNT in the environment repeat or lengthen the random one.
"""

import os
import random
from itertools import product

import cocotb
from cocotb.triggers import RisingEdge

from drivers.lockstep import MmuBench, compare
from drivers.mmu_driver import MmuDriver
from drivers.pmp import ABORT, NEEDS, Guarded
from drivers.started import bench_test
from model import Access, Fault, Kind, tlbi, translate
from model.bits import mask
from model.pmp import EXECUTE, LOCKED, NA4, NAPOT, OFF, OPEN, READ, TOR, WRITE, Pmp
from model.registers import HA, HD
from model.tables import AF, NG, ap
from support.on import On
from support.seed import run_seed
from unit.mmu.machine import Machine, operation, vas

RUNS = [
    On("mmu:teaching"),
    # What a TLB keeps of a table entry may be a part of it.
    On("mmu:teaching_main", tests=["a_block_is_kept_page_by_page", "random_protection"]),
]

COUNT = 8
EXTERNAL, PERMISSION = 0x14, 0x0C
BITS = (AF | NG | ap(1), AF | NG | ap(3), AF | ap(0), AF | ap(2))
TABLES, PAGES = 0x4000_0000, 0x8000_0000
VA, BLOCK = vas(12)[0], 0x4000_0000  # virtual: of a page, and of a block
PIECE = 4 << 20


def closed(first: int, size: int, rights: int = 0) -> list[tuple[int, int]]:
    """Entries: an aligned region with these rights, then all of memory."""
    return [(NAPOT | rights, (first | size // 2 - 1) >> 2), (NAPOT | OPEN, mask(32))]


class Bench(MmuBench):
    pmp: Pmp

    def maps(self, va: int, pa: int, level=3, bits=BITS[0], flags=0) -> Machine:
        """A machine with this page or block, in use."""
        machine = Machine(12, flags=flags)
        machine.map(va, pa, level, bits=bits)
        self.use(machine)
        return machine

    def protect(self, *given: tuple[int, int]) -> None:
        self.pmp = Pmp.of(given)
        self.protection.drive(self.pmp)

    async def both(self, access: Access, note: str = "") -> None:
        """From an empty TLB, and again: the same answer, which is that of the models."""
        await self.invalidate_all()
        for again in ("cold", "again"):
            await self.agrees(access, f"{note} {again}")

    async def passes(self, access: Access) -> tuple[bool, bool]:
        """Whether the models let it pass, and whether it took a walk."""
        self.walk.reads.clear()
        return await self.agrees(access, hex(access.va)), bool(self.walk.reads)

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
    bench.maps(VA, PAGES)
    everything = [(NAPOT | OPEN, mask(32))]
    for latency, given in product((1, 2, 3, 7), (everything, closed(PAGES - 0x1000, 0x1000))):
        bench.walk.latency = latency
        bench.protect(*given)
        await bench.invalidate_all()
        answer = await bench.translate(Access(VA))
        assert (answer.fault, answer.cycles) == (False, 4 * (max(latency, 2) + 1) + 5)
        assert (await bench.translate(Access(VA + 8))).cycles == 0


@bench_test(Bench)
async def what_is_not_open_costs(bench):
    """The cycles that docs/mmu.md names: of a block that is not open as a whole, and of a page."""
    bench.walk.latency = latency = 3
    bench.maps(BLOCK, PAGES, 2).map(VA, PAGES + PIECE)

    async def cost(access: Access) -> int:
        bench.walk.reads.clear()
        answer = await bench.translate(access)
        walk = len(bench.walk.reads) * (latency + 1) + 4
        return answer.cycles - walk if bench.walk.reads else answer.cycles

    bench.protect(*closed(PAGES, 8), (NAPOT | OPEN, mask(32)))
    await bench.invalidate_all()
    assert [await cost(Access(BLOCK + 0x1000)) for _ in range(2)] == [4, 0]
    bench.protect(*closed(PAGES + PIECE, 8))
    await bench.invalidate_all()
    assert [await cost(Access(VA + 8)) for _ in range(2)] == [7, 7]


@bench_test(Bench)
async def a_block_is_kept_page_by_page(bench):
    """Of a block that protection does not open as one, pages are kept, each after its own walk; an
    invalidation of any address of the block removes them."""
    bench.maps(BLOCK, PAGES, 2)
    bench.protect(*closed(PAGES + 0x8000, 0x1000))
    await bench.invalidate_all()
    pages = [BLOCK + (page << 12) for page in (0, 1, 2)]
    for va in pages:
        assert await bench.passes(Access(va + 0x10)) == (True, True), "another page answered"
        assert await bench.passes(Access(va + 0xFF0)) == (True, False), "the page was not kept"
    assert not await bench.agrees(Access(BLOCK + 0x8000), "closed")
    await bench.invalidate(operation(tlbi.Kind.VA, BLOCK + (100 << 12)))
    for va in pages:
        assert await bench.passes(Access(va)) == (True, True), "an entry of the block was left"


@bench_test(Bench)
async def a_page_that_is_not_open_is_checked_at_every_access(bench):
    """A page that protection splits, or does not open to all kinds of access: nothing is kept."""
    bench.maps(VA, PAGES)
    bench.protect(*closed(PAGES + 0x400, 4 * 2, READ))
    assert bench.pmp.rights(PAGES + 0x3FC, 4) == OPEN
    await bench.invalidate_all()
    accesses = ((0x3FC, Kind.WRITE), (0x400, Kind.WRITE), (0x404, Kind.READ), (0x408, Kind.ATOMIC),
                (0x404, Kind.ATOMIC))  # fmt: skip
    for offset, kind in accesses * 3:
        _, walked = await bench.passes(Access(VA + offset, kind))
        assert walked, "an entry was kept"
    bench.protect(*closed(PAGES, 0x1000, READ | WRITE))
    await bench.both(Access(VA, Kind.WRITE))
    await bench.both(Access(VA, Kind.EXECUTE))


@bench_test(Bench)
async def the_page_fault_comes_first(bench):
    bench.maps(VA, PAGES, bits=BITS[1])  # read-only
    bench.protect(*closed(PAGES, 0x1000))
    await bench.invalidate_all()
    assert (await bench.translate(Access(VA, Kind.WRITE))).status == PERMISSION + 3
    assert (await bench.translate(Access(VA, Kind.READ))).status == ABORT


@bench_test(Bench)
async def descriptors_at_each_level(bench):
    """A descriptor that S-mode may not load ends the walk with an external abort of its level, for
    every kind of access; the memory port delivered it all the same."""
    machine = bench.maps(VA, PAGES)
    for level in range(4):
        slot = machine.lower.slot(VA, level)
        for rights, kind in product((0, EXECUTE), NEEDS):
            bench.protect(*closed(slot, 8, rights))
            await bench.invalidate_all()
            answer = await bench.translate(Access(VA, kind))
            assert (answer.fault, answer.status) == (True, EXTERNAL + level), (level, answer)
        bench.protect(*closed(slot, 8, READ))
        await bench.both(Access(VA))
        bench.protect((NA4 | OPEN, slot + 4 >> 2), (NAPOT | OPEN, mask(32)))  # half of it
        await bench.both(Access(VA))


@bench_test(Bench)
async def an_update_needs_the_right_to_store(bench):
    """3.7, 4.3: the compare-and-swap is a store of S-mode; a descriptor that it must not write is
    not written, and the access faults."""
    machine = bench.maps(VA, PAGES, bits=NG | ap(1), flags=HA | HD)
    words, slot = machine.memory.words, machine.lower.slot(VA, 3)
    before = words[slot]
    bench.protect(*closed(slot, 8, READ))
    for kind in (Kind.READ, Kind.WRITE):
        await bench.invalidate_all()
        answer = await bench.translate(Access(VA, kind))
        assert (answer.fault, answer.status) == (True, EXTERNAL + 3), answer
        assert answer.wnr == (kind is Kind.WRITE)
    assert not bench.walk.swaps and words[slot] == before
    bench.protect(*closed(slot, 8, READ | WRITE))
    assert not (await bench.translate(Access(VA))).fault
    assert words[slot] == before | AF


@bench_test(MmuDriver)
async def without_translation(bench):
    """Bare: checked, word by word where a page is not open. M-mode: by locked entries alone.
    A write of the entries counts for the next access, without a fence."""
    at = PAGES + 0x400
    pmp = Pmp(COUNT)

    async def drive(*given):
        """As a CSR instruction does: the registers follow a cycle after `changes`."""
        nonlocal pmp
        pmp = Pmp.of(given)
        bench.dut.io_pmp_changes.value = 1
        await RisingEdge(bench.dut.clk)
        bench.dut.io_pmp_changes.value = 0
        bench.protection.drive(pmp)

    async def ask(address, access, *, machine):
        answer = await bench.translate(
            address | mask(32) << 32, access, untranslated=True, machine=machine, el1=not machine
        )
        needs = (READ, WRITE, EXECUTE, READ | WRITE)[access]
        allowed = pmp.rights(address, 4, machine=machine) & needs == needs
        assert answer.fault == (not allowed), (hex(address), access, machine, str(answer))
        if answer.fault:
            assert (answer.status, answer.wnr) == (ABORT, access == 1)
        else:
            assert answer.pa == address
        return answer.cycles

    for given in (
        [],
        closed(at, 8),
        closed(at, 8, READ),
        closed(at, 8, READ | LOCKED),
        [(NAPOT | OPEN | LOCKED, (at | 0x3FF) >> 2), (NAPOT | OPEN, mask(32))],
        [(NA4 | OPEN | LOCKED, at >> 2)],
    ):
        await drive(*given)
        places = (at - 4, at, at + 4, at + 8, at + 0x1000)
        for address, access, machine in product(places, range(4), (True, False)):
            cycles = await ask(address, access, machine=machine)
            if machine and not pmp.binds_machine():
                assert cycles == 0

    # What is open is remembered, until the entries change: 4 MiB, or else a page.
    await drive((NAPOT | OPEN, mask(32)))
    assert await ask(at, 0, machine=False) > 0
    for address in (at + 8, PAGES, PAGES + PIECE - 4):
        assert await ask(address, 1, machine=False) == 0
    for address in (PAGES - 4, PAGES + PIECE, PAGES):
        assert await ask(address, 1, machine=False) > 0
    await drive(*closed(at, 8))
    await ask(at, 0, machine=False)
    for _ in range(2):
        assert await ask(at + 0x1000, 0, machine=False) > 0
        assert await ask(at + 0x1008, 0, machine=False) == 0
        assert await ask(at + 0x2000, 0, machine=False) > 0
        await ask(at + 4, 0, machine=False)
    # The cycles that docs/mmu.md names.
    await drive(*closed(at, 8))
    places = (PAGES + PIECE, PAGES + PIECE + 4096, at + 0x1000, at - 4, at - 8)
    assert [await ask(place, 0, machine=False) for place in places] == [4, 0, 7, 10, 10]
    # What only M-mode may do is not remembered for S-mode.
    await drive((NA4 | OPEN | LOCKED, PAGES >> 2))
    for machine in (True, False, True, False):
        await ask(at + 0x2000, 0, machine=machine)
