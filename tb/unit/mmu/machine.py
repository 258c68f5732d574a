"""A machine for the tests of the MMU: registers, memory, and tables for both halves."""

from dataclasses import dataclass, field, replace

from cases.registers import MAIR
from drivers.lockstep import MmuBench
from drivers.signals import Answer
from model import Access, Memory, Registers
from model.geometry import block_levels, geometry
from model.registers import AS_16, IPS_48, TG0, TG1
from model.tables import Tables
from model.tlbi import Invalidation, Kind, range_operand, va_operand

GRANULES = (12, 14, 16)
UPPER = (1 << 64) - (1 << 48)
M64 = (1 << 64) - 1


def leaf_levels(granule: int) -> list[int]:
    return [*sorted(block_levels(granule, ds=False, lpa=False)), 3]


LEAVES = [(granule, level) for granule in GRANULES for level in leaf_levels(granule)]


def span(granule: int, level: int) -> int:
    """log2 of what a leaf of this level maps."""
    return geometry(granule, 16).lsb(level)


@dataclass
class Machine:
    """`base` is where the tables are: machines that share a memory take different ones. `flags`
    are further bits of TCR."""

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
        sizes = self.t0sz | self.t1sz << 16
        granules = TG0[self.granule] << 14 | TG1[self.granule1] << 30
        self.registers = Registers(
            tcr=sizes | granules | IPS_48 | AS_16 | self.flags,
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


def operation(kind: Kind, va=0, granule=12, *, asid=1, num=0, scale=0, **how) -> Invalidation:
    """For the address, or a range that begins there, of 2 pages if nothing else is said."""
    if kind.is_range:
        return Invalidation(kind, range_operand(va & M64, granule, num, scale, asid=asid), **how)
    return Invalidation(kind, va_operand(va & M64, asid), **how)


def adjacent(bench: MmuBench, pages: int, granule=12, level=3, *, half=0, apart=0, t0sz=16,
             pa=0x1000_0000) -> list[Access]:  # fmt: skip
    """Maps pages or blocks beside each other, or `apart`; accesses to them."""
    machine = Machine(granule, t0sz)
    size = 1 << span(granule, level)
    first = vas(granule, t0sz)[half] & -size
    accesses = [Access(first + n * (apart or size) & M64) for n in range(pages)]
    for n, access in enumerate(accesses):
        machine.map(access.va, pa + n * size, level)
    bench.use(machine)
    return accesses


async def asked(bench: MmuBench, access: Access) -> tuple[Answer, int]:
    """The answer, which is right, and how many descriptors were read for it."""
    bench.walk.reads.clear()
    return await bench.check(access), len(bench.walk.reads)
