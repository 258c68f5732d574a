"""`make changes`: register inputs of the MMU change in every cycle of every access that waits.

Exit status: 0 every answer was one of those that the tables allow, and an access waited in every
state that it can wait in; 1 not so.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from campaigns.changes.oracle import Oracle
from campaigns.changes.play import MODES, OF_A_HASHED_TABLE, Mode, Player, Result
from campaigns.changes.states import States, impossible
from campaigns.changes.worlds import Machine, World, worlds
from campaigns.soak import watched
from campaigns.soak.build import harness
from support import results
from support.configurations import features_of
from support.run import verilog

UNITS = ("mmu:teaching", "mmu:ulx3s", "mmu:small", "mmu:wide", "mmu:teaching_main",
         "mmu:vmsa48_main", "mmu:teaching_hashed", "mmuip:teaching", "mmuip:wide")  # fmt: skip

# What `make test` plays of a unit: a world, and of its changes those of these names; in which mode,
# and in how many runs an access waits while a register changes.
SHORT = [
    ("mmu:teaching", "closes 24", ["PMP"], 0, 101),
    ("mmu:teaching", "reshapes", ["PMP"], 0, 101),
    ("mmu:teaching", "vmsa 12 14", ["SCTLR.M", "TTBR0", "MAIR", "PMP"], 0, 101),
    ("mmu:teaching", "sv32 off", ["satp.MODE"], 0, 94),
    ("mmu:vmsa48_main", "vmsa 14 12", ["context", "TCR.TG0", "satp.MODE"], 4, 101),
    ("mmu:wide", "d128", ["TCR2.D128", "PIR", "context"], 0, 101),
    ("mmuip:teaching", "vmsa 12 14", ["SCTLR.M", "TTBR0"], 0, 101),
    ("mmuip:teaching", "sv32 off", ["satp.MODE"], 0, 6),
]


def machine_of(unit: str, verilog: str) -> Machine:
    top, config = unit.split(":")
    return Machine(
        features_of(config), protected="io_pmp_entries_0_address" in verilog,
        at="io_at_valid" in verilog and top == "mmu", hashed=" io_htab," in verilog,
        block=top == "mmuip",
    )  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """A unit with its program, and what it has as its Verilog shows."""

    unit: str
    program: Path
    states: States
    machine: Machine

    @classmethod
    def of(cls, unit: str, source: Path | None = None, *, brief: bool = False) -> "Bench":
        top, config = unit.split(":")
        source = source or verilog(top, config)
        text = source.read_text()
        states = States(tuple(watched.signals(text, top)))
        program = harness(config, unit=top, source=source, brief=brief)
        return cls(unit, program, states, machine_of(unit, text))

    def play(self, world: World, modes: tuple[Mode, ...]) -> Result:
        oracle = Oracle(self.machine.features, self.machine.protected, self.machine.block)
        return Player(self.program, world, oracle, self.states).play(modes)

    def unmet(self, result: Result) -> list[str]:
        """States that an access can wait in, and did not."""
        met = {state for _, state in result.met}
        return [state for state in self.states.every() if state not in met
                and not self.impossible(state)]  # fmt: skip

    def impossible(self, state: str) -> str | None:
        return impossible(state, self.machine)


def world_of(bench: Bench, name: str, changes: list[str]) -> World:
    world = next(w for w in worlds(bench.machine) if w.name == name)
    world.changes = [change for change in world.changes if change.name in changes]
    return world


def play_short(bench: Bench, name: str, changes: list[str], mode: int) -> Result:
    return bench.play(world_of(bench, name, changes), (MODES[mode],))


def _play(bench: Bench, name: str) -> tuple[str, Result]:
    world = next(w for w in worlds(bench.machine) if w.name == name)
    return bench.unit, bench.play(world, MODES + OF_A_HASHED_TABLE * bench.machine.hashed)


def play_all(benches: list[Bench], jobs: int) -> dict[str, Result]:
    """By unit."""
    total = {bench.unit: Result() for bench in benches}
    work = [(bench, world.name) for bench in benches for world in worlds(bench.machine)]
    with ProcessPoolExecutor(jobs) as pool:
        for unit, result in pool.map(_play, *zip(*work, strict=True)):
            total[unit].add(result)
    return total


def table(bench: Bench, result: Result) -> Table:
    """Of each state, how many of the changes met an access that waited in it."""
    names = list(dict.fromkeys(change for change, _ in sorted(result.met)))
    grid = Table(title=f"{bench.unit}: changes that met an access in each state")
    for column in ("state", "changes", "runs", "not with"):
        grid.add_column(column)
    for state in bench.states.every():
        counts = {name: result.met[name, state] for name in names}
        missing = [name for name, count in counts.items() if not count]
        reason = bench.impossible(state)
        there = f"{len(names) - len(missing)} of {len(names)}"
        note = reason or (", ".join(missing) if len(missing) < len(names) else "[red]NEVER")
        grid.add_row(state, "-" if reason else there, f"{sum(counts.values()):,}", note)
    return grid


def figures(benches: list[Bench], total: dict[str, Result]) -> list[dict]:
    rows = []
    for bench in benches:
        result = total[bench.unit]
        met: dict[str, dict[str, int]] = {}
        for (change, state), count in sorted(result.met.items()):
            met.setdefault(state, {})[change] = count
        rows.append({"unit": bench.unit, "runs": result.runs, "waited": result.waited,
                     "wrong": len(result.wrong), "never": bench.unmet(result),
                     "met": met})  # fmt: skip
    return rows


@click.command()
@click.option("--unit", "units", multiple=True, default=UNITS, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="processes")
def main(units: tuple[str, ...], *, jobs: int) -> None:
    """Change each register input in each cycle of each access that waits."""
    start = time.monotonic()
    benches = [Bench.of(unit) for unit in units]
    total = play_all(benches, jobs)
    failures = 0
    for bench in benches:
        result, unmet = total[bench.unit], bench.unmet(total[bench.unit])
        Console(width=160).print(table(bench, result))
        for line in result.wrong:
            click.echo(f"wrong: {bench.unit}: {line}", err=True)
        for state in unmet:
            click.echo(f"never waited in: {bench.unit}: {state}", err=True)
        click.echo(f"{bench.unit}: {result.runs:,} runs, {result.waited:,} with an access that "
                   f"waited, {len(result.wrong)} wrong")  # fmt: skip
        failures += len(result.wrong) + len(unmet)
    runs = sum(result.runs for result in total.values())
    click.echo(f"changes: {runs:,} runs, {failures} failures, {time.monotonic() - start:.0f} s")
    results.write("changes", ", ".join(units), figures(benches, total), command="make changes")
    sys.exit(bool(failures))
