"""The states in which an access can wait, as the Verilog has them, and those that a configuration
never waits in, each with its reason."""

from dataclasses import dataclass

from campaigns.changes.worlds import Machine
from campaigns.soak.watched import Signal

FETCH, DATA, AT = 1, 2, 4  # of `waits`
OWNERS = {"fetch": FETCH, "data": DATA, "at": AT}  # units that only one kind of access asks


@dataclass(frozen=True)
class States:
    signals: tuple[Signal, ...]

    def of(self, waits: int, values: list[int]) -> list[str]:
        """Those of a cycle in which accesses wait."""
        if not waits:
            return []
        return [
            f"{signal.unit}: {signal.names[value]}"
            for signal, value in zip(self.signals, values, strict=True)
            if value in signal.names and waits & OWNERS.get(signal.unit, waits)
        ]

    def every(self) -> list[str]:
        return [
            f"{signal.unit}: {name}" for signal in self.signals for name in signal.names.values()
        ]


def impossible(state: str, machine: Machine) -> str | None:
    """Why nothing waits in the state."""
    unit, name = state.split(": ")
    updates = machine.features.hafdbs > 0
    if unit.startswith("walker") and name == "swapping" and not updates:
        return "hardware updates nothing"
    if unit.startswith("walker") and name == "check" and not (updates or machine.at):
        return "no update is there, and no AT"
    if unit == "at" and name == "done":
        return "AT is answered in it"
    if unit == "at" and machine.block:
        return "AT is asked for through a register there"
    return None
