"""What a stream owes its receiver: VALID, once asserted, stays until READY, and nothing that goes
with it changes meanwhile (AXI A3.2.1; SpinalHDL's Stream as this project uses it)."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from cocotb.triggers import FallingEdge, ReadOnly

# Ports by their names: io_NAME_valid with io_NAME_payload..., or an AXI channel.
_STREAM = re.compile(r"(io_\w+)_valid")
_CHANNEL = re.compile(r"(\w+_(?:aw|w|b|ar|r))valid")


class Stream:
    """One port: handles of valid and ready, and of what must stand still, by name."""

    def __init__(self, name: str, valid, ready, payload: dict):
        self.name, self.valid, self.ready, self.payload = name, valid, ready, payload
        self.offered: dict | None = None  # what was offered in the cycle before and not taken

    def look(self) -> None:
        """At the end of a cycle."""
        valid = bool(self.valid.value)
        if self.offered is not None:
            assert valid, f"{self.name}: VALID was withdrawn before READY"
            for field, before in self.offered.items():
                now = self.payload[field].value
                assert now == before, f"{self.name}: {field} changed from {before} to {now}"
        self.offered = None
        if valid and not self.ready.value:
            self.offered = {field: handle.value for field, handle in self.payload.items()}


def ports_of(verilog: str, module: str, direction: str = r"\w+") -> list[str]:
    """Names of the module's ports: signals inside of it may have names like them."""
    head = re.search(rf"^module {module} \((.*?)^\);", verilog, re.M | re.S)
    return re.findall(rf"^ *{direction} .*?(\w+),?$", head[1], re.M)


def streams_of(signals: dict) -> list[Stream]:
    """All ports among the signals, by name, that have a valid and a ready."""
    found = []
    for name, valid in signals.items():
        stream, channel = _STREAM.fullmatch(name), _CHANNEL.fullmatch(name)
        if not (stream or channel):
            continue
        base = (stream or channel)[1]
        ready = signals.get(f"{base}_ready" if stream else f"{base}ready")
        if ready is None:
            continue
        prefix = f"{base}_payload" if stream else base
        payload = {n: s for n, s in signals.items() if n.startswith(prefix) and s is not valid}
        payload.pop(f"{base}ready", None)
        found.append(Stream(base, valid, ready, payload))
    return found


class StreamMonitor:
    """Watches every port of a unit, in both directions. `may_withdraw`: by the name of a port,
    tells whether what is offered in this cycle may go again, if its contract has such a case."""

    def __init__(self, signals: dict, may_withdraw: dict[str, Callable[[], bool]] | None = None):
        self.streams = streams_of(signals)
        self.may_withdraw = may_withdraw or {}
        unknown = set(self.may_withdraw) - {stream.name for stream in self.streams}
        assert not unknown, f"no such ports: {unknown}"

    @classmethod
    def of(cls, dut, **options) -> "StreamMonitor":
        text = Path(os.environ["GRANULE_VERILOG"]).read_text()
        return cls({name: getattr(dut, name) for name in ports_of(text, dut._name)}, **options)

    def look(self) -> None:
        for stream in self.streams:
            stream.look()
            if stream.offered is not None and self.may_withdraw.get(stream.name, bool)():
                stream.offered = None

    def forget(self) -> None:
        """Reset: nothing is owed."""
        for stream in self.streams:
            stream.offered = None

    async def run(self, clk, reset) -> None:
        """For benches without a loop of their own."""
        middle, settled = FallingEdge(clk), ReadOnly()
        while True:
            await middle
            await settled
            if reset.value:
                self.forget()
            else:
                self.look()
