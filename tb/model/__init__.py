"""Golden model of the translation: what the architecture says, with nothing of the hardware in it.

`translate` is the way in; `Tlb` models residency and invalidation; `vectors` reads and writes the
files that the conformance run replays.
"""

from model.access import Access, Kind
from model.faults import Fault, FaultKind
from model.features import Features
from model.memory import BusError, Memory
from model.registers import Registers
from model.walk import Translation, translate

__all__ = [
    "Access",
    "BusError",
    "Fault",
    "FaultKind",
    "Features",
    "Kind",
    "Memory",
    "Registers",
    "Translation",
    "translate",
]
