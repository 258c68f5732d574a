"""Golden model of the translation: what the architecture says, with nothing of the hardware in it.

`translate` is the way in, `follow` tells each step; `tlbi` says what an invalidation obliges to go;
`vectors` reads and writes the files that the conformance run replays.
"""

from .access import Access, Kind
from .explain import Step, follow, size, told
from .faults import Fault, FaultKind
from .features import Features, from_names
from .memory import BusError, Memory
from .registers import Registers
from .walk import Translation, translate

__all__ = [
    "Access", "BusError", "Fault", "FaultKind", "Features", "Kind", "Memory", "Registers", "Step",
    "Translation", "follow", "from_names", "size", "told", "translate",
]  # fmt: skip
