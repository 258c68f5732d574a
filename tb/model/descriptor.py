"""Descriptor formats: what the bits of an entry mean, as data (spec 4.1-4.5, 10.4-10.6; RISC-V's
are in model/riscv.py).

A format is chosen once per walk; the walk itself is the same for all of them.
"""

import enum
from dataclasses import dataclass
from functools import cache

from .bits import align_down, bit, field
from .geometry import Geometry, block_levels


class Type(enum.Enum):
    INVALID = enum.auto()
    TABLE = enum.auto()
    LEAF = enum.auto()


@dataclass(frozen=True)
class Table:
    """A table descriptor. skl 0 for 64-bit formats; aptable is APTable[1:0]."""

    address: int
    aptable: int = 0
    uxntable: bool = False
    pxntable: bool = False
    skl: int = 0
    disch: bool = False


@dataclass(frozen=True)
class Leaf:
    """A block or page descriptor. `address` has the bits below the entry's own span cleared.

    sh is None where the format has no such field (DS = 1). pi_index and not_dirty belong to
    indirect permissions; not_dirty is bit 7 as it stands. rights are those of a RISC-V entry: R, W,
    X and U from bit 0 on; its dirty state is not_dirty too.
    """

    address: int
    af: bool
    ng: bool
    contiguous: bool
    not_dirty: bool
    attr_index: int = 0
    ap: int = 0
    sh: int | None = None
    dbm: bool = False
    pxn: bool = False
    uxn: bool = False
    pi_index: int = 0
    rights: int = 0


@dataclass(frozen=True)
class Format:
    """high_from: descriptor bits that carry the top of the address; they land at bit high_to.

    top is the highest address bit of the ordinary field.
    reserved: a field that must be 0 (64K without 52-bit output; spec 4.2), else an address fault.
    """

    name: str
    top: int
    high_from: tuple[int, int] | None = None
    high_to: int = 0
    reserved: tuple[int, int] | None = None
    sh: tuple[int, int] | None = (9, 8)
    wide: bool = False

    AF_BIT = 10
    READ_ONLY_BIT = 7  # AP[2], or nDirty with indirect permissions

    def address(self, descriptor: int, low: int) -> int:
        address = align_down(field(descriptor, self.top, 0), low)
        if self.high_from:
            address |= field(descriptor, *self.high_from) << self.high_to
        return address

    def reserved_set(self, descriptor: int) -> bool:
        return bool(self.reserved) and field(descriptor, *self.reserved) != 0

    def skl(self, descriptor: int) -> int:
        return field(descriptor, 110, 109) if self.wide else 0

    def classify(self, descriptor: int, level: int, g: Geometry, blocks: frozenset[int]) -> Type:
        if not bit(descriptor, 0):
            return Type.INVALID
        if self.wide:
            skl = self.skl(descriptor)
            if (skl == 3 and g.granule != 12) or level + skl > 3:
                return Type.INVALID
            return Type.LEAF if level + skl == 3 else Type.TABLE
        if bit(descriptor, 1):
            return Type.LEAF if level == 3 else Type.TABLE
        return Type.LEAF if level in blocks else Type.INVALID

    def table(self, descriptor: int, g: Geometry) -> Table:
        if self.wide:
            skl = self.skl(descriptor)
            low = (skl + 1) * g.stride + g.entry_log2
            address = self.address(descriptor, low)
            return Table(address, skl=skl, disch=bool(bit(descriptor, 112)))
        return Table(
            address=self.address(descriptor, g.granule),
            aptable=field(descriptor, 62, 61),
            uxntable=bool(bit(descriptor, 60)),
            pxntable=bool(bit(descriptor, 59)),
        )

    def leaf(self, descriptor: int, level: int, g: Geometry) -> Leaf:
        if self.wide:
            pi_index = field(descriptor, 118, 115)
        else:
            high = field(descriptor, 54, 53)
            pi_index = high << 2 | bit(descriptor, 51) << 1 | bit(descriptor, 6)
        return Leaf(
            address=self.address(descriptor, g.lsb(level)),
            attr_index=field(descriptor, 5 if self.wide else 4, 2),
            ap=field(descriptor, 7, 6),
            sh=field(descriptor, *self.sh) if self.sh else None,
            af=bool(bit(descriptor, self.AF_BIT)),
            ng=bool(bit(descriptor, 11)),
            dbm=not self.wide and bool(bit(descriptor, 51)),
            contiguous=bool(bit(descriptor, 111 if self.wide else 52)),
            pxn=bool(bit(descriptor, 53)),
            uxn=bool(bit(descriptor, 54)),
            pi_index=pi_index,
            not_dirty=bool(bit(descriptor, self.READ_ONLY_BIT)),
        )


PLAIN = Format("4K or 16K, 48-bit", top=47)
PLAIN_64K = Format("64K, 48-bit", top=47, reserved=(15, 12))
LPA_64K = Format("64K, 52-bit", top=47, high_from=(15, 12), high_to=48)
LPA2 = Format("4K or 16K, DS = 1", top=49, high_from=(9, 8), high_to=50, sh=None)
D128 = Format("128-bit", top=55, wide=True)


@cache
def select(granule: int, *, ds: bool, lpa: bool, d128: bool) -> tuple[Format, frozenset[int]]:
    """The format in force and the levels at which it has blocks; `ds` is the effective value."""
    if d128:
        return D128, frozenset()
    blocks = block_levels(granule, ds=ds, lpa=lpa)
    if granule == 16:
        return (LPA_64K if lpa else PLAIN_64K), blocks
    return (LPA2 if ds else PLAIN), blocks
