"""`make litmus`: the shapes on the model and on the RTL, with every combination of delays.

Exit status: 0 nothing was seen that the model does not allow, 1 something was.
"""

import sys
import time

import click
from rich.console import Console
from rich.table import Table

from campaigns.litmus.model import ends_of, text, verdict
from campaigns.litmus.play import FULL, QUICK, Result, play_all
from campaigns.litmus.shapes import SHAPES
from campaigns.soak.build import harness
from support import results
from support.seed import drawn

CONFIGS = ("teaching", "teaching_main")


def table(outcomes: dict[str, list[Result]]) -> Table:
    grid = Table(title="litmus shapes: the model's verdict, the published one, and the RTL")
    for name in ("shape", "model", "published", "ends of the model"):
        grid.add_column(name)
    for config in outcomes:
        grid.add_column(f"{config}: runs, ends, asked for")
    for i, name in enumerate(SHAPES):
        shape, ends = SHAPES[name], ends_of(name)
        cells = []
        for rows in outcomes.values():
            r = rows[i]
            seen = "[red]OUTSIDE" if r.failures() else "seen" if r.reached else "never"
            cells.append(f"{r.runs.total():9,} {len(r.runs):2} of {len(ends):2} {seen}")
        grid.add_row(name, verdict(shape, ends), shape.published, str(len(ends)), *cells)
    return grid


def figures(outcomes: dict[str, list[Result]]) -> list[dict]:
    rows = []
    for i, (name, shape) in enumerate(SHAPES.items()):
        row = {"shape": name, "meaning": shape.meaning, "model": verdict(shape, ends_of(name)),
               "published": shape.published, "ends": len(ends_of(name))}  # fmt: skip
        for config, results_ in outcomes.items():
            r = results_[i]
            row[config] = {
                "runs": r.runs.total(),
                "reached": {text(e, shape): n for e, n in r.runs.most_common()},
                "not reached": [text(e, shape) for e in r.allowed if e not in r.runs],
                "failures": r.failures(),
            }
        rows.append(row)
    return rows


@click.command()
@click.option("--config", "configs", multiple=True, default=CONFIGS, show_default=True)
@click.option("--quick", is_flag=True, help="the bounds of `make test`")
@click.option("--seed", default=None, type=int, help="of the random runs; default: a new one")
@click.option("--jobs", default=2, show_default=True, help="processes")
def main(configs: tuple[str, ...], *, quick: bool, seed: int | None, jobs: int) -> None:
    """Play every litmus shape with all combinations of delays up to a bound, then random ones."""
    seed = drawn() if seed is None else seed
    start = time.monotonic()
    outcomes = {
        config: play_all(harness(config), SHAPES, QUICK if quick else FULL, seed, jobs)
        for config in configs
    }
    Console(width=160).print(table(outcomes))
    for rows in outcomes.values():
        for r in rows:
            for end in sorted(r.allowed - set(r.runs), key=str):
                click.echo(f"allowed, not reached: {r.shape.name}: {text(end, r.shape)}")
    failures = [f"{config}: {line}" for config, rows in outcomes.items()
                for r in rows for line in r.failures()]  # fmt: skip
    for line in failures:
        click.echo(line, err=True)
    runs = sum(r.runs.total() for rows in outcomes.values() for r in rows)
    click.echo(f"litmus: {len(SHAPES)} shapes, {runs:,} runs, seed {seed}, "
               f"{len(failures)} failures, {time.monotonic() - start:.0f} s")  # fmt: skip
    results.write("litmus", ", ".join(configs), figures(outcomes), seed=seed,
                  command=f"make litmus SEED={seed}")  # fmt: skip
    sys.exit(bool(failures))
