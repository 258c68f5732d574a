"""make figures: the experiments at many places of code and data, so that a figure has a spread.

A simulation repeats to the cycle; what does change a figure is where code and data happen to lie in
the sets of the caches. docs/data/campaign.toml says what is booted."""

import json
import statistics
import tempfile
from pathlib import Path

import click

from figures import boots
from figures.boots import Boot, Outcome, Plan
from figures.catalogue import ARITHMETIC, INVARIANT, of_class
from figures.measure import Failed, at_once
from figures.rows import ANY, SPREADS, once
from granule.figures import FIGURE
from support import commits, results
from tools.images.compare import counted

IMAGES = "images"  # what is in the images: nothing is booted


def wanted(plans: dict[str, Plan], only: tuple[str, ...], *, full: bool = False) -> list[Plan]:
    """The plans of that name; without a name all, the longest ones only if `full`."""
    unknown = [name for name in only if name not in (*plans, IMAGES)]
    if unknown:
        raise Failed(f"no experiment {', '.join(unknown)}; there are: {', '.join(plans)}")
    chosen = [plan for name, plan in plans.items() if not only or name in only]
    return [plan for plan in chosen if full or only or not plan.full]


def read_files() -> Outcome:
    """What is recorded without a boot."""
    return Outcome(Boot(Plan(IMAGES, run=""), "no cache", ANY), [*counted()], [])


def spread(values: list[float]) -> dict:
    """Least, median and most of the places; the median is one that was measured."""
    return {
        "least": min(values),
        "median": statistics.median_low(values),
        "most": max(values),
        "values": values,
    }


def recorded(outcomes: list[Outcome], commit: str) -> list[dict]:
    """The rows of docs/data/figures.json."""
    places: dict[tuple, list[tuple[int, float]]] = {}
    judged = {e.ours for e in of_class(ARITHMETIC, INVARIANT)}
    for o in outcomes:
        for f in once([f for f in o.figures if f.cls == FIGURE or f.id in judged]):
            key = (f.id, f.configuration, f.run, f.unit, o.boot.plan.name)
            places.setdefault(key, []).append((o.boot.placement, f.value))
    rows = []
    for (identity, cache, granule, unit, experiment), found in sorted(places.items()):
        row = {"id": identity, "configuration": cache, "granule": granule, "unit": unit}
        values = [value for _, value in sorted(found)]
        row |= {**spread(values), "placements": len({number for number, _ in found})}
        rows.append({**row, "experiment": experiment, "commit": commit})
    return rows


def merged(outcomes: list[Outcome], old: dict, commit: str) -> dict:
    """The new file: what was measured now, and of what was not, what the old file had."""
    ran = set()
    for o in outcomes:
        granules = (o.boot.granule, ANY, *(f.run for f in o.figures))
        ran |= {(o.boot.plan.name, granule) for granule in granules}
    figures = [r for r in old.get("figures", []) if (r["experiment"], r["granule"]) not in ran]
    curves = [c for c in old.get("series", []) if (c["experiment"], c["granule"]) not in ran]
    figures += recorded(outcomes, commit)
    for o in outcomes:
        if o.boot.placement == 0:
            named = {"experiment": o.boot.plan.name, "commit": commit}
            curves += [{**curve, **named} for curve in o.curves]
    return {"command": "make figures", "figures": figures, "series": curves}


@click.command()
@click.option("--only", multiple=True, help="only this experiment; may be given again")
@click.option("--full", is_flag=True, help="also what takes longer than all others together")
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--out", default=SPREADS, type=Path, help="default: docs/data/figures.json")
def main(only: tuple[str, ...], full: bool, jobs: int, out: Path) -> None:
    """Runs the experiments of docs/data/campaign.toml at many places of code and data, and records
    least, median and most of every figure. What is left out keeps its old record."""
    todo = [*boots.all_places(wanted(boots.plans(), only, full=full))]
    commit = results.commit()
    outcomes = [read_files()] if not only or IMAGES in only else []
    with tempfile.TemporaryDirectory() as folder:
        outcomes += at_once(jobs, lambda boot: boots.run(boot, Path(folder)), todo)
    old = json.loads(out.read_text()) if out.exists() else {}
    out.write_text(results.by_lines(merged(outcomes, old, commit)))
    commits.note(commit)
    click.echo(f"written: {out} ({len(todo)} boots)")
