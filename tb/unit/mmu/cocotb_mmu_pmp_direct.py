"""Accesses without translation under physical memory protection (RISC-V privileged ISA 1.12, 3.7):
M-mode, Bare, and VMSAv8-64's flat map."""

from dataclasses import replace

import cocotb

from drivers.mmu_driver import MmuDriver
from drivers.signals import EXECUTE as FETCH
from drivers.started import bench_test
from model import Access
from model.bits import mask
from model.pmp import EXECUTE, LOCKED, NA4, NAPOT, OFF, OPEN, READ, WRITE, Pmp
from support.on import On
from unit.mmu.cocotb_mmu_pmp import ABORT, COUNT, PAGES, PIECE, Bench, closed, entries
from unit.mmu.machine import Machine

RUNS = [On("mmu:teaching")]


async def write_entries(bench, pmp: Pmp) -> None:
    """As a CSR instruction does: the registers follow a cycle after `changes`."""
    bench.dut.io_pmp_changes.value = 1
    await cocotb.triggers.RisingEdge(bench.dut.clk)
    bench.dut.io_pmp_changes.value = 0
    bench.protection.drive(pmp)


@bench_test(MmuDriver)
async def without_translation(bench):
    """Bare: checked, word by word where a page is not open. M-mode: by locked entries alone.
    A write of the entries counts for the next access, without a fence."""
    at = PAGES + 0x400
    pmp = Pmp(COUNT)

    async def drive(*given):
        nonlocal pmp
        pmp = entries(*given)
        await write_entries(bench, pmp)

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
        for address in (at - 4, at, at + 4, at + 8, at + 0x1000):
            for access in range(4):
                for machine in (True, False):
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


@bench_test(Bench)
async def flat_and_bare_take_turns(bench):
    """An answer to a direct access never becomes an entry, nor lets a translated one pass."""
    machine = Machine(12)
    va = 0x8123_4000
    machine.map(va, PAGES)
    bench.use_memory(machine.memory)
    off = replace(machine.registers, sctlr=0)
    bench.protect(*closed(PAGES, 0x1000))
    bench.context(machine.registers)
    await bench.invalidate_all()
    for offset in range(24):
        bench.context(off)
        side = bench.request(Access(va))
        await bench.step(offset)
        bench.context(machine.registers)
        await bench.until(lambda side=side: not side.busy, "the access")
        assert side.answer.fault or side.answer.pa == va, "translated, and not refused"
        assert (await bench.translate(Access(va))).status == ABORT


async def refused_by_a_write(bench, access, cycle, before, after) -> bool:
    """Whether an access faults while the entries become others in that cycle of it."""
    await write_entries(bench, before)
    waiting = cocotb.start_soon(access)
    for _ in range(cycle):
        await cocotb.triggers.RisingEdge(bench.dut.clk)
    await write_entries(bench, after)
    return (await waiting).fault


@bench_test(MmuDriver)
async def a_write_counts_for_the_next_access(bench):
    """3.7.2, no fence for M-mode: an entry closes a region in each cycle of a fetch that waits for
    its check. That fetch may pass; the next ones do not."""
    at, elsewhere = 0x8100_0000, (NA4 | OPEN | LOCKED, 0x9000_0000 >> 2)
    region = (at | (16 << 20) // 2 - 1) >> 2
    before = entries((OFF, region), elsewhere)
    after = entries((NAPOT | LOCKED, region), elsewhere)

    async def fetch(address):
        return await bench.translate(address, FETCH, untranslated=True, machine=True)

    waited = set()
    for cycle in range(16):
        waited.add(await refused_by_a_write(bench, fetch(at), cycle, before, after))
        for address in (at, at + 0x40, at + 0x2000):
            answer = await fetch(address)
            assert (answer.fault, answer.status) == (True, ABORT), (cycle, hex(address), answer)
    assert waited == {False, True}, "the write never came during the fetch"


@bench_test(MmuDriver)
async def the_entries_change_while_an_access_waits(bench):
    """One write of pmpcfg makes eight open bytes four closed ones. The fifth byte is open before
    and after, so no cycle of the write may refuse it; the first is refused afterwards."""
    at = 0x8000_0400
    before = entries((NAPOT | OPEN | LOCKED, at >> 2), (NAPOT | OPEN, mask(32)))
    after = entries((NA4 | LOCKED, at >> 2), (NAPOT | OPEN, mask(32)))

    async def read(address):
        return await bench.translate(address, untranslated=True, machine=True)

    for address in (at + 4, at):
        refused = set()
        for cycle in range(16):
            refused.add(await refused_by_a_write(bench, read(address), cycle, before, after))
        assert refused == ({False} if address > at else {False, True}), hex(address)
