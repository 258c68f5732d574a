"""The signals of the MMU's ports and how they are encoded, for every bench that drives them."""

from dataclasses import dataclass

from model import Access, Kind
from model.tlbi import Invalidation
from model.tlbi import Kind as InvalidateKind
from support.parts import Pins

# Encoding of granule.port.Access.
READ, WRITE, EXECUTE, ATOMIC = range(4)
ACCESS = {Kind.READ: READ, Kind.WRITE: WRITE, Kind.EXECUTE: EXECUTE, Kind.ATOMIC: ATOMIC}

ALL, ASID, VA, VA_ALL, RANGE, RANGE_ALL = InvalidateKind


@dataclass(frozen=True)
class Answer:
    """What the translate port said. With fault, only status, wnr and dirty mean anything.

    fired   cycle in which the command was answered; cycles: how many it waited before, 0 for a hit.
    """

    fault: bool
    pa: int
    mair: int
    cacheable: bool
    device: bool
    status: int
    wnr: bool
    dirty: bool
    fired: int
    cycles: int

    def __str__(self) -> str:
        if self.fault:
            return f"fsc={self.status:#04x} wnr={self.wnr:d}"
        return f"pa={self.pa:#x} attr={self.mair:#04x}"


# What a port says, without `fired` and `cycles`, as it is named there.
RESPONSE = {"fault": bool, "pa": int, "attributes_mair": int, "attributes_cacheable": bool,
            "attributes_device": bool, "status": int, "wnr": bool, "dirty": bool}  # fmt: skip


class TranslateSignals:
    """The signals of one translate port (`fetch` or `data`)."""

    def __init__(self, dut, name: str):
        pins = Pins(dut, f"io_{name}")
        self.valid, self.ready = map(pins.handle, ("cmd_valid", "cmd_ready"))
        self._cmd = {
            key: pins.handle(f"cmd_payload_{key}")
            for key in ("va", "access", "el1", "pan", "mxr", "untranslated")
        }
        machine = getattr(dut, f"io_{name}Machine", None)  # only protection looks at it
        self._machine = [machine] if machine is not None else []
        self._rsp = {
            signal.removeprefix("attributes_"): (kind, pins.handle(f"rsp_{signal}"))
            for signal, kind in RESPONSE.items()
        }
        self._ahead_valid, self._ahead = map(pins.handle, ("ahead_valid", "ahead_payload"))
        self.valid.value = self._ahead_valid.value = 0

    def command(self, access: Access, *, untranslated: bool = False) -> None:
        self.drive(va=access.va, access=ACCESS[access.kind], el1=access.el, pan=access.pan,
                   mxr=access.mxr, untranslated=untranslated)  # fmt: skip

    def drive(self, **fields) -> None:
        """The fields of a command, each as a number."""
        for key, handle in self._cmd.items():
            handle.value = int(fields[key])
        for handle in self._machine:
            handle.value = int(fields.get("machine", fields["untranslated"]))

    def announce(self, va: int | None) -> None:
        """Tells the address of the next command; None: there is nothing to tell."""
        self._ahead_valid.value = int(va is not None)
        if va is not None:
            self._ahead.value = va

    def answer(self, cycle: int, since: int) -> Answer:
        """What is said in `cycle` to a command that was driven at `since`."""
        rsp = {name: kind(int(handle.value)) for name, (kind, handle) in self._rsp.items()}
        return Answer(**rsp, fired=cycle, cycles=cycle - since - 1)


class InvalidateSignals:
    """The signals of an invalidation port."""

    def __init__(self, dut, prefix: str = "io_invalidate"):
        pins = Pins(dut, prefix)
        self.valid, self.ready, self.done = map(pins.handle, ("cmd_valid", "cmd_ready", "done"))
        self._cmd = {
            key: pins.handle(f"cmd_payload_{key}")
            for key in ("kind", "lastLevelOnly", "operand", "ds")
        }
        self.valid.value = 0

    def command(self, op: Invalidation) -> None:
        values = (op.kind, op.last_level, op.operand, op.ds)
        for handle, value in zip(self._cmd.values(), values, strict=True):
            handle.value = int(value)
