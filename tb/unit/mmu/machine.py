"""A machine for the tests of the MMU: registers, memory, and tables for both halves."""

from dataclasses import dataclass, field, replace

from model import Memory, Registers
from model.geometry import block_levels, geometry
from model.registers import TG0, TG1
from model.tables import Tables

# One distinct memory type per index, so that a wrong index shows.
MAIR = 0xF4_BB_AA_04_4F_44_00_FF
NORMAL, DEVICE, NON_CACHEABLE = 0, 1, 2
GRANULES = (12, 14, 16)
UPPER = (1 << 64) - (1 << 48)
M64 = (1 << 64) - 1
WXN, EPAN = 1 << 19, 1 << 57


def leaf_levels(granule: int) -> list[int]:
    return [*sorted(block_levels(granule, ds=False, lpa=False)), 3]


LEAVES = [(granule, level) for granule in GRANULES for level in leaf_levels(granule)]


def span(granule: int, level: int) -> int:
    """log2 of what a leaf of this level maps."""
    return geometry(granule, 16).lsb(level)


def tcr(*, granule: int, granule1: int, t0sz: int, t1sz: int, flags: int = 0) -> int:
    """16-bit ASIDs, 48-bit output; `flags` are further bits."""
    return t0sz | TG0[granule] << 14 | t1sz << 16 | TG1[granule1] << 30 | 5 << 32 | 1 << 36 | flags


@dataclass
class Machine:
    """`base` is where the tables are: machines that share a memory take different ones."""

    granule: int = 12
    t0sz: int = 16
    t1sz: int = 16
    asid: int = 1
    granule1: int | None = None
    flags: int = 0
    sctlr: int = 1 | 1 << 2 | 1 << 12
    base: int = 0x4000_0000
    memory: Memory = field(default_factory=Memory)

    def __post_init__(self):
        if self.granule1 is None:
            self.granule1 = self.granule
        lower, upper = geometry(self.granule, self.t0sz), geometry(self.granule1, self.t1sz)
        roots = (self.base, self.base + (1 << 16))
        first = self.base + (1 << 20)
        self.lower = Tables(self.memory, lower, roots[0], first)
        self.upper = Tables(self.memory, upper, roots[1], first + (1 << 24))
        self.registers = Registers(
            tcr=tcr(
                granule=self.granule,
                granule1=self.granule1,
                t0sz=self.t0sz,
                t1sz=self.t1sz,
                flags=self.flags,
            ),
            ttbr0=roots[0] | self.asid << 48,
            ttbr1=roots[1],
            mair=MAIR,
            sctlr=self.sctlr,
        )

    def tables(self, va: int) -> Tables:
        return self.upper if va >> 55 & 1 else self.lower

    def map(self, va: int, pa: int, level: int = 3, **bits) -> int:
        return self.tables(va).map(va, pa, level, **bits)

    def unmap(self, va: int, level: int = 3) -> int:
        return self.tables(va).unmap(va, level)

    def with_asid(self, asid: int) -> Registers:
        ttbr0 = self.registers.ttbr0 & ((1 << 48) - 1) | asid << 48
        return replace(self.registers, ttbr0=ttbr0)


def vas(granule: int, t0sz: int = 16) -> tuple[int, int]:
    """An address in each half whose index is neither 0 nor all ones at any level."""
    low = 0x5A5A_5A5A_5A5A & ((1 << (64 - t0sz)) - 1) & -(1 << granule)
    return low, UPPER | low
