"""An address space for tests: tables of the golden model, and the registers that select them."""

from dataclasses import dataclass, field

from model.geometry import Geometry
from model.memory import Memory
from model.registers import AS_16, IPS_48, TG0, TG1
from model.tables import AF, NG, Tables, ap

NORMAL, USER = 0xFF, AF | ap(0b01)


@dataclass
class AddressSpace:
    """Lower half through TTBR0; the upper half is a table of the same shape, empty."""

    granule: int
    tnsz: int
    asid: int = 0
    root: int = 0x4000_0000
    tables: Tables = field(init=False)

    def __post_init__(self):
        self.tables = Tables(
            Memory(), Geometry(self.granule, self.tnsz), self.root, self.root + (1 << 20)
        )

    @property
    def words(self) -> dict:
        return self.tables.memory.words

    @property
    def registers(self) -> dict:
        sizes = self.tnsz | self.tnsz << 16
        granules = TG0[self.granule] << 14 | TG1[self.granule] << 30
        return {
            "tcr": sizes | granules | IPS_48 | AS_16,
            "ttbr0": self.root | self.asid << 48,
            "ttbr1": self.root + (1 << 19),
            "mair": NORMAL,
            "sctlr": 1 | 1 << 2 | 1 << 12,
        }

    def map(self, va: int, pa: int, level: int = 3, bits: int = USER) -> int:
        return self.tables.map(va, pa, level, bits)


def small_space() -> tuple[AddressSpace, int, int]:
    """One page, its VA and the address of its entry."""
    space = AddressSpace(12, 33)
    va = 0x0123_4000
    return space, va, space.map(va, 0x9000_0000, bits=USER | NG)
