"""What happens to a machine, one step after the other: software writes tables and registers and
invalidates; accesses are made. Random cases are lists of these, and vector files can hold them."""

from dataclasses import dataclass
from enum import Enum

from .access import Access
from .registers import Registers
from .tlbi import Invalidation


class Trouble(Enum):
    """What a word of memory answers with: a bus error, always or to a compare-and-swap only, or
    that it cannot compare and swap."""

    ERROR = "error"
    SWAP_ERROR = "swap_error"
    NO_SWAP = "no_swap"


@dataclass(frozen=True)
class Store:
    """Software writes a 64-bit word."""

    address: int
    value: int


@dataclass(frozen=True)
class Trap:
    """From now on the word at `address` answers with `trouble`."""

    address: int
    trouble: Trouble


@dataclass(frozen=True)
class Load:
    """The registers from now on."""

    registers: Registers


@dataclass(frozen=True)
class Flush:
    op: Invalidation


@dataclass(frozen=True)
class Ask:
    """An access. `race`: what another agent stores into which word just before the walker's first
    swap of it; None: nobody."""

    access: Access
    race: tuple[int, int] | None = None


Step = Store | Trap | Load | Flush | Ask


@dataclass(frozen=True)
class Delays:
    """Of the walker's memory: cycles to the answer, of 16 cycles how many accept a command."""

    least: int = 1
    most: int = 1
    ready: int = 16
    seed: int = 1
