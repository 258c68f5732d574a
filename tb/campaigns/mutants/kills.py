"""make kills: which tests of units notice which defect of the RTL, into docs/data/kills.json. Each
defect meets each module of tests on each build that has it; SLICE=2/7 takes every seventh defect
from the second on, and what was not run keeps its row.

A module whose tests notice no defect that others do not is a candidate for going, or for a defect.
"""

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import click

from campaigns.mutants import run, schemata
from campaigns.mutants.schemata import NUMBERS
from support import results
from support.on import On
from support.root import ROOT
from unit.places import places

FILE = ROOT / "docs" / "data" / "kills.json"
HANGS = "(does not end)"


@dataclass(frozen=True)
class Cell:
    """A defect, and a module of tests where it runs."""

    defect: str
    module: str
    on: On

    @property
    def key(self) -> str:
        return f"{self.module}@{'/'.join(filter(None, (self.on.unit, self.on.part)))}"


def cells(defects: list[str], units: frozenset[str] = frozenset()) -> Iterator[Cell]:
    """On the builds in which the defect is, of these `units` if there are any."""
    for module, on in places():
        if not on.rare and (not units or on.unit in units):
            text = schemata.verilog(on.unit).read_text()
            there = {int(n, 16) for n in re.findall(r"_number == 10'h(\w+)", text)}
            yield from (Cell(name, module, on) for name in defects if NUMBERS[name] in there)


def noticed(cell: Cell) -> list[str]:
    """The tests of the module that fail."""
    verilog = schemata.verilog(cell.on.unit)
    try:
        return sorted(run.failing(verilog, cell.module, cell.on, NUMBERS[cell.defect]))
    except run.NoEnd:
        return [HANGS]


def alone(kills: dict[str, dict[str, list[str]]]) -> dict[str, int]:
    """By module: how many defects it notices, and no other does."""
    found = dict.fromkeys(sorted({key for row in kills.values() for key in row}), 0)
    for row in kills.values():
        by = [key for key, tests in row.items() if tests]
        if len(by) == 1:
            found[by[0]] += 1
    return found


def part_of(names: list[str], slice_: str) -> list[str]:
    first, _, step = slice_.partition("/")
    return names[int(first) - 1 :: int(step)]


@click.command(help=__doc__)
@click.option("--slice", "slice_", default="1/1", help="K/N: every Nth defect from the Kth on")
@click.option("--unit", "units", multiple=True, help="only builds of this unit; several times")
@click.option("--jobs", default=2, show_default=True, help="processes")
def main(slice_: str, units: tuple[str, ...], jobs: int) -> None:
    kills = json.loads(FILE.read_text())["kills"] if FILE.exists() else {}
    kills = {name: row for name, row in kills.items() if name in NUMBERS}
    todo, start = list(cells(part_of([*NUMBERS], slice_), frozenset(units))), time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        for count, (cell, tests) in enumerate(zip(todo, pool.map(noticed, todo), strict=True), 1):
            kills.setdefault(cell.defect, {})[cell.key] = tests
            if count % 20 == 0 or count == len(todo):
                click.echo(f"[{count}/{len(todo)}] {time.monotonic() - start:.0f} s")
                document = {"commit": results.commit(), "kills": dict(sorted(kills.items()))}
                FILE.write_text(results.by_lines(document))
    unseen = sorted(name for name in kills if not any(kills[name].values()))
    click.echo(f"kills: {len(todo):,} cells; noticed by no module: {', '.join(unseen) or 'none'}")
    for key, count in alone(kills).items():
        click.echo(f"{count:4d} alone  {key}")
