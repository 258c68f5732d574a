"""Faults, their 6-bit status codes and the syndrome (spec 7.2, 7.3)."""

import enum
from dataclasses import dataclass

from .access import Access, Kind


class FaultKind(enum.Enum):
    TRANSLATION = "Translation"
    ADDRESS_SIZE = "AddressSize"
    ACCESS_FLAG = "AccessFlag"
    PERMISSION = "Permission"
    EXTERNAL_ABORT_ON_WALK = "ExtAbortWalk"
    ALIGNMENT = "Alignment"
    UNSUPPORTED_UPDATE = "UnsupportedHWUpdate"
    TLB_CONFLICT = "TLBConflict"


# kind -> (code at levels 0..3 without the level, code at level -1, code at level -2)
_LEVELLED = {
    FaultKind.ADDRESS_SIZE: (0b000000, 0b101001, 0b101100),
    FaultKind.TRANSLATION: (0b000100, 0b101011, 0b101010),
    FaultKind.ACCESS_FLAG: (0b001000, None, None),
    FaultKind.PERMISSION: (0b001100, None, None),
    FaultKind.EXTERNAL_ABORT_ON_WALK: (0b010100, 0b010011, 0b010010),
}
_PLAIN = {
    FaultKind.ALIGNMENT: 0b100001,
    FaultKind.UNSUPPORTED_UPDATE: 0b110001,
    FaultKind.TLB_CONFLICT: 0b110000,
}


def status_code(kind: FaultKind, level: int) -> int:
    """DFSC / IFSC / FST of a fault."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    base, minus_one, minus_two = _LEVELLED[kind]
    code = base + level if level >= 0 else {-1: minus_one, -2: minus_two}[level]
    if code is None:
        raise ValueError(f"{kind.value} cannot happen at level {level}: no leaf exists there")
    return code


class TranslationFault(Exception):
    """Ends a walk; `translate` turns it into a [Fault]."""

    def __init__(
        self, kind: FaultKind, level: int, *, wnr: bool | None = None, dirty: bool = False
    ):
        super().__init__(f"{kind.value} level {level}")
        self.kind, self.level, self.wnr, self.dirty = kind, level, wnr, dirty


@dataclass(frozen=True)
class Fault:
    """Outcome of an access that did not translate.

    wnr     the syndrome's write bit; 1 for every fault of an AT instruction.
    dirty   ISS2.DirtyBit: nDirty = 1 and the hardware may not clear it.
    reads   addresses of the descriptors read, in order.
    span    log2 of what the leaf maps, where the walk came to a leaf.
    """

    kind: FaultKind
    level: int
    wnr: bool
    access: Access
    reads: tuple[int, ...] = ()
    dirty: bool = False
    span: int | None = None

    @property
    def status(self) -> int:
        return status_code(self.kind, self.level)

    @property
    def esr(self) -> int:
        """ESR_EL1 with ISV = 0; of ISS2, DirtyBit."""
        fetch = self.access.kind is Kind.EXECUTE
        exception_class = (0x20 if fetch else 0x24) + self.access.el
        cache_maintenance = self.access.kind.address_translation
        return (
            int(self.dirty) << 37
            | exception_class << 26
            | 1 << 25
            | int(cache_maintenance) << 8
            | int(self.wnr) << 6
            | self.status
        )
