"""One access, as far as translation cares."""

import enum
from dataclasses import dataclass


class Kind(enum.Enum):
    """What the access does. AT_* are address-translation instructions: no architectural access,
    hence no access-flag or dirty update."""

    READ = "r"
    WRITE = "w"
    EXECUTE = "x"
    ATOMIC = "rw"
    AT_READ = "at_r"
    AT_WRITE = "at_w"

    @property
    def reads(self) -> bool:
        return self in (Kind.READ, Kind.ATOMIC, Kind.AT_READ)

    @property
    def writes(self) -> bool:
        return self in (Kind.WRITE, Kind.ATOMIC, Kind.AT_WRITE)

    @property
    def fetches(self) -> bool:
        return self is Kind.EXECUTE

    @property
    def address_translation(self) -> bool:
        return self in (Kind.AT_READ, Kind.AT_WRITE)


@dataclass(frozen=True)
class Access:
    """pan is PSTATE.PAN of this access (for AT it means the S1E1RP/S1E1WP form), or that
    sstatus.SUM is 0; mxr is sstatus.MXR, which only RISC-V's formats know."""

    va: int
    kind: Kind = Kind.READ
    el: int = 0
    pan: bool = False
    aligned: bool = True
    mxr: bool = False

    def __post_init__(self):
        if not 0 <= self.va < 1 << 64:
            raise ValueError(f"va is {self.va:#x}; it must fit in 64 bits")
        if self.el not in (0, 1):
            raise ValueError(f"el is {self.el}; the regime has EL0 and EL1 only")
