"""What the IP block adds to the MMU and its registers: Bare without translation, and two senders of
invalidations."""

import os
from itertools import product

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from drivers.address_space import small_space
from drivers.ip_driver import COMMAND, SCTLR, IpDriver
from drivers.signals import ALL, ATOMIC, EXECUTE, READ, VA, WRITE
from drivers.started import bench_test
from support.configurations import invalidation_cycles
from support.on import On

RUNS = [On("mmuip:teaching")]


@bench_test(IpDriver)
async def bare_until_somebody_translates(bench):
    """While neither SCTLR.M nor satp.MODE is set, S- and U-mode are untranslated: the low 32
    bits, memory as the map says. SCTLR.M ends that with the next access."""
    space, va, _ = small_space()
    high = 0xFFFF_FFFF_8123_4564
    for access in (READ, WRITE, EXECUTE, ATOMIC):
        for el1 in (False, True):
            answer = await bench.translate(high, access, el1=el1, pan=el1)
            assert (answer.fault, answer.pa, answer.cacheable) == (False, 0x8123_4564, True)
    await bench.program(space)
    assert (await bench.translate(va)).pa == 0x9000_0000
    assert (await bench.translate(high)).fault
    await bench.apb.write64(SCTLR, 0)
    assert (await bench.translate(high)).pa == 0x8123_4564


@cocotb.test()
async def two_senders_of_invalidations(dut):
    """sfence and TLBI at the same time, at every distance: each completes once, to its sender."""
    bench = await IpDriver.start(dut)
    complete = invalidation_cycles(os.environ["GRANULE_CONFIG"]) - 1  # cycles after acceptance

    async def stays():
        """A command that is offered is the same until it is accepted."""
        held = None
        port = "io_invalidate_cmd"
        while True:
            await FallingEdge(dut.clk)
            valid, ready = (
                int(getattr(dut.mmu_1, f"{port}_{n}").value) for n in ("valid", "ready")
            )
            kind = int(getattr(dut.mmu_1, f"{port}_payload_kind").value)
            assert held in (None, (1, kind)), "an offered invalidation changed"
            held = (valid, kind) if valid and not ready else None

    watching = cocotb.start_soon(stays())
    for distance in range(0, 50):
        tlbi = cocotb.start_soon(bench.apb.write(COMMAND, VA))
        for _ in range(distance):
            await RisingEdge(dut.clk)
        assert await bench.invalidate(ALL) == complete
        await tlbi
        assert tlbi.result() < 60
    for distance in range(0, 50):
        first = cocotb.start_soon(bench.invalidate(ALL))
        await RisingEdge(dut.clk)
        tlbi = cocotb.start_soon(bench.apb.write(COMMAND, VA))
        await first
        for _ in range(distance % 3):
            await RisingEdge(dut.clk)
        assert await bench.invalidate(ALL) == complete
        await tlbi
    watching.cancel()


@cocotb.test()
async def translation_begins_and_ends_under_a_waiting_access(dut):
    """satp goes from Bare to Sv32, or back, in each cycle of an access of S-mode that waits: it is
    answered as before or as after, and the next one as after. The RTL's own check says that the
    command is held."""
    bench = await IpDriver.start(dut)
    va, root = 0x8100_0000, 0x4000_0000
    pa, sv32 = 0x9040_0000, 1 << 31 | root >> 12
    bench.memory.write(root + (va >> 22) * 4, pa >> 2 | 0xCF, 4)  # a leaf of 4 MiB: DAGUXWRV less U
    high = va | 0xFFFF_FFFF << 32
    seen = set()
    for access, cycle, (before, after) in product(
        (READ, EXECUTE), range(14), ((0, sv32), (sv32, 0))
    ):
        dut.io_satp.value = before
        await bench.tlbi(ALL)
        dut.io_pmp_changes.value = 1  # nothing is remembered of direct accesses
        await RisingEdge(dut.clk)
        dut.io_pmp_changes.value = 0
        waiting = cocotb.start_soon(bench.translate(high, access, el1=True))
        for _ in range(cycle):
            await RisingEdge(dut.clk)
        dut.io_satp.value = after
        answer = await waiting
        assert not answer.fault and answer.pa in (va, pa), (access, cycle, before, answer)
        seen.add((answer.pa, before))
        answer = await bench.translate(high, access, el1=True)
        assert (answer.fault, answer.pa) == (False, pa if after else va), (access, cycle, answer)
    assert seen == set(product((va, pa), (0, sv32))), "the change never came during the access"
