"""Registers as software sees them: pairs, identification, fault record, TLBI that is complete when
its store is."""

import os
import random

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import USER, AddressSpace, small_space
from drivers.ip_driver import COMMAND, MAIR, SCTLR, TCR, TTBR0, TTBR1, IpDriver
from drivers.signals import ALL, ASID, RANGE, RANGE_ALL, VA, VA_ALL
from drivers.started import bench_test
from model.tables import NG
from support.configurations import invalidation_cycles
from support.on import On

RUNS = [On("mmuip:teaching")]

MMFR0, MMFR1, MMFR2, ISAR0, MMFR3 = 0x00, 0x08, 0x10, 0x18, 0xC0
ESR, FAR, CYCLES, SELECT = 0x50, 0x58, 0x6C, 0xD0
KINDS = (ALL, ASID, VA, VA_ALL, RANGE, RANGE_ALL)
EVENTS = {ALL: "All", ASID: "Asid", VA: "Va", VA_ALL: "Va", RANGE: "Range", RANGE_ALL: "Range"}


@cocotb.test()
async def identification(dut):
    """ID registers say what is built: 36-bit output, 16-bit ASIDs, three granules, access flag
    and dirty state, HPDS, PAN3, E0PD, CCIDX, range TLBI; nothing else. They cannot be written."""
    apb = (await IpDriver.start(dut)).apb
    expected = {
        MMFR0: 1 | 2 << 4 | 1 << 20,
        MMFR1: 2 | 1 << 12 | 3 << 20,
        MMFR2: 1 << 20 | 1 << 60,
        ISAR0: 2 << 56,
        MMFR3: 0,
    }
    for at, value in expected.items():
        assert await apb.read64(at) == value, f"{at:#x}"
        await apb.write64(at, 0xFFFF_FFFF_FFFF_FFFF)
        assert await apb.read64(at) == value, f"{at:#x} was written"


@bench_test(IpDriver)
async def high_word_commits(bench):
    """LO alone changes nothing, neither for readers nor for walks; HI takes both words into force.
    RES0 bits read as zero."""
    apb = bench.apb
    draw = random.Random(4)
    implemented = {
        SCTLR: 1 | 1 << 2 | 1 << 12 | 1 << 19 | 1 << 57,
        TCR: sum(1 << b for b in range(64) if b not in (6, 35, *range(43, 51), 53, 54))
        & ~(0x7F << 57),
        TTBR0: (1 << 64) - 1,
        TTBR1: (1 << 64) - 1,
        MAIR: (1 << 64) - 1,
    }
    before = dict.fromkeys(implemented, 0)
    for _ in range(4):
        for at, mask in implemented.items():
            value = draw.getrandbits(64)
            await apb.write(at, value & 0xFFFF_FFFF)
            assert await apb.read64(at) == before[at], f"{at:#x}: LO alone took effect"
            await apb.write(at + 4, value >> 32)
            before[at] = value & mask
            assert await apb.read64(at) == before[at], f"{at:#x}"
            for other in implemented:
                assert await apb.read64(other) == before[other], f"{at:#x} changed {other:#x}"


@bench_test(IpDriver)
async def table_base_changes_at_once(bench):
    """Between the two writes of TTBR0 a walk still uses the old base and ASID."""
    space, va, _ = small_space()
    other = AddressSpace(12, 33, asid=7, root=0x5_0000_0000)
    other.map(va, 0xA000_0000, bits=USER | NG)
    await bench.program(space)
    bench.memory.words.update(other.words)
    base = other.registers["ttbr0"]
    await bench.apb.write(TTBR0, base & 0xFFFF_FFFF)
    assert (await bench.translate(va)).pa == 0x9000_0000
    await bench.apb.write(TTBR0 + 4, base >> 32)
    answer = await bench.translate(va)
    assert (answer.fault, answer.pa) == (False, 0xA000_0000), hex(answer.status)


@cocotb.test()
async def fault_record(dut):
    """ESR and FAR in Arm's format, for each class, EL and kind of access (scenario c19)."""
    bench = await IpDriver.start(dut)
    for execute in (0, 1):
        for el1 in (0, 1):
            for wnr in (0, 1):
                for va, far in ((0x1234_5678, 0x1234_5678), (0x8765_4321, 0xFFFF_FFFF_8765_4321)):
                    status = 0b000101 + 8 * el1
                    for name, value in (
                        ("va", va),
                        ("status", status),
                        ("execute", execute),
                        ("wnr", wnr),
                        ("el1", el1),
                        ("dirty", wnr & el1),
                    ):
                        getattr(dut, f"io_fault_payload_{name}").value = value
                    dut.io_fault_valid.value = 1
                    await RisingEdge(dut.clk)
                    dut.io_fault_valid.value = 0
                    dut.io_fault_payload_va.value = 0
                    dut.io_fault_payload_status.value = 0
                    exception = (0x20 if execute else 0x24) + el1
                    write = wnr if not execute else 0
                    esr = (wnr & el1) << 37 | exception << 26 | 1 << 25 | write << 6 | status
                    assert await bench.apb.read64(ESR) == esr
                    assert await bench.apb.read64(FAR) == far


@bench_test(IpDriver)
async def tlbi_is_complete_when_its_store_is(bench):
    """Every kind: the store is acknowledged when it is complete, in the same number of cycles,
    and the next access walks. Each kind pulses its counter once."""
    space, va, entry = small_space()
    await bench.program(space)
    operands = {
        ALL: 0,
        ASID: 0,
        VA: va >> 12,
        VA_ALL: va >> 12,
        RANGE: va >> 12 | 1 << 46,
        RANGE_ALL: va >> 12 | 1 << 46,
    }
    seen = []

    async def count():
        while True:
            await FallingEdge(bench.dut.clk)
            seen.extend(
                name
                for name in ("Va", "Asid", "Range", "All")
                if int(getattr(bench.dut, f"io_events_tlbi{name}").value)
            )

    counter = cocotb.start_soon(count())
    taken, kept = set(), set()
    for kind in KINDS:
        for frame in (0x9100_0000, 0x9200_0000):
            bench.memory.words[entry] = frame | NG | USER | 3
            seen.clear()
            taken.add(await bench.tlbi(kind, operands[kind]))
            kept.add(await bench.apb.read(CYCLES))
            assert seen == [EVENTS[kind]], kind
            answer = await bench.translate(va)
            assert (answer.pa, answer.cycles > 0) == (frame, True), kind
    counter.cancel()
    assert len(taken) == 1, taken
    assert kept == {invalidation_cycles(os.environ["GRANULE_CONFIG"])}


@bench_test(IpDriver)
async def without_a_queue_nothing_is_posted(bench):
    """A TLBI that is posted, or spares somebody, is for everybody and complete when its store is;
    the bits read as zero."""
    space, va, entry = small_space()
    await bench.program(space)
    usual = await bench.tlbi(VA, va >> 12)
    for bits in (1 << 4, 1 << 5, 1 << 6, 7 << 4):
        for frame in (0x9100_0000, 0x9200_0000):
            bench.memory.words[entry] = frame | NG | USER | 3
            await bench.apb.write(SELECT, 0)  # waits for the sweep of the last one, as a TLBI would
            assert await bench.tlbi(VA | bits, va >> 12) == usual
            assert (await bench.translate(va)).pa == frame
            assert await bench.apb.read(COMMAND) == VA


@bench_test(IpDriver)
async def tlbi_does_not_wait_for_memory(bench):
    """A walk is under way and its read is not answered before the TLBI is acknowledged (the store
    holds the cache that would answer): no deadlock, and the stale answer is not used."""
    space, va, entry = small_space()
    await bench.program(space)
    bench.walk.latency = 100
    access = cocotb.start_soon(bench.translate(va))
    for _ in range(10):
        await RisingEdge(bench.dut.clk)
    assert await bench.tlbi(ALL) < 40
    bench.walk.latency = 1
    assert (await access).pa == 0x9000_0000
    assert int(bench.dut.io_walk_cmd_valid.value) == 0


@bench_test(IpDriver)
async def absent_registers(bench):
    """An offset without a register answers with a slave error; it changes nothing."""
    for at in (0x48, 0x4C, 0x90, 0x94, 0x100, 0xFFC):
        _, error, _ = await bench.apb.access(at)
        assert error, f"{at:#x}"
    assert await bench.apb.read64(SCTLR) == 0
