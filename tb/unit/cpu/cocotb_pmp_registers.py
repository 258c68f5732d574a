"""The registers of physical memory protection in the CSR file, against the golden model: what can
be written, what locks, and what is told to those who check accesses.

SEED and COUNT in the environment repeat or lengthen the random one.
"""

import os
import random

import cocotb

from drivers.started import bench_test
from model.bits import mask
from model.pmp import ADDRESS, CONFIG, KIND, LOCKED, NA4, NAPOT, READ, TOR, Pmp, trailing_ones
from support.on import On
from support.seed import run_seed
from unit.cpu.cocotb_csr import CLEAR, SET, WRITE, Csr

RUNS = [On("simsoc:teaching", part="Csr"), On("cpu_pmp16:teaching", part="Csr")]

ENTRIES = 16 if os.environ.get("GRANULE_UNIT") == "cpu_pmp16:teaching" else 8
REGISTERS = (*range(CONFIG, CONFIG + 4), *range(ADDRESS, ADDRESS + 16))
SATP = 0x180


def check_told(csr: Csr, pmp: Pmp) -> None:
    binds = any(e.config & LOCKED and e.config & KIND for e in pmp.entries)
    assert csr.get("pmp_bindsMachine") == binds
    for i, entry in enumerate(pmp.entries):

        def told(name, prefix=f"pmp_entries_{i}_"):
            return csr.get(prefix + name)

        assert told("address") == entry.address
        rights = told("read") | told("write") << 1 | told("execute") << 2
        assert rights | told("locked") << 7 == entry.config & ~KIND
        assert told("tor") == (entry.kind == TOR)
        assert told("aligned") == (entry.kind in (NA4, NAPOT))
        if told("aligned"):
            words = 2 << trailing_ones(entry.address) if entry.kind == NAPOT else 1
            assert told("mask") == words - 1


@cocotb.test()
async def random_writes(dut):
    """Writes, sets and clears of any register, with and without locked entries."""
    rng = random.Random(run_seed(3))
    for _ in range(int(os.environ.get("COUNT", "30"))):
        csr, pmp = await Csr.start(dut), Pmp(ENTRIES)
        locks = rng.choice((0, 0, 1, 4))  # in 16
        for _ in range(60):
            number, kind = rng.choice(REGISTERS), rng.choice((WRITE, SET, CLEAR))
            value = rng.choice((rng.getrandbits(32), mask(32), mask(rng.randrange(33))))
            if number < ADDRESS and kind != CLEAR:
                keep = (LOCKED << 8 * i for i in range(4) if rng.randrange(16) < locks)
                value = value & ~(0x0101_0101 * LOCKED) | sum(keep)
            old = pmp.read(number)
            assert await csr.access(number, kind, value) == old, hex(number)
            new = {WRITE: value, SET: old | value, CLEAR: old & ~value}[kind]
            if kind == WRITE or value:
                pmp.write(number, new)
            check_told(csr, pmp)
        for number in REGISTERS:
            assert await csr.access(number) == pmp.read(number), hex(number)


@bench_test(Csr)
async def only_a_reset_unlocks(csr):
    """3.7.1: a locked TOR entry keeps the address that it begins at, too."""
    await csr.write(ADDRESS, 0x100)
    await csr.write(ADDRESS + 1, 0x200)
    await csr.write(CONFIG, (LOCKED | TOR | READ) << 8)
    for number in (ADDRESS, ADDRESS + 1, CONFIG):
        await csr.write(number, 0)
    assert [await csr.access(ADDRESS + i) for i in range(2)] == [0x100, 0x200]
    assert await csr.access(CONFIG) == (LOCKED | TOR | READ) << 8
    csr = await Csr.start(csr.dut)
    await csr.write(ADDRESS, 0x300)
    assert await csr.access(ADDRESS) == 0x300 and await csr.access(CONFIG) == 0


@cocotb.test()
async def what_is_off_binds_nobody(dut):
    """3.7.1.2: a locked entry binds M-mode, too, but none that is off."""
    csr, pmp = await Csr.start(dut), Pmp(ENTRIES)
    for byte, config in enumerate((LOCKED | READ, LOCKED | TOR)):
        await csr.write(CONFIG, config << 8 * byte)
        pmp.write(CONFIG, config << 8 * byte)
        check_told(csr, pmp)
    assert csr.get("pmp_bindsMachine")


@bench_test(Csr)
async def what_follows_a_write_is_fetched_again(csr):
    """Without translation a write counts at once (3.7.2): for the next instruction, too."""
    for number, refetches in ((CONFIG, 1), (ADDRESS + 3, 1), (SATP, 1), (0x340, 0)):
        seen = []

        async def watch(seen=seen):
            for _ in range(3):
                await cocotb.triggers.RisingEdge(csr.dut.clk)
                seen.append(csr.get("refetches"))

        watching = cocotb.start_soon(watch())
        await csr.write(number, 0)
        await watching
        assert max(seen) == refetches, hex(number)
