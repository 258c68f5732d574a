"""Levels, indexes and table sizes: all of spec chapter 3 (and 10.2) as arithmetic on three numbers,
the granule, TnSZ and the size of an entry. Sv32 is a row of it: 4K, 32 bits, entries of 4 bytes."""

from dataclasses import dataclass
from functools import cache, cached_property

from model.bits import field
from model.features import Features

GRANULES = (12, 14, 16)

# Contiguous group, log2 of its entries, by granule and level (4.6; 10.4 for 128-bit descriptors).
CONTIGUOUS_LOG2 = {
    False: {12: {1: 4, 2: 4, 3: 4}, 14: {2: 5, 3: 7}, 16: {2: 5, 3: 5}},
    True: {12: {1: 2, 2: 4, 3: 4}, 14: {1: 2, 2: 4, 3: 6}, 16: {2: 6, 3: 4}},
}


@dataclass(frozen=True)
class Geometry:
    """granule is log2 of its bytes; skl is the skip level of the table base (D128 only)."""

    granule: int
    tnsz: int
    d128: bool = False
    skl: int = 0
    sv32: bool = False

    @cached_property
    def entry_log2(self) -> int:
        return 2 if self.sv32 else 4 if self.d128 else 3

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
        groups = {} if self.sv32 else CONTIGUOUS_LOG2[self.d128][self.granule]
        return groups.get(level, 0)


@cache
def geometry(granule: int, tnsz: int, d128: bool = False, skl: int = 0) -> Geometry:
    return Geometry(granule, tnsz, d128, skl)


SV32 = Geometry(12, 32, sv32=True)


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
