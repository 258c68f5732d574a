"""`make coverage`: what the soak and conformance runs have covered, as a table.

Exit status: 0 every reachable bin was hit, 1 there are holes, 2 there is nothing to look at.
"""

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import click

from campaigns.coverage import store
from campaigns.coverage.bins import Bin
from campaigns.coverage.universe import Reach, crosses
from cases.shapes import SHAPES, Shape
from model import Features
from support import results
from support.configurations import CONFIGURATIONS

HOLES_SHOWN = 40


@dataclass
class Report:
    """Of one shape. `wrong`: bins that were hit although they are called unreachable."""

    shape: Shape
    cells: dict[tuple, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    holes: list[Bin] = field(default_factory=list)
    unreachable: Counter = field(default_factory=Counter)
    wrong: list[Bin] = field(default_factory=list)
    total: int = 0


def examine(shape: Shape, features: Features, hits: Counter) -> Report:
    reach, report = Reach(shape, features), Report(shape)
    for b in crosses(shape):
        reason = reach.unreachable(b)
        if reason:
            report.unreachable[reason] += 1
            if hits[b]:
                report.wrong.append(b)
            continue
        report.total += 1
        cell = report.cells[b.start, b.level, b.kind]
        cell[1] += 1
        if hits[b]:
            cell[0] += 1
        else:
            report.holes.append(b)
    return report


def _column(key: tuple) -> str:
    _, level, kind = key
    return kind if level is None else f"L{level} {kind}"


def show(report: Report) -> None:
    """One line for each start level: hit and reachable results x accesses x ELs of each end."""
    hit = report.total - len(report.holes)
    click.echo(f"\n{report.shape.name}: {hit:,} of {report.total:,} bins hit")
    for start in sorted({key[0] for key in report.cells}, key=lambda n: -9 if n is None else n):
        ends = sorted((k for k in report.cells if k[0] == start), key=lambda k: (k[1] or 0, k[2]))
        line = "  ".join(f"{_column(key)} {report.cells[key][0]}/{report.cells[key][1]}"
                         for key in ends)  # fmt: skip
        click.echo(f"  {'before a read' if start is None else f'start L{start}':14s} {line}")
    for reason, count in report.unreachable.most_common():
        click.echo(f"  {count:6,} unreachable: {reason}")


def named(b: Bin) -> str:
    where = "before a read" if b.start is None else f"start L{b.start}, ends L{b.level}"
    granule = f"{1 << b.granule - 10}K"
    return f"{b.format} {granule}, {where}, {b.kind}, {b.result}, access {b.access}, EL{b.el}"


@click.command()
@click.option("--config", default="wide", type=click.Choice([*CONFIGURATIONS]))
def main(config: str) -> None:
    """Show which bins of functional coverage the recorded runs have hit."""
    hits, runs = store.load(config)
    if not runs:
        click.echo(f"coverage: no run has been recorded for '{config}'; make soak first", err=True)
        sys.exit(2)
    features = CONFIGURATIONS[config].features
    click.echo(f"coverage of configuration {config} by {len(runs)} runs: {', '.join(runs[-6:])}")
    click.echo("each entry: bins hit/reachable, over results x accesses x exception levels")
    reports = [
        examine(s, features, hits) for s in SHAPES.values() if s.single and s.present(features)
    ]
    for report in reports:
        show(report)
    holes = [b for report in reports for b in report.holes]
    wrong = [b for report in reports for b in report.wrong]
    for text, bins in (("hole", holes), ("hit although called unreachable", wrong)):
        for b in bins[:HOLES_SHOWN]:
            click.echo(f"{text}: {named(b)}", err=True)
    total = sum(report.total for report in reports)
    click.echo(f"\n{total - len(holes):,} of {total:,} bins hit, {len(holes):,} holes")
    figures = {r.shape.name: {"bins": r.total, "hit": r.total - len(r.holes),
                              "unreachable": sum(r.unreachable.values())}
               for r in reports}  # fmt: skip
    results.write("coverage", config, figures, command="make soak coverage")
    sys.exit(1 if holes or wrong else 0)
