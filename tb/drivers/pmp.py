"""The entries of physical memory protection, as the CPU tells them to a unit, and what a walk may
read and an access needs under them."""

from model import BusError, Kind, Memory
from model.pmp import EXECUTE, LOCKED, NA4, NAPOT, READ, TOR, WRITE, Entry, Pmp, trailing_ones

ABORT = 0x10  # an external abort that is not on a walk
NEEDS = {Kind.READ: READ, Kind.WRITE: WRITE, Kind.EXECUTE: EXECUTE, Kind.ATOMIC: READ | WRITE}


class Guarded(Memory):
    """A read of what S-mode may not read is refused, also where memory holds nothing."""

    def __init__(self, words: dict[int, int], pmp: Pmp):
        super().__init__(words)
        self._pmp = pmp

    def read(self, address: int, size: int = 8) -> int:
        if not self._pmp.rights(address, size) & READ:
            raise BusError(f"read of {address:#x}")
        return super().read(address, size)


def pins(entry: Entry) -> dict[str, int]:
    """Of an entry, in the order in which the player of scripts reads them."""
    bits = {"read": READ, "write": WRITE, "execute": EXECUTE, "locked": LOCKED}
    return {
        "address": entry.address,
        "mask": (2 << trailing_ones(entry.address)) - 1 if entry.kind == NAPOT else 0,
        "tor": int(entry.kind == TOR),
        "aligned": int(entry.kind in (NA4, NAPOT)),
        **{name: int(bool(entry.config & bit)) for name, bit in bits.items()},
    }


class Protection:
    """What is behind `io_pmp`, if the configuration has any entries: `count` of them."""

    def __init__(self, dut):
        self._dut = dut
        self.count = 0
        while hasattr(dut, f"io_pmp_entries_{self.count}_address"):
            self.count += 1

    def open(self) -> None:
        """Protection is in nobody's way."""
        self.drive(Pmp.opened(self.count))

    def drive(self, pmp: Pmp) -> None:
        if self.count:
            self._dut.io_pmp_bindsMachine.value = int(pmp.binds_machine())
        for i, entry in enumerate(pmp.entries):
            for name, value in pins(entry).items():
                getattr(self._dut, f"io_pmp_entries_{i}_{name}").value = value
