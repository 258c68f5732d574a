"""The register block of the caches: identity as it was built, MAINTAIN that waits, and errors."""

import os
from math import log2

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.apb import Apb
from support.on import On
from unit.cache.geometry import DATA, FETCH, FETCH_BEFORE_L2, L2, Geometry

RUNS = [
    On("cacheip:teaching", part="CacheRegisters"),
    On("cacheip:ulx3s_l2", part="CacheRegisters"),
]

CLIDR, CSSELR, CCSIDR, CTR, CTR_HIGH = 0x00, 0x08, 0x10, 0x18, 0x1C
MAINTAIN, INFO, ERRORS, NARROW = 0x20, 0x24, 0x28, 0x2C
REGISTERS = {CLIDR, CSSELR, CCSIDR, CCSIDR + 4, CTR, CTR_HIGH, MAINTAIN, INFO, ERRORS,
             NARROW}  # fmt: skip
POLICIES = ("lru", "plru", "nru", "random")
ALIASES = ("physical", "one copy", "copies")


async def registers(dut) -> Apb:
    return await Apb.start(dut, io_maintain_cmd_ready=0, io_maintain_done=0, io_asyncError=0)


def caches() -> dict[int, Geometry]:
    """By CSSELR: bit 0 the instruction cache, bits 3:1 the level."""
    config, second, _ = os.environ["GRANULE_CONFIG"].partition("_l2")
    first = {0: DATA[f"l1data:{config}"], 1: FETCH[f"l1fetch:{config}"]}
    return first | ({1: FETCH_BEFORE_L2, 2: L2} if second else {})


def ccsidr(g: Geometry) -> int:
    return int(log2(g.line)) - 4 | g.ways - 1 << 3 | g.sets - 1 << 32


def narrow(g: Geometry) -> int:
    return int(log2(g.line)) - 4 | g.ways - 1 << 3 | g.sets - 1 << 13


@bench_test(registers)
async def geometry_of_the_selected_cache(apb):
    for which in range(16):
        await apb.write(CSSELR, which)
        assert await apb.read(CSSELR) == which
        there = caches().get(which)
        assert await apb.read64(CCSIDR) == (ccsidr(there) if there else 0), which
        assert await apb.read(NARROW) == (narrow(there) if there else 0), which


@bench_test(registers)
async def two_caches_and_perhaps_one_behind_them(apb):
    """The second level is where all meet: coherence and unification need level 1 only."""
    data, fetch, *second = caches().values()
    assert await apb.read(CLIDR) == 3 | len(second) << 5 | 1 << 21 | 1 << 24 | 1 << 27
    virtual = 2 if fetch.way_bytes > 4096 else 3
    words, fetch_words = (int(log2(g.line // 4)) for g in (data, fetch))
    ctr = fetch_words | virtual << 14 | words << 16 | words << 20 | words << 24 | 1 << 31
    assert await apb.read(CTR) == ctr
    assert await apb.read(CTR_HIGH) == 0
    policy, aliases = POLICIES.index(data.policy), ALIASES.index(data.aliases)
    assert await apb.read(INFO) == policy | aliases << 4


@cocotb.test()
async def other_writes_maintain_nothing(dut):
    """What describes the caches cannot be written."""
    apb = await registers(dut)
    fixed = (CLIDR, CTR, CTR_HIGH, INFO)
    before = [await apb.read(at) for at in fixed]
    for at in range(0, 0x80, 4):
        if at != MAINTAIN:
            cycles = cocotb.start_soon(apb.write(at, 0xFFFF_FFFF))
            while not cycles.done():
                await FallingEdge(dut.clk)
                assert not int(dut.io_maintain_cmd_valid.value), f"{at:#x}"
            assert cycles.result() == 1
    assert [await apb.read(at) for at in fixed] == before
    await apb.write(CSSELR, 0)
    assert await apb.read64(CCSIDR) == ccsidr(caches()[0])


@cocotb.test()
async def an_error_stays_until_it_is_cleared(dut):
    """Writing 1 clears it; 0 does not."""
    apb = await registers(dut)
    assert await apb.read(ERRORS) == 0
    await FallingEdge(dut.clk)
    dut.io_asyncError.value = 1
    await FallingEdge(dut.clk)
    dut.io_asyncError.value = 0
    for word, left in ((0, 1), (0xFFFF_FFFE, 1), (1, 0)):
        assert await apb.read(ERRORS) == 1
        await apb.write(ERRORS, word)
        assert await apb.read(ERRORS) == left


@bench_test(registers)
async def a_read_without_a_register_is_an_error(apb):
    for at in range(0, 0x80, 4):
        _, error, _ = await apb.access(at)
        assert error == (at not in REGISTERS), f"{at:#x}"
