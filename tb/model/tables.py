"""Builds translation tables in memory, for tests: map this address with that descriptor."""

from dataclasses import dataclass, field

from .geometry import Geometry
from .memory import Memory

VALID_TABLE, VALID_BLOCK, VALID_PAGE = 0b11, 0b01, 0b11
AF, NG, DBM, READ_ONLY = 1 << 10, 1 << 11, 1 << 51, 1 << 7


def ap(value: int) -> int:
    return value << 6


@dataclass
class Tables:
    """One half's tables, 64-bit descriptors without 52-bit addresses.

    root    the first table; further tables come from `next_table`, one granule each.
    """

    memory: Memory
    geometry: Geometry
    root: int
    next_table: int
    table_bits: int = 0
    allocated: list[int] = field(default_factory=list)

    def _new_table(self) -> int:
        size = 1 << self.geometry.granule
        address = (self.next_table + size - 1) // size * size
        self.next_table = address + size
        self.allocated.append(address)
        return address

    def slot(self, va: int, level: int, *, create: bool = False) -> int:
        """Address of the descriptor of `va` at `level`; with create, builds what leads to it.
        A leaf in the way is an error of the test."""
        g = self.geometry
        if level < g.start_level:
            raise ValueError(f"level {level} is above the start level {g.start_level}")
        address = self.root + 8 * g.first_index(va)
        for at in range(g.start_level, level):
            entry = self.memory.words.get(address, 0)
            if not entry & 1:
                if not create:
                    raise KeyError(f"{va:#x} has no table at level {at}")
                entry = self._new_table() | VALID_TABLE | self.table_bits
                self.memory.words[address] = entry
            elif not entry & 2:
                raise ValueError(f"{va:#x} has a block at level {at}, above level {level}")
            base = entry & ((1 << 48) - 1) & -(1 << g.granule)
            address = base + 8 * g.index(va, at + 1)
        return address

    def map(self, va: int, pa: int, level: int = 3, bits: int = AF | NG | ap(0b01)) -> int:
        """Maps the page or block of `va` to `pa`; returns the descriptor's address."""
        address = self.slot(va, level, create=True)
        span = self.geometry.lsb(level)
        kind = VALID_PAGE if level == 3 else VALID_BLOCK
        self.memory.words[address] = pa >> span << span | bits | kind
        return address

    def unmap(self, va: int, level: int = 3) -> int:
        address = self.slot(va, level)
        self.memory.words[address] = 0
        return address
