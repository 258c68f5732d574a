"""What a walk costs in cycles, for every format, granule and number of levels: cold, and warm, with
its last table in the walk cache. The table goes to build/results/walk.json."""

import os
from dataclasses import dataclass

import cocotb

from drivers.mmu_driver import MmuDriver
from drivers.signals import ALL
from model.geometry import Geometry
from model.riscv import SCHEMES
from support import results
from support.configurations import features_of

TG0 = {12: 0, 14: 2, 16: 1}
NAMES = {12: "4K", 14: "16K", 16: "64K"}
LATENCIES = (1, 2, 5, 20)
ROOT, PAGE = 0x4000_0000, 0x9000_0000
IPS_36, DS, D128 = 1 << 32, 1 << 59, 1 << 5
VALID, TABLE, AF, NG, USER = 1, 2, 1 << 10, 1 << 11, 1 << 6
PTE_LEAF = 0b1101_0111  # dirty, accessed, user, write, read, valid
READ_WRITE = 0x5555_5555_5555_5555  # every permission index


@dataclass(frozen=True)
class Shape:
    """One row of the table: how to describe a chain of tables to the MMU."""

    name: str
    geometry: Geometry
    ds: bool = False
    root: int = ROOT
    page: int = PAGE
    asid: int = 0

    @property
    def levels(self) -> int:
        return 4 - self.geometry.start_level

    def entry(self, address: int, *, leaf: bool) -> int:
        if self.geometry.riscv:
            return address >> 12 << 10 | (PTE_LEAF if leaf else VALID)
        if self.geometry.d128:
            return address | VALID | (AF | NG if leaf else 0)
        return address | VALID | TABLE | (AF | NG | USER if leaf else 0)

    @property
    def registers(self) -> dict:
        g = self.geometry
        if g.riscv:
            return {"satp": SCHEMES[self.name.lower()].satp(self.asid, self.root)}
        tcr = g.tnsz | g.tnsz << 16 | TG0[g.granule] << 14 | IPS_36 | (DS if self.ds else 0)
        ttbr = self.root | self.asid << 48
        registers = {"satp": 0, "tcr": tcr, "ttbr0": ttbr, "mair": 0xFF, "sctlr": 1}
        if len(cocotb.top.io_walk_rsp_payload_data) > 64:
            registers |= {"tcr2": D128 if g.d128 else 0, "pir": READ_WRITE, "pire0": READ_WRITE}
        return registers

    def tables(self, *pages: int) -> dict:
        """Words of a chain of tables that ends in the given pages, all near address 0."""
        g, words = self.geometry, {}
        size = 1 << g.entry_log2

        def put(table: int, index: int, value: int) -> None:
            at = self.root + (table << 20) + index * size
            shift = 8 * (at & 4) if size == 4 else 0
            words[at & ~7] = words.get(at & ~7, 0) | value << shift

        for table in range(self.levels - 1):
            put(table, 0, self.entry(self.root + (table + 1 << 20), leaf=False))
        for page in pages:
            put(self.levels - 1, page, self.entry(self.page + (page << g.granule), leaf=True))
        return words


def shapes(config: str) -> list[Shape]:
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
                shape = Shape(name, Geometry(granule, tnsz, d128), ds)
                by_levels.setdefault(shape.levels, shape)
            found += by_levels.values()
    modes = [SCHEMES[mode] for mode in features_of(config).modes]
    return found + [Shape(mode.name.capitalize(), mode.geometry) for mode in modes]


@cocotb.test()
async def cycles_of_a_walk(dut):
    """k levels behind a port of latency N take exactly k * (N + 1) + 4 cycles; a walk whose last
    table is in the walk cache N + 5; one that finds no page a cycle less."""
    config = os.environ["GRANULE_CONFIG"]
    cached = not config.endswith("nocache") and config != "minimal"
    bench = await MmuDriver.start(dut)
    figures = []
    for shape in shapes(config):
        va, other, absent = (n << shape.geometry.granule for n in (3, 5, 6))
        bench.memory.words = shape.tables(3, 5)
        bench.context(**shape.registers)
        for latency in LATENCIES:
            bench.memory.latency = latency
            await bench.invalidate(ALL)
            bench.memory.reads.clear()
            cold = await bench.translate(va)
            what = f"{shape}, N = {latency}"
            assert not cold.fault, f"{what}: status {cold.status:#x}"
            assert cold.pa == PAGE + va, what
            assert len(bench.memory.reads) == shape.levels, what
            bound = shape.levels * (latency + 1) + 4
            assert cold.cycles == bound, f"{what}: {cold.cycles} cycles, not {bound}"
            warm = await bench.translate(other)
            known = cached and shape.levels > 1
            expected = latency + 5 if known else bound
            assert (warm.fault, warm.cycles) == (False, expected), what
            fault = await bench.translate(absent)
            assert fault.fault and fault.status == 0b000111, what
            assert fault.cycles == expected - 1, f"{what}: {fault.cycles} cycles of a fault"
            figures.append(
                {
                    "format": shape.name,
                    "granule": NAMES[shape.geometry.granule],
                    "levels": shape.levels,
                    "latency": latency,
                    "cycles": cold.cycles,
                    "warm_cycles": warm.cycles,
                    "fault_cycles": fault.cycles,
                    "bound": bound,
                }
            )
    assert {f["format"] for f in figures} == {s.name for s in shapes(config)}
    name = "walk" if config == "wide" else f"walk-{config}"
    results.write(name, config, figures, command="pytest tb/unit/walk/test_cost.py")
