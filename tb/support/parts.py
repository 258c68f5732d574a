"""A part of a unit by itself: clock, reset and its signals."""

import os
from functools import cache
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

from support.streams import ports_of

PERIOD_NS = 10
_clock = None  # of the test that runs: cocotb ends it with the test


async def start(dut, **inputs) -> None:
    """Clock and reset; `inputs` have these values from the beginning. It ends in the middle of a
    cycle, which is where inputs change and outputs are read. A test may start its part again."""
    global _clock  # noqa: PLW0603
    for name, value in inputs.items():
        getattr(dut, name).value = value
    dut.reset.value = 1
    if _clock is None or _clock.done():
        _clock = cocotb.start_soon(Clock(dut.clk, PERIOD_NS, "ns").start())
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.reset.value = 0
    await FallingEdge(dut.clk)


@cache
def _inputs(verilog: Path, module: str) -> frozenset[str]:
    return frozenset(ports_of(verilog.read_text(), module, "input")) - {"clk", "reset"}


def low(dut) -> dict[str, int]:
    """Every input as 0."""
    return dict.fromkeys(_inputs(Path(os.environ["GRANULE_VERILOG"]), dut._name), 0)


class Pins:
    """Signals by what is behind `prefix` in their names."""

    def __init__(self, dut, prefix: str = "io"):
        self.dut, self._prefix, self._handles = dut, prefix, {}

    @classmethod
    async def start(cls, dut, *args, **how):
        """Started with all inputs 0, and made by the class's own arguments."""
        await start(dut, **low(dut))
        return cls(dut, *args, **how)

    def handle(self, name: str):
        if name not in self._handles:
            self._handles[name] = getattr(self.dut, f"{self._prefix}_{name}")
        return self._handles[name]

    def get(self, name: str) -> int:
        return int(self.handle(name).value)

    def put(self, **values) -> None:
        for name, value in values.items():
            self.handle(name).value = value


async def until(dut, condition, what: str, limit: int = 1000) -> int:
    """Cycles until the condition holds in the middle of one."""
    for cycles in range(limit):
        if condition():
            return cycles
        await FallingEdge(dut.clk)
    raise AssertionError(f"{what}: not within {limit} cycles")


async def settle() -> None:
    """Combinational outputs follow the inputs."""
    await Timer(1, "ps")
