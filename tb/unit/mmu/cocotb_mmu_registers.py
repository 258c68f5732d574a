"""What the IP block adds to the MMU. Registers as software sees them: pairs, identification, fault
record, TLBI that is complete when its store is; Bare without translation; and two senders of
invalidations."""

import random
from itertools import product

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import USER, small_space
from drivers.ip_driver import COMMAND, MAIR, SCTLR, TCR, TTBR0, TTBR1, IpDriver
from drivers.signals import ALL, ASID, ATOMIC, EXECUTE, RANGE, RANGE_ALL, READ, VA, VA_ALL, WRITE
from drivers.started import bench_test
from model.tables import NG
from support.configurations import INVALIDATION_CYCLES
from support.on import On

RUNS = [On("mmuip:teaching")]

MMFR0, MMFR1, MMFR2, ISAR0, MMFR3 = 0x00, 0x08, 0x10, 0x18, 0xC0
ESR, FAR, CYCLES, SELECT = 0x50, 0x58, 0x6C, 0xD0
EVENTS = {ALL: "All", ASID: "Asid", VA: "Va", VA_ALL: "Va", RANGE: "Range", RANGE_ALL: "Range"}
MOVES = (0x9100_0000, 0x9200_0000)  # where the page of small_space goes in turn


async def cycles(dut, count: int) -> None:
    for _ in range(count):
        await RisingEdge(dut.clk)


@bench_test(IpDriver)
async def identification(bench):
    """ID registers say what is built: 36-bit output, 16-bit ASIDs, three granules, access flag
    and dirty state, HPDS, PAN3, E0PD, CCIDX, range TLBI; nothing else. They cannot be written. An
    offset without a register answers with a slave error."""
    apb = bench.apb
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
    for at in (0x48, 0x4C, 0x90, 0x94, 0x100, 0xFFC):
        _, error, _ = await apb.access(at)
        assert error, f"{at:#x}"
    assert await apb.read64(SCTLR) == 0


@bench_test(IpDriver)
async def high_word_commits(bench):
    """LO alone changes nothing, neither for readers nor for walks; HI takes both words into force.
    RES0 bits read as zero."""
    apb, draw = bench.apb, random.Random(4)
    implemented = dict.fromkeys((TTBR0, TTBR1, MAIR), (1 << 64) - 1) | {
        SCTLR: 1 | 1 << 2 | 1 << 12 | 1 << 19 | 1 << 57,
        TCR: sum(1 << b for b in range(57) if b not in (6, 35, *range(43, 51), 53, 54)),
    }
    before = dict.fromkeys(implemented, 0)
    for at, mask in [*implemented.items()] * 4:
        value = draw.getrandbits(64)
        await apb.write(at, value & 0xFFFF_FFFF)
        assert await apb.read64(at) == before[at], f"{at:#x}: LO alone took effect"
        await apb.write(at + 4, value >> 32)
        before[at] = value & mask
        for each in implemented:
            assert await apb.read64(each) == before[each], f"{each:#x} after {at:#x}"


@bench_test(IpDriver)
async def fault_record(bench):
    """ESR and FAR in Arm's format, for each class, EL and kind of access (scenario c19)."""
    dut = bench.dut
    addresses = ((0x1234_5678, 0x1234_5678), (0x8765_4321, 0xFFFF_FFFF_8765_4321))
    for execute, el1, wnr, (va, far) in product((0, 1), (0, 1), (0, 1), addresses):
        status = 0b000101 + 8 * el1
        fault = {"va": va, "status": status, "execute": execute, "wnr": wnr, "el1": el1,
                 "dirty": wnr & el1}  # fmt: skip
        for name, value in fault.items():
            getattr(dut, f"io_fault_payload_{name}").value = value
        dut.io_fault_valid.value = 1
        await RisingEdge(dut.clk)
        dut.io_fault_valid.value = 0
        dut.io_fault_payload_va.value = dut.io_fault_payload_status.value = 0
        exception = (0x20 if execute else 0x24) + el1
        write = wnr if not execute else 0
        esr = (wnr & el1) << 37 | exception << 26 | 1 << 25 | write << 6 | status
        assert await bench.apb.read64(ESR) == esr
        assert await bench.apb.read64(FAR) == far


@bench_test(IpDriver)
async def tlbi_is_complete_when_its_store_is(bench):
    """Every kind: the store is acknowledged when it is complete, in the same number of cycles,
    and the next access walks. Each kind pulses its counter once. Without a queue, one that is
    posted, or spares somebody, is as any other, and the bits read as zero."""
    space, va, entry = small_space()
    await bench.program(space)
    operands = {ALL: 0, ASID: 0, VA: va >> 12, VA_ALL: va >> 12}
    operands |= dict.fromkeys((RANGE, RANGE_ALL), va >> 12 | 1 << 46)
    seen = []

    async def count():
        while True:
            await FallingEdge(bench.dut.clk)
            seen.extend(name for name in ("Va", "Asid", "Range", "All")
                        if int(getattr(bench.dut, f"io_events_tlbi{name}").value))  # fmt: skip

    counter = cocotb.start_soon(count())
    taken, kept = set(), set()
    commands = [(kind, 0) for kind in operands]
    commands += [(VA, bits) for bits in (1 << 4, 1 << 5, 1 << 6, 7 << 4)]
    for (kind, bits), frame in product(commands, MOVES):
        bench.memory.words[entry] = frame | NG | USER | 3
        await bench.apb.write(SELECT, 0)  # waits for the sweep of the last one, as a TLBI would
        seen.clear()
        taken.add(await bench.tlbi(kind | bits, operands[kind]))
        kept.add(await bench.apb.read(CYCLES))
        assert seen == [EVENTS[kind]], kind
        answer = await bench.translate(va)
        assert (answer.pa, answer.cycles > 0) == (frame, True), kind
        assert await bench.apb.read(COMMAND) == kind
    counter.cancel()
    assert len(taken) == 1, taken
    assert kept == {INVALIDATION_CYCLES}


@bench_test(IpDriver)
async def two_senders_of_invalidations(bench):
    """sfence and TLBI at the same time, at every distance: each completes once, to its sender."""
    dut = bench.dut

    async def stays():
        """A command that is offered is the same until it is accepted."""
        held, port = None, "io_invalidate_cmd"
        while True:
            await FallingEdge(dut.clk)
            valid, ready, kind = (
                int(getattr(dut.mmu_1, f"{port}_{n}").value)
                for n in ("valid", "ready", "payload_kind")
            )
            assert held in (None, (1, kind)), "an offered invalidation changed"
            held = (valid, kind) if valid and not ready else None

    watching = cocotb.start_soon(stays())
    for distance in range(0, 50):
        tlbi = cocotb.start_soon(bench.apb.write(COMMAND, VA))
        await cycles(dut, distance)
        assert await bench.invalidate(ALL) == INVALIDATION_CYCLES - 1  # after acceptance
        assert await tlbi < 60
    for distance in range(0, 50):
        first = cocotb.start_soon(bench.invalidate(ALL))
        await cycles(dut, 1)
        tlbi = cocotb.start_soon(bench.apb.write(COMMAND, VA))
        await first
        await cycles(dut, distance % 3)
        assert await bench.invalidate(ALL) == INVALIDATION_CYCLES - 1
        await tlbi
    watching.cancel()


@bench_test(IpDriver)
async def bare_until_somebody_translates(bench):
    """While neither SCTLR.M nor satp.MODE is set, S- and U-mode are untranslated: the low 32
    bits, memory as the map says. SCTLR.M ends that with the next access."""
    space, va, _ = small_space()
    high = 0xFFFF_FFFF_8123_4564
    for access, el1 in product((READ, WRITE, EXECUTE, ATOMIC), (False, True)):
        answer = await bench.translate(high, access, el1=el1, pan=el1)
        assert (answer.fault, answer.pa, answer.cacheable) == (False, 0x8123_4564, True)
    await bench.program(space)
    assert (await bench.translate(va)).pa == 0x9000_0000
    assert (await bench.translate(high)).fault
    await bench.apb.write64(SCTLR, 0)
    assert (await bench.translate(high)).pa == 0x8123_4564
