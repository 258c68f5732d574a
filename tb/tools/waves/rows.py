"""What a timing diagram shows of a unit, and how that is followed. A recording is JSON: of each
scenario its cycles, and of each row its changes; null where it means nothing."""

import json
import os
from collections.abc import Awaitable, Callable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge

IDLE = 20  # cycles in which all that a preparation began comes to its end


class Row(NamedTuple):
    """A line of a diagram: its name, its signal in the unit, and the bits (or with `!` their
    opposites) without which the signal means nothing. `bit`: drawn as a line, else as boxes with
    the value in them, of which `mask` leaves what fits."""

    name: str
    signal: str
    when: tuple[str, ...] = ()
    bit: bool = False
    mask: int = -1


def bit(name: str, signal: str, *when: str) -> Row:
    return Row(name, signal, when, bit=True)


def value(name: str, signal: str, *when: str, mask: int = -1) -> Row:
    return Row(name, signal, when, mask=mask)


Act = Callable[..., Awaitable[None]]


class Scenario(NamedTuple):
    """`play` is recorded until it returns; the unit is idle before, as `prepare` left it."""

    title: str
    rows: tuple[Row, ...]
    play: Act
    prepare: Act | None = None


def value_of(dut, row: Row) -> int | str | None:
    for gate in row.when:
        is_set = bool(int(attrgetter(gate.removeprefix("!"))(dut).value))
        if is_set == gate.startswith("!"):
            return None
    handle = attrgetter(row.signal)(dut)
    if not row.signal.endswith("_string"):
        return int(handle.value) & row.mask
    return handle.value.to_unsigned().to_bytes(len(handle) // 8, "big").decode().strip()


async def follow(dut, rows: tuple[Row, ...], recorded: dict) -> None:
    """What the rows of a diagram say in the middle of each cycle, when all has settled."""
    recorded |= {"cycles": 0, "changes": {row.name: [] for row in rows}}
    while True:
        await FallingEdge(dut.clk)
        for row in rows:
            value, changes = value_of(dut, row), recorded["changes"][row.name]
            if not changes or changes[-1][1] != value:
                changes.append([recorded["cycles"], value])
        recorded["cycles"] += 1


async def record(dut, scenarios: dict[str, Scenario], world: Act) -> None:
    """Into RESULT. `world` makes what `prepare` and `play` of each scenario are given."""
    recorded = {}
    for name, scenario in scenarios.items():
        things = await world()
        if scenario.prepare:
            await scenario.prepare(*things)
        await ClockCycles(dut.clk, IDLE)
        recording = cocotb.start_soon(follow(dut, scenario.rows, recorded.setdefault(name, {})))
        await scenario.play(*things)
        await ClockCycles(dut.clk, 1)
        recording.cancel()
    Path(os.environ["RESULT"]).write_text(json.dumps(recorded))
