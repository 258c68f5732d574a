"""What happens to a machine, one step after the other: software writes tables and registers and
invalidates; accesses are made. Random cases are lists of these, and vector files can hold them."""

from dataclasses import dataclass
from enum import Enum

from .access import Access
from .faults import Fault
from .features import Features
from .memory import Memory
from .registers import Registers
from .tlbi import Invalidation
from .walk import Translation, translate


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


class Golden:
    """The golden model as such a machine. It has no TLB: invalidations do nothing."""

    def __init__(self, features: Features):
        self.features, self.memory, self.registers = features, Memory(), Registers(0)

    def take(self, step: Step) -> None:
        match step:
            case Store(address, value):
                self.memory.words[address] = value
            case Load(registers):
                self.registers = registers
            case Trap(address, Trouble.ERROR):
                self.memory.errors.add(address)
            case Trap(address, Trouble.SWAP_ERROR):
                self.memory.swap_errors.add(address)
            case Trap(address, Trouble.NO_SWAP):
                self.memory.no_swap.add(address)

    def outcome(self, step: Ask) -> Translation | Fault:
        self.memory.race = dict([step.race]) if step.race else {}
        outcome = translate(self.registers, self.features, self.memory, step.access)
        self.memory.race = {}
        return outcome
