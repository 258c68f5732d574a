"""What a walk costs in cycles, for every format, granule and number of levels: cold, and warm, with
its last table in the walk cache. The table goes to build/results/walk.json."""

import os

import cocotb

from drivers.chain import PAGE, Chain
from drivers.mmu_driver import MmuDriver
from model.geometry import Geometry
from model.riscv import SCHEMES
from support import results
from support.configurations import features_of
from support.on import On
from support.walk_cost import walk_cycles, warm_cycles

RUNS = [
    On("mmu:wide"),
    On("mmu:vmsa48_nocache"),
    On("mmu:wide_nocache", rare=True),
    On("mmu:minimal", rare=True),
]

NAMES = {12: "4K", 14: "16K", 16: "64K"}
LATENCIES = (1, 2, 5, 20)


def chains(config: str) -> list[Chain]:
    """Every granule with every number of levels that some TnSZ gives it, smallest TnSZ first."""
    found = []
    for name, d128, ds, lowest in (
        ("VMSAv8-64", False, False, 16),
        ("VMSAv8-64, DS = 1", False, True, 12),
        ("VMSAv9-128", True, False, 9),
    ):
        if not config.startswith("wide") and name != "VMSAv8-64":
            continue
        for granule in [12] if config == "minimal" else NAMES:
            if ds and granule == 16:
                continue
            by_levels = {}
            for tnsz in range(*((25, 40) if config == "minimal" else (lowest, 47))):
                chain = Chain(name, Geometry(granule, tnsz, d128), ds)
                by_levels.setdefault(chain.levels, chain)
            found += by_levels.values()
    modes = [SCHEMES[mode] for mode in features_of(config).modes]
    return found + [Chain(mode.name.capitalize(), mode.geometry) for mode in modes]


@cocotb.test()
async def cycles_of_a_walk(dut):
    """k levels behind a port of latency N take exactly k * (N + 1) + 4 cycles; a walk whose last
    table is in the walk cache N + 5; one that finds no page a cycle less."""
    config = os.environ["GRANULE_CONFIG"]
    cached = not config.endswith("nocache") and config != "minimal"
    bench = await MmuDriver.start(dut)
    figures = []
    for chain in chains(config):
        va, other, absent = (n << chain.geometry.granule for n in (3, 5, 6))
        bench.memory.words = chain.tables(3, 5)
        bench.context(**chain.registers)
        for latency in LATENCIES:
            bench.walk.latency = latency
            await bench.invalidate_all()
            bench.walk.reads.clear()
            cold = await bench.translate(va)
            what = f"{chain}, N = {latency}"
            assert (cold.fault, cold.pa) == (False, PAGE + va), f"{what}: {cold}"
            assert len(bench.walk.reads) == chain.levels, what
            bound = walk_cycles(chain.levels, latency)
            assert cold.cycles == bound, f"{what}: {cold.cycles} cycles, not {bound}"
            warm = await bench.translate(other)
            known = cached and chain.levels > 1
            expected = warm_cycles(latency) if known else bound
            assert (warm.fault, warm.cycles) == (False, expected), what
            fault = await bench.translate(absent)
            assert (fault.fault, fault.status) == (True, 0b000111), what
            assert fault.cycles == expected - 1, f"{what}: {fault.cycles} cycles of a fault"
            where = {"format": chain.name, "granule": NAMES[chain.geometry.granule],
                     "levels": chain.levels, "latency": latency}  # fmt: skip
            cycles = {"cycles": cold.cycles, "warm_cycles": warm.cycles,
                      "fault_cycles": fault.cycles}  # fmt: skip
            figures.append(where | cycles | {"bound": bound})
    assert {f["format"] for f in figures} == {s.name for s in chains(config)}
    name = "walk" if config == "wide" else f"walk-{config}"
    results.write(name, config, figures, command="pytest tb/unit/walk/cocotb_cost.py")
