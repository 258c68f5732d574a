"""Walks as the worked examples describe them, what they cost, and how they use the memory port."""

import json
import random
from itertools import product
from pathlib import Path

import cocotb
from cocotb.triggers import Combine, FallingEdge

from drivers.address_space import AF, USER, AddressSpace
from drivers.mmu_driver import MmuDriver
from drivers.signals import ALL, ATOMIC, EXECUTE, READ, WRITE
from drivers.started import bench_test
from model.registers import HA
from support.on import On

RUNS = [On("mmu:vmsa48_nocache")]

EXAMPLES = Path(__file__).resolve().parents[2] / "data" / "walk_examples.json"
UPPER = (1 << 64) - (1 << 39)  # of 39-bit addresses
KINDS = {"r": READ, "w": WRITE, "x": EXECUTE, "rw": ATOMIC, "at_r": READ, "at_w": WRITE}


def number(text: str) -> int:
    return int(text, 16)


def implemented(example) -> bool:
    """48-bit VMSAv8-64 without hardware access flag; alignment is the CPU's to check."""
    features, registers = example["feat"], example["regs"]
    tcr = number(registers["tcr"])
    small_tables_matter = max(tcr & 63, tcr >> 16 & 63) > 39 and not features["ttst"]
    return (
        features["pamax"] == 48
        and not features["d128"]
        and not tcr >> 39 & 1
        and example["access"]["aligned"]
        and not small_tables_matter
    )


@bench_test(MmuDriver)
async def worked_examples(bench):
    """Chapter 9 of the specification: result, every read and its order; cold and hot agree."""
    examples = [e for e in json.loads(EXAMPLES.read_text()) if implemented(e)]
    assert len(examples) >= 45, "the examples of the base features are missing"
    for example in examples:
        registers = {name: number(value) for name, value in example["regs"].items()}
        sctlr = registers["M"] | registers["C"] << 2 | registers["WXN"] << 19
        bench.context(
            sctlr=sctlr | registers["EPAN"] << 57,
            **{name: registers[name] for name in ("tcr", "ttbr0", "ttbr1", "mair")},
        )
        reads = [number(r) for r in example["reads"]]
        memory = bench.memory
        memory.words = {number(a): number(v) for a, v in example["mem"].items()}
        memory.errors = {reads[-1]} if example.get("fault") == "ExtAbortWalk" else set()
        await bench.invalidate(ALL)
        for temperature in ("cold", "hot"):
            bench.walk.reads.clear()
            access = example["access"]
            answer = await bench.translate(
                number(example["va"]),
                KINDS[access["kind"]],
                el1=access["el"] == 1,
                pan=access["pan"] == 1,
            )
            what = f"{example['name']}, {temperature}"
            if "fault" in example:
                expected = (True, number(example["fsc"]), bool(example["wnr"]))
                assert (answer.fault, answer.status, answer.wnr) == expected, what
            else:
                assert not answer.fault, f"{what}: status {answer.status:#x}"
                assert answer.pa == number(example["pa"]), what
                assert answer.mair == number(example["attr"]), what
            done = [read.address for read in bench.walk.reads]
            if temperature == "cold":
                assert done == reads, what
            elif not example.get("fault") or example["fault"] == "Permission":
                assert done == [], f"{what}: a hit reads no descriptor"


@bench_test(MmuDriver)
async def slow_memory_port(bench):
    """The port takes a read late and answers late: reads and results stay the same, and a read that
    is offered does not change or vanish before it is taken."""
    space = AddressSpace(12, 25)
    pages = {n << 12: (0x5000 + n) << 12 for n in range(6)}
    for va, pa in pages.items():
        space.map(va, pa)
    bench.memory.words = space.words
    bench.context(**space.registers)
    offered = cocotb.start_soon(watch_offers(bench.dut))
    draw = random.Random(1)
    for turn in range(60):
        bench.walk.holds = draw.randrange(4)
        bench.walk.latency = 1 + draw.randrange(4)
        if turn % 6 == 0:
            await bench.invalidate(ALL)
        va = draw.choice(list(pages))
        answer = await bench.translate(va | 0x10)
        assert not answer.fault and answer.pa == pages[va] | 0x10
    offered.cancel()


async def watch_offers(dut):
    """A read stays as it is until the port takes it."""
    held = None
    while True:
        await FallingEdge(dut.clk)
        address = int(dut.io_walk_cmd_payload_address.value)
        if held is not None:
            assert int(dut.io_walk_cmd_valid.value), "an offered read was withdrawn"
            assert address == held, "an offered read changed"
        waits = int(dut.io_walk_cmd_valid.value) and not int(dut.io_walk_cmd_ready.value)
        held = address if waits else None


@bench_test(MmuDriver)
async def a_killed_walk_keeps_its_offer(bench):
    """Scenario a4: an invalidation at every moment of a walk, also while a read is offered and not
    yet taken, or answered late with what memory held before. The read is not withdrawn, its answer
    is not used, and the access is walked again."""
    space = AddressSpace(12, 25)
    va, old, new = 7 << 12, 0x5000_000, 0x6000_000
    entry = space.map(va, old)
    bench.memory.words = space.words
    bench.walk.holds, bench.walk.latency = 4, 25
    bench.context(**space.registers)
    offered = cocotb.start_soon(watch_offers(bench.dut))
    seen = set()
    for delay in range(0, 3 * 36, 2):
        bench.memory.words[entry] = old | USER | 3
        await bench.invalidate(ALL)
        access = cocotb.start_soon(bench.translate(va))
        for _ in range(delay):
            await FallingEdge(bench.dut.clk)
        bench.memory.words[entry] = new | USER | 3
        await bench.invalidate(ALL)
        during = not access.done()
        answer = await access
        assert answer.pa == new or not during and answer.pa == old, f"{delay}: {answer.pa:#x}"
        assert (await bench.translate(va)).pa == new, f"{delay}"
        seen.add((during, answer.pa))
    assert len(seen) == 2, "the race was not reached"
    offered.cancel()


@bench_test(MmuDriver)
async def fetch_and_data_take_turns(bench):
    """Both ports miss all the time: neither starves, each gets its own page."""
    space = AddressSpace(16, 22)
    for n in range(200):
        space.map(n << 16, (0x300 + n) << 16)
    bench.memory.words = space.words
    bench.walk.latency = 3
    bench.context(**space.registers)

    async def misses(kind, first):
        worst = 0
        for n in range(first, first + 100):
            answer = await bench.translate(n << 16, kind)
            assert not answer.fault and answer.pa == (0x300 + n) << 16
            worst = max(worst, answer.cycles)
        return worst

    fetch = cocotb.start_soon(misses(EXECUTE, 0))
    data = cocotb.start_soon(misses(READ, 100))
    await Combine(fetch, data)
    one_walk = 2 * (3 + 1) + 4
    assert max(fetch.result(), data.result()) <= 2 * one_walk + 2


@cocotb.test()
async def cacheability_of_walks(dut):
    """SCTLR.C and TCR.IRGN of the half decide for every read and swap of a walk; with Sv32, all of
    them are cacheable (spec 1.1, 1.3)."""
    bench = await MmuDriver.start(dut)
    lower, upper = AddressSpace(12, 25), AddressSpace(12, 25, root=0x5000_0000)
    va = 7 << 12
    for space in (lower, upper):
        space.map(va, 0x0600_0000, bits=USER & ~AF)
    root = 0x6000_0000
    sv32 = {root: (root + 0x1000) >> 12 << 10 | 1, root + 0x1018: (0x1234 << 10 | 0xD3) << 32}
    offers = []

    async def watch():
        while True:
            await FallingEdge(dut.clk)
            if int(dut.io_walk_cmd_valid.value) and int(dut.io_walk_cmd_ready.value):
                swap = int(dut.io_walk_cmd_payload_swap.value)
                offers.append((swap, int(dut.io_walk_cmd_payload_cacheable.value)))

    async def walk(address, expected, swaps):
        bench.memory.words = lower.words | upper.words | sv32
        await bench.invalidate(ALL)
        offers.clear()
        answer = await bench.translate(address)
        assert not answer.fault, f"status {answer.status:#x}"
        assert {c for _, c in offers} == {expected} and sum(s for s, _ in offers) == swaps

    watching = cocotb.start_soon(watch())
    registers = lower.registers | {"ttbr1": 0x5000_0000}
    for c, irgn0, irgn1 in product((0, 1), range(4), range(4)):
        tcr = registers["tcr"] | HA | irgn0 << 8 | irgn1 << 24
        bench.context(**registers | {"tcr": tcr, "sctlr": 1 | c << 2})
        await walk(va, int(c and irgn0 != 0), swaps=1)
        await walk(va | UPPER, int(c and irgn1 != 0), swaps=1)
    bench.context(**registers | {"sctlr": 0, "satp": 1 << 31 | root >> 12})
    await walk(va, 1, swaps=0)
    watching.cancel()
