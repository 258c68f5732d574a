"""TLB invalidation: operands, the addresses they cover and the entries that must go (spec chapter
8). Addresses are signed here: the upper half is negative, so that no range can wrap."""

import enum
from dataclasses import dataclass

from .bits import align_down, bit, field, mask

TG_OF_GRANULE = {12: 0b01, 14: 0b10, 16: 0b11}
GRANULE_OF_TG = {code: granule for granule, code in TG_OF_GRANULE.items()}


class Kind(enum.IntEnum):
    """Numbered as the hardware's InvalidateKind."""

    ALL = 0
    ASID = 1
    VA = 2
    VA_ALL_ASIDS = 3
    RANGE = 4
    RANGE_ALL_ASIDS = 5

    @property
    def any_asid(self) -> bool:
        return self in (Kind.ALL, Kind.VA_ALL_ASIDS, Kind.RANGE_ALL_ASIDS)

    @property
    def is_range(self) -> bool:
        return self in (Kind.RANGE, Kind.RANGE_ALL_ASIDS)


def signed(va: int) -> int:
    """The VA as its canonical signed value; bits 63:56 count as copies of bit 55."""
    value = va & mask(56)
    return value - (1 << 56) if bit(va, 55) else value


@dataclass(frozen=True)
class Entry:
    """What a TLB or walk cache remembers. `leaf` False: a table entry, bound to its ASID.

    span is log2 of the bytes covered; level that of the descriptor.
    """

    va: int
    span: int
    granule: int
    level: int
    asid: int = 0
    ng: bool = True
    leaf: bool = True

    @property
    def start(self) -> int:
        return align_down(signed(self.va), self.span)

    @property
    def end(self) -> int:
        """Last byte."""
        return self.start + mask(self.span)


@dataclass(frozen=True)
class Invalidation:
    """One command. ds: TCR.DS at execution, which scales the base of ranges."""

    kind: Kind
    operand: int = 0
    last_level: bool = False
    ds: bool = False

    @property
    def asid(self) -> int:
        return field(self.operand, 63, 48)


@dataclass(frozen=True)
class Range:
    """[start, end) in signed addresses; granule None for the reserved TG; ttl 0 for any level."""

    start: int
    end: int
    granule: int | None
    ttl: int
    aligned: bool


def va_operand(va: int, asid: int = 0, ttl: int = 0) -> int:
    """Spec 8.3."""
    return asid << 48 | ttl << 44 | field(va, 55, 12)


def range_operand(
    va: int, granule: int, num: int, scale: int, *, asid: int = 0, ttl: int = 0, ds: bool = False
) -> int:
    """Spec 8.4. `va` must be a multiple of the base's step."""
    unit = _unit(granule, ds)
    if va & mask(unit):
        raise ValueError(f"va {va:#x} is not a multiple of {1 << unit:#x}, the step of the base")
    if not (0 <= num <= 31 and 0 <= scale <= 3):
        raise ValueError(f"num {num}, scale {scale}; num has 5 bits and scale 2")
    base = field(va, 36 + unit, unit)
    tg = TG_OF_GRANULE[granule]
    return asid << 48 | tg << 46 | scale << 44 | num << 39 | ttl << 37 | base


def _unit(granule: int, ds: bool) -> int:
    return 16 if ds or granule == 16 else granule


def range_length(num: int, scale: int) -> int:
    """Granules."""
    return (num + 1) << (5 * scale + 1)


# TTL -> bits of the base that must be 0, as (high, low), by granule.
_ALIGNMENT = {
    12: {1: (29, 12), 2: (20, 12)},
    14: {1: (35, 14), 2: (24, 14)},
    16: {1: (41, 16), 2: (28, 16)},
}


def decode_range(operand: int, *, ds: bool = False, lpa2: bool = False) -> Range:
    granule = GRANULE_OF_TG.get(field(operand, 47, 46))
    ttl = field(operand, 38, 37)
    if granule is None:
        return Range(0, 0, None, ttl, True)
    if granule == 14 and ttl == 1 and not lpa2:
        ttl = 0
    unit = _unit(granule, ds)
    raw = field(operand, 36, 0) << unit
    top = 36 + unit
    start = raw - (1 << (top + 1)) if bit(raw, top) else raw
    length = range_length(field(operand, 43, 39), field(operand, 45, 44)) << granule
    limit = 0 if start < 0 else 1 << top
    high_low = _ALIGNMENT[granule].get(ttl)
    aligned = high_low is None or field(raw, *high_low) == 0
    return Range(start, min(start + length, limit), granule, ttl, aligned)


def _hint_allows(entry: Entry, granule: int, level: int) -> bool:
    """Does a level hint still oblige to drop the entry? Tables above that level are included."""
    if entry.granule != granule:
        return False
    return entry.level == level if entry.leaf else entry.level < level


def _va_hint(entry: Entry, ttl: int, lpa2: bool) -> bool:
    granule, level = {1: 12, 2: 14, 3: 16}.get(ttl >> 2), ttl & 3
    reserved = granule is None or ttl in (0b1000, 0b1100) or (not lpa2 and ttl in (0b0100, 0b1001))
    return reserved or _hint_allows(entry, granule, level)


def covers_address(op: Invalidation, entry: Entry, *, lpa2: bool = False) -> bool:
    """Does the address part of a VA or range operation oblige the entry to go?"""
    if op.kind.is_range:
        r = decode_range(op.operand, ds=op.ds, lpa2=lpa2)
        if r.granule != entry.granule or not r.aligned:
            return False
        overlap = entry.start < r.end and entry.end >= r.start
        return overlap and (r.ttl == 0 or _hint_allows(entry, r.granule, r.ttl))
    va = signed(field(op.operand, 43, 0) << 12)
    hint = _va_hint(entry, field(op.operand, 47, 44), lpa2)
    return hint and align_down(va, entry.span) == entry.start


def must_go(op: Invalidation, entry: Entry, *, lpa2: bool = False) -> bool:
    """The table of spec 8.2. More may always go; the reverse is the defect."""
    if op.kind is Kind.ALL:
        return True
    bound = entry.ng or not entry.leaf
    if op.kind is Kind.ASID:
        return bound and entry.asid == op.asid
    if op.last_level and not entry.leaf:
        return False
    if bound and not op.kind.any_asid and entry.asid != op.asid:
        return False
    return covers_address(op, entry, lpa2=lpa2)
