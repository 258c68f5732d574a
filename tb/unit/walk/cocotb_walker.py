"""How walks use the memory port; and walks that start again, with a walk cache: after a lost
compare-and-swap with all that was taken from the registers when the walk was accepted, and from its
own tables; after an invalidation from none that it covered."""

from itertools import product

import cocotb
from cocotb.task import Task
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import AF, USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.started import bench_test
from model.registers import HA
from support.on import On
from support.parts import until

RUNS = [
    On("mmu:vmsa48_nocache", tests=["cacheability_of_walks"]),
    On("mmu:vmsa48", tests=["a_walk_that_starts_again_keeps_its_asid",
                            "a_walk_that_starts_again_is_counted_once",
                            "a_killed_walk_remembers_no_table"]),
]  # fmt: skip

UPPER = (1 << 64) - (1 << 39)  # of 39-bit addresses
SOFTWARE_BIT = 1 << 55
VA, BESIDE, NEXT = (n << 12 for n in (7, 8, 9))  # of one table
PA, OTHER_PA = 0x0600_0000, 0x0700_0000


@bench_test(MmuDriver)
async def cacheability_of_walks(bench):
    """SCTLR.C and TCR.IRGN of the half decide for every read and swap of a walk; with Sv32, all of
    them are cacheable (spec 1.1, 1.3)."""
    lower, upper = AddressSpace(12, 25), AddressSpace(12, 25, root=0x5000_0000)
    for space in (lower, upper):
        space.map(VA, PA, bits=USER & ~AF)
    root = 0x6000_0000
    sv32 = {root: (root + 0x1000) >> 12 << 10 | 1, root + 0x1018: (0x1234 << 10 | 0xD3) << 32}

    async def walk(address: int, expected: int, swaps: int) -> None:
        port = bench.walk
        bench.memory.words = lower.words | upper.words | sv32
        await bench.invalidate_all()
        port.reads.clear()
        port.swaps.clear()
        answer = await bench.translate(address)
        assert not answer.fault, f"status {answer.status:#x}"
        assert {a.cacheable for a in port.reads + port.swaps} == {expected}
        assert len(port.swaps) == swaps

    registers = lower.registers | {"ttbr1": 0x5000_0000}
    for c, irgn0, irgn1 in product((0, 1), range(4), range(4)):
        tcr = registers["tcr"] | HA | irgn0 << 8 | irgn1 << 24
        bench.context(**registers | {"tcr": tcr, "sctlr": 1 | c << 2})
        await walk(VA, c and irgn0 != 0, swaps=1)
        await walk(VA | UPPER, c and irgn1 != 0, swaps=1)
    bench.context(**registers | {"sctlr": 0, "satp": 1 << 31 | root >> 12})
    await walk(VA, 1, swaps=0)


async def losing(bench: MmuDriver, entry: int) -> Task:
    """An access to `VA` whose walk offers a swap; software stores to the entry just then."""
    dut = bench.dut
    valid, swap = dut.io_walk_cmd_valid, dut.io_walk_cmd_payload_swap
    access = cocotb.start_soon(bench.translate(VA))
    await until(dut, lambda: valid.value and swap.value, "the swap")
    bench.memory.words[entry] |= SOFTWARE_BIT
    return access


@bench_test(MmuDriver)
async def a_walk_that_starts_again_keeps_its_asid(bench):
    """The ASID changes to that of a task whose table for the address is remembered, while the walk
    starts again, and back before it ends. It must not go on in the table of the other task."""
    port, met = bench.walk, 0
    port.latency = 6
    mine, other = AddressSpace(12, 25, asid=1), AddressSpace(12, 25, asid=2, root=0x5000_0000)
    entry = mine.map(VA, PA, bits=USER & ~AF)
    other.map(VA, OTHER_PA)
    for page in (BESIDE, NEXT):
        other.map(page, OTHER_PA + page)
    tcr = mine.registers["tcr"] | HA
    for cycles in range(1, 16):
        bench.memory.words = mine.words | other.words
        await bench.invalidate_all()
        bench.context(**other.registers | {"tcr": tcr})
        for page in (BESIDE, NEXT):
            port.reads.clear()
            assert (await bench.translate(page)).pa == OTHER_PA + page
        assert len(port.reads) == 1, "the table of the other task is not remembered"
        port.swaps.clear()
        bench.context(**mine.registers | {"tcr": tcr})
        access = await losing(bench, entry)
        bench.context(ttbr0=other.registers["ttbr0"])
        for _ in range(cycles):
            await RisingEdge(bench.dut.clk)
        assert not access.done(), f"{cycles} cycles"
        met += any(swap.answered for swap in port.swaps)
        bench.context(ttbr0=mine.registers["ttbr0"])
        assert (await access).pa == PA, f"{cycles} cycles"
        assert bench.memory.words[entry] & SOFTWARE_BIT, "no swap was lost"
        assert bench.memory.words[entry] & AF, "it was not tried again"
        assert (await bench.translate(VA)).pa == PA, f"{cycles} cycles, afterwards"
    assert 0 < met < 15, f"{met} walks started again with the other ASID in force"


@bench_test(MmuDriver)
async def a_killed_walk_remembers_no_table(bench):
    """The tables move while the walk offers a read of the second or third, and the invalidation and
    its sweep are over before the read is taken. The walk may not remember the table that it offered
    to read. If nothing moves, it does."""
    bench.walk.holds = 60
    before, after = AddressSpace(12, 25, asid=1), AddressSpace(12, 25, asid=1, root=0x5000_0000)
    for page in (VA, BESIDE):
        before.map(page, PA + page)
        after.map(page, OTHER_PA + page)
    bench.context(**before.registers)
    reads, valid = bench.walk.reads, bench.dut.io_walk_cmd_valid
    for read, moves in product((1, 2), (False, True)):
        bench.memory.words = before.words | after.words
        await bench.invalidate_all()
        reads.clear()
        access = cocotb.start_soon(bench.translate(VA))
        await until(bench.dut, lambda n=read: len(reads) == n and valid.value, "the next read")
        if moves:
            bench.memory.words[before.root] = after.words[after.root]
            await bench.invalidate_all()
            assert len(reads) == read, "the read was taken before the invalidation was over"
        pa = OTHER_PA if moves else PA
        assert (await access).pa == pa + VA, f"read {read}"
        reads.clear()
        assert (await bench.translate(BESIDE)).pa == pa + BESIDE, f"read {read}, afterwards"
        assert len(reads) == 1, "the table is not remembered"


async def counted(dut, work) -> tuple[int, ...]:
    """How often the MMU has told these counters while `work` was done."""
    events = [getattr(dut, f"io_events_{name}") for name in ("walk", "cachedLast", "walkSingle")]
    seen = []

    async def watch():
        while True:
            await FallingEdge(dut.clk)
            seen.append([int(event.value) for event in events])

    watcher = cocotb.start_soon(watch())
    await work
    watcher.cancel()
    return tuple(map(sum, zip(*seen, strict=True)))


@bench_test(MmuDriver)
async def a_walk_that_starts_again_is_counted_once(bench):
    """A walk that lost its compare-and-swap has begun once, and has read more than one descriptor;
    one that ends before any read has begun nowhere."""
    bench.walk.latency = 6
    space = AddressSpace(12, 25, asid=1)
    entry = space.map(VA, PA, bits=USER & ~AF)
    space.map(BESIDE, PA + 0x1_0000)
    unused = 9 << 12 | 1 << 50  # in the same table, but for its high bits
    bench.use(space, tcr=space.registers["tcr"] | HA)
    await bench.translate(BESIDE)

    async def lose():
        assert (await (await losing(bench, entry))).pa == PA

    async def fault():
        assert (await bench.translate(unused)).fault

    assert await counted(bench.dut, lose()) == (1, 1, 0)
    assert await counted(bench.dut, fault()) == (1, 0, 0)
