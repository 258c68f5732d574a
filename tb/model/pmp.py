"""Physical memory protection (RISC-V privileged ISA 1.12, 3.7), of RV32: the registers, the regions
that they describe, and what they permit."""

from collections.abc import Sequence
from dataclasses import dataclass

from .bits import mask

READ, WRITE, EXECUTE, LOCKED = 1, 2, 4, 0x80  # of the byte of an entry in pmpcfg
OFF, TOR, NA4, NAPOT = 0x00, 0x08, 0x10, 0x18
KIND = 0x18
OPEN = READ | WRITE | EXECUTE
CONFIG, ADDRESS = 0x3A0, 0x3B0  # the first CSRs
GRAIN = 4  # bytes; pmpaddr counts in them


@dataclass
class Entry:
    config: int = 0
    address: int = 0

    @property
    def kind(self) -> int:
        return self.config & KIND

    @property
    def locked(self) -> bool:
        return bool(self.config & LOCKED)


def trailing_ones(word: int) -> int:
    return ((word + 1) & ~word).bit_length() - 1


class Pmp:
    """`count` entries, of the 16 that registers exist for."""

    def __init__(self, count: int):
        self.entries = [Entry() for _ in range(count)]

    @classmethod
    def opened(cls, count: int) -> "Pmp":
        """All of memory is open to all modes, as software does before it leaves M-mode."""
        pmp = cls(count)
        if count:
            pmp.write(ADDRESS, mask(32))
            pmp.write(CONFIG, NAPOT | OPEN)
        return pmp

    @classmethod
    def of(cls, entries: Sequence[tuple[int, int]], count: int = 8) -> "Pmp":
        """pmpcfg's byte and pmpaddr of each entry are written."""
        pmp = cls(count)
        for n, (_, address) in enumerate(entries):
            pmp.write(ADDRESS + n, address & mask(32))
        for first in range(0, len(entries), 4):
            row = enumerate(entries[first : first + 4])
            pmp.write(CONFIG + first // 4, sum(byte << 8 * i for i, (byte, _) in row))
        return pmp

    # ---- registers (3.7.1) -----------------------------------------------------------------------
    def _of_config(self, csr: int) -> list[Entry]:
        first = 4 * (csr - CONFIG)
        return self.entries[first : first + 4]

    def read(self, csr: int) -> int:
        if csr < ADDRESS:
            return sum(e.config << 8 * i for i, e in enumerate(self._of_config(csr)))
        number = csr - ADDRESS
        return self.entries[number].address if number < len(self.entries) else 0

    def write(self, csr: int, value: int) -> None:
        if csr < ADDRESS:
            for i, entry in enumerate(self._of_config(csr)):
                byte = value >> 8 * i & 0x9F
                if not byte & READ:
                    byte &= ~WRITE  # W without R is reserved
                if not entry.locked:
                    entry.config = byte
        elif csr - ADDRESS < len(self.entries):
            number = csr - ADDRESS
            above = self.entries[number + 1 : number + 2]
            begins_locked = any(e.locked and e.kind == TOR for e in above)
            if not self.entries[number].locked and not begins_locked:
                self.entries[number].address = value

    # ---- regions and rights ----------------------------------------------------------------------
    def region(self, number: int) -> range:
        """The bytes of an entry. An address of ones is all of memory, however large that is."""
        entry = self.entries[number]
        at = entry.address * GRAIN
        if entry.kind == TOR:
            return range(self.entries[number - 1].address * GRAIN if number else 0, at)
        if entry.kind == NA4:
            return range(at, at + GRAIN)
        if entry.kind == NAPOT:
            if entry.address == mask(32):
                return range(1 << 64)
            size = 8 << trailing_ones(entry.address)
            return range(at & -size, (at & -size) + size)
        return range(0)

    def rights(self, first: int, size: int, *, machine: bool = False) -> int:
        """What may be done with `size` bytes: READ, WRITE and EXECUTE."""
        last = first + size - 1
        for number, entry in enumerate(self.entries):
            region = self.region(number)
            if not region or last < region.start or first >= region.stop:
                continue
            if first < region.start or last >= region.stop:
                return 0
            return OPEN if machine and not entry.locked else entry.config & OPEN
        return OPEN if machine or not self.entries else 0

    def binds_machine(self) -> bool:
        return any(e.locked and e.kind != OFF for e in self.entries)
