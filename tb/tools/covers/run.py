"""`make cover-points`: the cover points of the RTL, and how many runs of the tests reached each.

Exit status: 0 all were reached, 1 some were not, 2 no test has run.
"""

import sys

import click

from support import covered


def lines(points: dict[str, str], runs: dict[str, set[str]]) -> list[str]:
    """The table: point, runs, one of them, what the point is."""
    rows = [("point", "runs", "the first one", "the unit meets this")]
    for name, meaning in points.items():
        reached = sorted(runs.get(name, ()))
        rows.append((name, str(len(reached) or "none"), *(reached[:1] or [""]), meaning))
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:3]] + [0]
    return ["  ".join(map(str.ljust, row, widths)) for row in rows]


def judge(points: dict[str, str], runs: dict[str, set[str]]) -> list[str]:
    return [
        *(f"not reached: {name}: {points[name]}" for name in points if name not in runs),
        *(f"not in CoverPoints.scala: {name}" for name in sorted(set(runs) - set(points))),
    ]


@click.command()
@click.option("--quiet", is_flag=True, help="Print only what was not reached, and a summary.")
def main(quiet: bool) -> None:
    """Show which cover points of the RTL the tests have reached since `make test` began."""
    if not (runs := covered.runs()):
        click.echo("cover-points: no test has run; make test first", err=True)
        sys.exit(2)
    points = covered.points()
    if not quiet:
        click.echo("\n".join(lines(points, runs)))
    wrong = judge(points, runs)
    for line in wrong:
        click.echo(line, err=True)
    click.echo(f"cover points of the RTL: {len(points.keys() & runs)} of {len(points)} reached")
    sys.exit(bool(wrong))
