"""`make soak`: the RTL against the golden model on random translations of every format and granule;
with --cover more of those that have not reached every bin of functional coverage.

Exit status: 0 all agree, 1 some do not (the seed and a vector file that shows it are printed).
"""

import sys
import time
from collections import Counter
from pathlib import Path

import click

from campaigns.coverage import store
from campaigns.coverage.run import examine
from campaigns.soak.build import harness
from campaigns.soak.campaign import BATCH, Job, Outcome, campaign
from cases.generate import ACCESSES
from cases.shapes import SHAPES
from support import results
from support.configurations import CONFIGURATIONS
from support.seed import drawn

MORE = 4  # times `count` that --cover adds to a shape at most


def jobs_of(
    config: str, shapes, seed: int, count: int, *, before: int = 0, source: Path | None = None
) -> list[Job]:
    """Batches of at least `count` accesses a shape, shapes in turn so that all progress; they are
    others than the `before` times `count` of the same seed."""
    configuration = CONFIGURATIONS[config]
    program = harness(config, source=source)
    batches = []
    cases = -(-count // ACCESSES)
    start, end = before * cases, (before + 1) * cases
    for first in range(start, end, BATCH):
        for shape in shapes:
            batches.append(
                Job(program, config, configuration.features, configuration.walk_cache, shape,
                    seed, first, min(BATCH, end - first))
            )  # fmt: skip
    return batches


def with_holes(config: str, shapes, outcomes: dict[str, Outcome]) -> list[str]:
    """Those of the shapes that have bins which can be reached and were not."""
    features = CONFIGURATIONS[config].features
    hits = sum((o.bins for o in outcomes.values()), Counter())
    single = [name for name in shapes if SHAPES[name].single]
    return [name for name in single if examine(SHAPES[name], features, hits).holes]


def shapes_of(config: str) -> list[str]:
    features = CONFIGURATIONS[config].features
    return [name for name, shape in SHAPES.items() if shape.present(features)]


def figures(outcomes: dict[str, Outcome]) -> dict:
    return {
        name: {
            "translations": o.accesses,
            "cycles": o.cycles,
            "bins": len(o.bins),
            "disagree": len(o.failures),
        }
        for name, o in sorted(outcomes.items())
    }


@click.command()
@click.option("--config", default="wide", type=click.Choice([*CONFIGURATIONS]))
@click.option("--shape", "shapes", multiple=True, type=click.Choice([*SHAPES]),
              help="may be given several times; default: all there are")  # fmt: skip
@click.option("--count", default=200_000, help="translations a shape")
@click.option("--seed", default=None, type=int, help="default: a new one")
@click.option("--cover", is_flag=True,
              help=f"up to {MORE} times as many again of shapes with bins left")  # fmt: skip
@click.option("--jobs", default=2, help="processes")
@click.option("--record/--no-record", default=True, help="write the counts to build/results")
def main(*, config, shapes, count, seed, cover, jobs, record) -> None:
    """Soak the RTL in random translations and compare with the golden model."""
    seed = drawn() if seed is None else seed
    absent = [name for name in SHAPES if name not in shapes_of(config)]
    if set(absent) & set(shapes):
        raise click.BadParameter(f"configuration '{config}' does not have {', '.join(absent)}")
    shapes = shapes or shapes_of(config)
    click.echo(f"soak: configuration {config}, seed {seed}, {count:,} translations each of "
               f"{', '.join(shapes)}")  # fmt: skip
    start = time.monotonic()
    outcomes = campaign(jobs_of(config, shapes, seed, count), jobs, speak=True)
    for before in range(1, MORE + 2 if cover else 1):
        wanting = with_holes(config, shapes, outcomes)
        if not wanting or any(o.failures for o in outcomes.values()):
            break
        if before > MORE:
            click.echo(f"soak: bins are still left of {', '.join(wanting)}")
            break
        click.echo(f"soak: bins left, so as many again of {', '.join(wanting)}")
        batches = jobs_of(config, wanting, seed, count, before=before)
        more = campaign(batches, jobs, speak=True)
        for name, outcome in more.items():
            outcomes[name].add(outcome)
    for name, o in sorted(outcomes.items()):
        click.echo(f"{name:9s} {o.accesses:9,} translations, {o.cycles:11,} cycles, "
                   f"{len(o.bins):5,} bins, {len(o.failures)} disagreements")  # fmt: skip
    click.echo(f"soak: {time.monotonic() - start:.0f} s")
    store.add(config, f"soak seed {seed}", [o.bins for o in outcomes.values()])
    failures = [text for o in outcomes.values() for text in o.failures]
    if record:
        results.write("soak", config, figures(outcomes), seed=seed,
                      command=f"make soak SEED={seed} COUNT={count}")  # fmt: skip
    for text in failures:
        click.echo(f"disagreement: {text}", err=True)
    sys.exit(1 if failures else 0)
