"""Levels, indexes and table sizes: all of spec chapter 3 (and 10.2) as arithmetic on three numbers,
the granule, TnSZ and the size of an entry. RISC-V's are rows of it: 4K, and 32 bits with entries of
4 bytes, 39 or 48 bits with entries of 8."""

from dataclasses import dataclass
from functools import cache, cached_property

from .bits import field
from .features import Features

GRANULES = (12, 14, 16)

# Contiguous group, log2 of its entries, by granule and level (4.6; 10.4 for 128-bit descriptors).
CONTIGUOUS_LOG2 = {
    False: {12: {1: 4, 2: 4, 3: 4}, 14: {2: 5, 3: 7}, 16: {2: 5, 3: 5}},
    True: {12: {1: 2, 2: 4, 3: 4}, 14: {1: 2, 2: 4, 3: 6}, 16: {2: 6, 3: 4}},
}
NAPOT_LOG2 = {2: {}, 3: {3: 4}}  # Svnapot, by log2 of the entry's bytes


@dataclass(frozen=True)
class Geometry:
    """granule is log2 of its bytes; skl is the skip level of the table base (D128 only); pte_log2
    is log2 of the bytes of a RISC-V entry."""

    granule: int
    tnsz: int
    d128: bool = False
    skl: int = 0
    pte_log2: int | None = None

    @cached_property
    def entry_log2(self) -> int:
        return self.pte_log2 or (4 if self.d128 else 3)

    @cached_property
    def stride(self) -> int:
        """Index bits per level."""
        return self.granule - self.entry_log2

    @cached_property
    def input_size(self) -> int:
        return 64 - self.tnsz

    @cached_property
    def start_level(self) -> int:
        return 3 - (self.input_size - 1 - self.granule) // self.stride + self.skl

    def lsb(self, level: int) -> int:
        """Lowest VA bit indexed at `level`: a leaf there spans 2^lsb bytes."""
        return self.granule + (3 - level) * self.stride

    @property
    def levels(self) -> range:
        """Levels that a walk may read, without skips."""
        return range(self.start_level, 4)

    @cached_property
    def first_table_log2(self) -> int:
        """log2 of the first table's bytes."""
        return self.input_size - self.lsb(self.start_level) + self.entry_log2

    @cached_property
    def first_entries(self) -> int:
        return 1 << (self.first_table_log2 - self.entry_log2)

    def first_index(self, va: int) -> int:
        return field(va, self.input_size - 1, self.lsb(self.start_level))

    def index(self, va: int, level: int, skl: int = 0) -> int:
        """Index into a table that is not the first; `skl` is that of the entry pointing to it."""
        low = self.lsb(level)
        return field(va, low + (skl + 1) * self.stride - 1, low)

    def contiguous_log2(self, level: int) -> int:
        """log2 of the entries of a contiguous group; 0 where the bit counts as 0."""
        if self.riscv:
            return NAPOT_LOG2[self.pte_log2].get(level, 0)
        return CONTIGUOUS_LOG2[self.d128][self.granule].get(level, 0)

    @property
    def riscv(self) -> bool:
        return self.pte_log2 is not None


@cache
def geometry(granule: int, tnsz: int, d128: bool = False, skl: int = 0) -> Geometry:
    return Geometry(granule, tnsz, d128, skl)


SV32 = Geometry(12, 32, pte_log2=2)
SV39 = Geometry(12, 25, pte_log2=3)
SV48 = Geometry(12, 16, pte_log2=3)


def tnsz_limits(granule: int, features: Features, *, ds: bool, d128: bool) -> tuple[int, int]:
    """Smallest and largest legal TnSZ (spec 2.3); `ds` is the effective value."""
    if d128:
        low = 9 if features.lva3 else 12 if features.lva else 16
    elif granule == 16:
        low = 12 if features.lva else 16
    else:
        low = 12 if ds else 16
    if features.va_bits < 48:
        low = 64 - features.va_bits
    if not features.ttst:
        return low, 39
    return low, 47 if granule == 16 else 48


def block_levels(granule: int, *, ds: bool, lpa: bool) -> frozenset[int]:
    """Levels at which 64-bit descriptors may be blocks (spec 4.3)."""
    levels = {12: {1, 2}, 14: {2}, 16: {2}}[granule]
    if ds:
        levels = levels | {12: {0}, 14: {1}, 16: set()}[granule]
    if granule == 16 and lpa:
        levels = levels | {1}
    return frozenset(levels)
