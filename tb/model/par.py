"""PAR_EL1, 64-bit form: how an address-translation instruction reports (spec 1.5)."""

from .bits import align_down, mask
from .faults import Fault
from .walk import Translation


def par(outcome: Translation | Fault) -> int:
    """Non-secure state, no RME: NS and bit 11 read 1."""
    if isinstance(outcome, Fault):
        return int(outcome.dirty) << 15 | 1 << 11 | outcome.status << 1 | 1
    address = align_down(outcome.pa & mask(52), 12)
    return outcome.attr << 56 | address | 1 << 11 | 1 << 9 | outcome.sh << 7
