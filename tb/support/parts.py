"""A part of a unit by itself: clock and reset."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

_clock = None  # of the test that runs: cocotb ends it with the test


async def start(dut, **inputs) -> None:
    """Clock and reset; `inputs` have these values from the beginning. It ends in the middle of a
    cycle, which is where inputs change and outputs are read. A test may start its part again."""
    global _clock  # noqa: PLW0603
    for name, value in inputs.items():
        getattr(dut, name).value = value
    dut.reset.value = 1
    if _clock is None or _clock.done():
        _clock = cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.reset.value = 0
    await FallingEdge(dut.clk)


async def settle() -> None:
    """Combinational outputs follow the inputs."""
    await Timer(1, "ps")
