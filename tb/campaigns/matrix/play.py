"""Plays the directed scenarios on the RTL: which cells they reach, and whether each answer was one
that the tables allow."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from campaigns.litmus.script import FAULT
from campaigns.matrix.cells import Cell, printed
from campaigns.matrix.scenarios import ABORT, ENTRIES, Event, World
from campaigns.soak.build import run
from support.run import SIM

LEADS = range(-40, 9)


@dataclass
class Result:
    """runs; cells that were reached; what is wrong, a line each."""

    runs: int = 0
    cells: set[Cell] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        self.runs += other.runs
        self.cells |= other.cells
        self.wrong += other.wrong


def _answer(value: int) -> int:
    """The word that was read; of an external abort, FAULT."""
    return FAULT if value & FAULT and (value ^ FAULT) & ~3 == ABORT else value


def _judge(event: Event, name: str, line: str) -> str | None:
    delays, end = line.split("=")
    first, then, beside = (_answer(int(word, 16)) for word in end.split("/")[0].split())
    if first in event.first and then in event.then and event.beside in (None, beside):
        return None
    lead = delays.split()[1]
    return (f"{event.name} on {name}, lead {lead}: answers {first:#x} and then {then:#x}, "
            f"a fetch {beside:#x}")  # fmt: skip


def play(player: Path, name: str) -> Result:
    """All events on the entries of that name."""
    result = Result()
    for accessed in (False, True):
        world = World(ENTRIES[name], accessed)
        for number, event in enumerate(world.events()):
            work = SIM / "matrix" / player.parent.name / f"{name}_{accessed:d}_{number}"
            ran = run(player, world.script(event, LEADS), work, "matrix", agents=number)
            where = f"{event.name} on {name}"
            if ran.error:
                raise RuntimeError(f"{where}: {ran.error}")
            result.runs += sum(int(line.split()[0]) for line in ran.answers)
            result.cells |= printed(ran.said)
            result.wrong += filter(None, (_judge(event, name, line) for line in ran.answers))
            result.wrong += [f"{where}: a check in the RTL: {check}" for check in ran.checks]
    return result


def play_all(player: Path, jobs: int, names: Iterable[str] = ENTRIES) -> Result:
    """Scenarios on the entries of these names."""
    total = Result()
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda name: play(player, name), names):
            total.add(result)
    return total
