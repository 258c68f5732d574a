"""The entries of physical memory protection, as the CPU tells them to a unit."""

from model.pmp import EXECUTE, KIND, LOCKED, NA4, NAPOT, READ, TOR, WRITE, Pmp, trailing_ones


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
            binds = any(e.config & LOCKED and e.config & KIND for e in pmp.entries)
            self._dut.io_pmp_bindsMachine.value = int(binds)
        for i, entry in enumerate(pmp.entries):
            napot = entry.kind == NAPOT
            values = {
                "address": entry.address,
                "mask": (2 << trailing_ones(entry.address)) - 1 if napot else 0,
                "tor": entry.kind == TOR,
                "aligned": entry.config & KIND in (NA4, NAPOT),
                "read": bool(entry.config & READ),
                "write": bool(entry.config & WRITE),
                "execute": bool(entry.config & EXECUTE),
                "locked": bool(entry.config & LOCKED),
            }
            for name, value in values.items():
                getattr(self._dut, f"io_pmp_entries_{i}_{name}").value = int(value)
