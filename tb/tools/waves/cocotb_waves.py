"""Plays the scenarios on the unit `mmu` and writes what the rows of their diagrams say.

RESULT: the file, as JSON: of each scenario its cycles, and of each row its changes; null where it
means nothing.
"""

import json
import os
from pathlib import Path

import cocotb
from cocotb.triggers import ClockCycles, FallingEdge

from drivers.mmu_driver import MmuDriver
from tools.waves.scenarios import SCENARIOS, Row, world

IDLE = 20  # cycles in which all that a preparation began comes to its end


class Recorder:
    """What the rows of a diagram say in the middle of each cycle, when all has settled."""

    def __init__(self, dut, rows: tuple[Row, ...]):
        self._dut, self._rows = dut, rows
        self.cycles = 0
        self.changes: dict[str, list] = {row.name: [] for row in rows}

    def _handle(self, signal: str):
        handle = self._dut
        for part in signal.split("."):
            handle = getattr(handle, part)
        return handle

    def _is_set(self, gate: str) -> bool:
        value = int(self._handle(gate.removeprefix("!")).value)
        return bool(value) != gate.startswith("!")

    def _value(self, row: Row) -> int | str | None:
        if not all(self._is_set(gate) for gate in row.when):
            return None
        handle = self._handle(row.signal)
        if not row.signal.endswith("_string"):
            return int(handle.value)
        return handle.value.to_unsigned().to_bytes(len(handle) // 8, "big").decode().strip()

    async def run(self) -> None:
        while True:
            await FallingEdge(self._dut.clk)
            for row in self._rows:
                value, changes = self._value(row), self.changes[row.name]
                if not changes or changes[-1][1] != value:
                    changes.append([self.cycles, value])
            self.cycles += 1


@cocotb.test()
async def record(dut):
    bench = await MmuDriver.start(dut)
    recorded = {}
    for name, scenario in SCENARIOS.items():
        space = await world(bench)
        if scenario.prepare:
            await scenario.prepare(bench, space)
        dut.io_data_cmd_payload_access.value = 0
        await ClockCycles(dut.clk, IDLE)
        recorder = Recorder(dut, scenario.rows)
        recording = cocotb.start_soon(recorder.run())
        await scenario.play(bench, space)
        await ClockCycles(dut.clk, 1)
        recording.cancel()
        recorded[name] = {"cycles": recorder.cycles, "changes": recorder.changes}
    Path(os.environ["RESULT"]).write_text(json.dumps(recorded))
