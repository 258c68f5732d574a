"""A chain of tables in memory, and the registers that lead to it, for each format that there is."""

from dataclasses import dataclass

import cocotb

from model.geometry import Geometry
from model.memory import Memory
from model.registers import TG0
from model.riscv import SCHEMES

ROOT, PAGE = 0x4000_0000, 0x9000_0000
IPS_36, DS, D128 = 1 << 32, 1 << 59, 1 << 5
VALID, TABLE, AF, NG, USER = 1, 2, 1 << 10, 1 << 11, 1 << 6
PTE_LEAF = 0b1101_0111  # dirty, accessed, user, write, read, valid
READ_WRITE = 0x5555_5555_5555_5555  # every permission index


@dataclass(frozen=True)
class Chain:
    """Tables one below the other, in any format; `name` is that of a RISC-V mode, or what the bench
    calls it."""

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
        """Their words, for the given pages, all near address 0."""
        g, memory = self.geometry, Memory()
        size = 1 << g.entry_log2

        def put(table: int, index: int, value: int) -> None:
            memory.write(self.root + (table << 20) + index * size, value, size)

        for table in range(self.levels - 1):
            put(table, 0, self.entry(self.root + (table + 1 << 20), leaf=False))
        for page in pages:
            put(self.levels - 1, page, self.entry(self.page + (page << g.granule), leaf=True))
        return memory.words
