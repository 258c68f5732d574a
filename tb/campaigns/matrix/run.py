"""`make matrix`: every cell of event x time x entry, and whether the RTL was seen in it.

Exit status: 0 every cell that can exist was reached, 1 one was not, or an answer was wrong.
"""

import sys
import time
from collections import Counter

import click
from rich.console import Console
from rich.table import Table

from campaigns.matrix.cells import Cell, every, impossible, sides
from campaigns.matrix.play import play_all
from campaigns.soak.build import harness
from support import results
from support.run import built

CONFIG = "teaching"
REACHED, ABSENT, MISSED = "x", "-", "[red]NOT"


def missing(cells: set[Cell]) -> list[Cell]:
    return [c for c in every() if c not in cells and not impossible(c)]


def wrongly_impossible(cells: set[Cell]) -> list[Cell]:
    return [c for c in every() if c in cells and impossible(c)]


def _mark(cell: Cell, cells: set[Cell]) -> str:
    return REACHED if cell in cells else ABSENT if impossible(cell) else MISSED


def table(cells: set[Cell]) -> Table:
    """A row for each event and time, a column for each entry."""
    grid = Table(title="event x time x entry: x reached, - cannot exist", show_lines=False)
    entries = list(sides()["entries"])
    for name in ("event", "time", *entries):
        grid.add_column(name, justify="left" if name in ("event", "time") else "center")
    for event in sides()["events"]:
        for when in sides()["times"]:
            row = [Cell(event, when, entry) for entry in entries]
            marks = [_mark(c, cells) for c in row]
            if set(marks) != {ABSENT}:
                grid.add_row(event, when, *marks)
        grid.add_section()
    return grid


@click.command()
@click.option("--config", default=CONFIG, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="processes")
def main(config: str, jobs: int) -> None:
    """Play the directed scenarios and show which cells of the matrix the RTL was in."""
    built("build/include/.ready")
    start = time.monotonic()
    result = play_all(harness(config), jobs)
    console = Console(width=160)
    console.print(table(result.cells))
    reasons = Counter(filter(None, map(impossible, every())))
    for reason, count in reasons.most_common():
        console.print(f"{count:5,} cells cannot exist: {reason}")
    holes, wrong = missing(result.cells), list(result.wrong)
    wrong += [f"reached although called impossible: {' '.join(c)}"
              for c in wrongly_impossible(result.cells)]  # fmt: skip
    for cell in holes:
        click.echo(f"not reached: {' '.join(cell)}", err=True)
    for line in wrong:
        click.echo(f"wrong: {line}", err=True)
    absent = reasons.total()
    possible = len(every()) - absent
    reached = possible - len(holes)
    click.echo(f"matrix: {reached:,} of {possible:,} cells reached, {absent:,} cannot exist; "
               f"{result.runs:,} runs, {len(wrong)} wrong, "
               f"{time.monotonic() - start:.0f} s")  # fmt: skip
    figures = {"reached": reached, "cells": possible, "impossible": dict(reasons),
               "runs": result.runs, "wrong": len(wrong)}  # fmt: skip
    results.write("matrix", config, figures, command="make matrix")
    sys.exit(bool(holes or wrong))
