"""A student's file of Scala in the RTL: compiled, written as Verilog, simulated by Verilator."""

import hashlib
import html
import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from labs import machine, scala
from labs.lab import Check, Handin, Trouble
from support.root import ROOT

QUIET = {"COCOTB_LOG_LEVEL": "ERROR", "GPI_LOG_LEVEL": "ERROR"}
SOURCES = ROOT / "rtl/src/granule"


def changed(text: str, *changes: tuple[str, str]) -> str:
    """With other texts in it, of which each was there once."""
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"'{old}' is there {text.count(old)} times, must be once")
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Place:
    """Where the file `student` goes: in the copy of `file` of the RTL, each text of `changes` gives
    way to the one beside it. `unit` is generated, and its module `top` simulated by the cocotb
    module `player`."""

    student: str
    file: str
    changes: tuple[tuple[str, str], ...]
    unit: str
    top: str
    player: str

    def compiled(self, handin: Handin) -> None:
        work = machine.work(handin)
        ours = work / Path(self.file).name
        ours.write_text(changed((SOURCES / self.file).read_text(), *self.changes))
        scala.compiled([machine.source(handin, self.student), ours], work / "classes")

    def generated(self, handin: Handin) -> None:
        work = machine.work(handin)
        scala.generated(work / "classes", self.unit, work, self.student)

    def built(self, what: str) -> tuple[Check, Check]:
        """The parts that want nothing but the unit with the student's file in it."""
        return (
            Check("compiles", 1, f"{self.student} compiles", self.compiled, ()),
            Check("verilog", 1, what, self.generated),
        )

    def play(self, handin: Handin, plan: Sequence) -> list:
        """What the player notes about each step of the plan."""
        from support.run import SIM, run_unit  # noqa: PLC0415 (it needs tools that build the RTL)

        work = machine.work(handin)
        name, config = self.unit.split(":")
        who = hashlib.sha256(str(handin.folder).encode()).hexdigest()[:12]
        verilog = work / f"{name}_{who}.v"
        shutil.copyfile(work / f"{name}_{config}.v", verilog)
        asked, noted = work / "plan.json", work / "noted.json"
        asked.write_text(json.dumps(plan))
        noted.unlink(missing_ok=True)
        environment = QUIET | {"LAB_PLAN": str(asked), "LAB_NOTED": str(noted)}
        results = SIM / "results" / f"{self.player}.{verilog.stem}"
        try:
            with (work / "simulation.log").open("w") as log, redirect_stdout(log):
                run_unit(self.top, self.player, config, source=verilog, extra_env=environment)
        except (AssertionError, SystemExit):
            raise Trouble(f"the simulation failed: {failure(results / 'results.xml')}") from None
        finally:
            for folder in (SIM / verilog.stem, results):
                shutil.rmtree(folder, ignore_errors=True)
        return json.loads(noted.read_text())


def failure(report: Path) -> str:
    """The first thing that a simulation says has gone wrong."""
    text = report.read_text() if report.is_file() else ""
    found = re.search(r'<failure message="([^"]*)"', text)
    return html.unescape(found[1]) if found else "Verilator does not build it"


def once(play: Callable[[Handin], list]) -> Callable[[Handin], list]:
    """All parts of a hand-in look at the notes of one simulation."""
    notes: dict[tuple[Path, int], list] = {}

    def look(handin: Handin) -> list:
        key = (handin.folder, os.stat(handin.folder / "build" / "classes").st_ctime_ns)
        if key not in notes:
            notes[key] = play(handin)
        return notes[key]

    return look
