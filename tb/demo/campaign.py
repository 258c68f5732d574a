"""make figures: the experiments at many places of code and data, so that a figure has a spread.

A simulation repeats to the cycle; what does change a figure is where code and data happen to lie in
the sets of the caches. docs/data/campaign.toml says what is booted."""

import json
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from demo import series  # noqa: E402
from demo.figures import FIGURE, Figure, split  # noqa: E402
from demo.placement import link  # noqa: E402
from demo.rows import SPREADS, once  # noqa: E402
from demo.run import ROOT, SIMULATORS  # noqa: E402
from demo.view import GRANULES  # noqa: E402
from support import results  # noqa: E402

PLANS = ROOT / "docs" / "data" / "campaign.toml"
PLACEMENTS = {"4k": 16, "16k": 4, "64k": 4}
FIELDS = {"run", "caches", "granules", "placements", "images"}


class BadCampaign(click.ClickException):
    """The campaign cannot be run, or a boot of it failed; says which and why."""


@dataclass(frozen=True)
class Boot:
    """One boot: an experiment on one cache with one granule, its image at one place."""

    experiment: str
    arguments: str
    cache: str
    granule: str
    images: tuple[str, ...]
    placement: int

    @property
    def name(self) -> str:
        return f"{self.experiment} on {self.cache} at {self.granule}, place {self.placement}"


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    boot: Boot
    figures: list[Figure]
    curves: list[dict]


def boots(plans: dict[str, dict], only: tuple[str, ...]) -> Iterator[Boot]:
    """Everything that is to be booted, place by place, so that all rows have a few places early."""
    unknown = [name for name in only if name not in plans]
    if unknown:
        raise BadCampaign(f"no experiment {', '.join(unknown)}; there are: {', '.join(plans)}")
    for number in range(max(PLACEMENTS.values())):
        for name, plan in plans.items():
            strange = set(plan) - FIELDS
            if strange:
                raise BadCampaign(f"{PLANS.name}: {name} has no field {', '.join(sorted(strange))}")
            if only and name not in only:
                continue
            for granule in plan.get("granules", GRANULES):
                if number >= plan.get("placements", PLACEMENTS[granule]):
                    continue
                images = tuple(i.format(granule=granule) for i in plan.get("images", ["sw"]))
                for cache in plan.get("caches", SIMULATORS):
                    yield Boot(name, plan["run"], cache, granule, images, number)


def console(boot: Boot, image: str, folder: Path) -> str:
    """What one image prints. Raises BadCampaign when it fails."""
    elf = link(ROOT / "build" / image, boot.placement, folder / boot.cache)
    arguments = f"pagesize={boot.granule} {boot.arguments}"
    done = subprocess.run(
        [SIMULATORS[boot.cache], "--append", arguments, elf],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise BadCampaign(
            f"{boot.name}, image {image}: status {done.returncode}\n{done.stdout[-2000:]}"
        )
    return done.stdout


def run(boot: Boot, folder: Path) -> Outcome:
    """Boots the images of one place and reads what they measured."""
    found, curves = {}, []
    for image in boot.images:
        text, figures = split(console(boot, image, folder), boot.cache)
        curves += series.take(text, boot.cache)[1]
        found[image] = figures
    figures = found[boot.images[0]]
    return Outcome(boot, [f for f in figures if f.cls == FIGURE], curves)


def spread(values: list[float]) -> dict:
    """Least, median and most of the places; the median is one that was measured."""
    return {
        "least": min(values),
        "median": statistics.median_low(values),
        "most": max(values),
        "placements": len(values),
        "values": values,
    }


def recorded(outcomes: list[Outcome], commit: str) -> list[dict]:
    """The rows of docs/data/figures.json."""
    places: dict[tuple, list[tuple[int, float]]] = {}
    for o in outcomes:
        for f in once(o.figures):
            key = (f.id, f.configuration, f.run, f.unit, o.boot.experiment)
            places.setdefault(key, []).append((o.boot.placement, f.value))
    rows = []
    for (identity, cache, granule, unit, experiment), found in sorted(places.items()):
        row = {"id": identity, "configuration": cache, "granule": granule, "unit": unit}
        values = [value for _, value in sorted(found)]
        rows.append({**row, **spread(values), "experiment": experiment, "commit": commit})
    return rows


def merged(outcomes: list[Outcome], old: dict, commit: str) -> dict:
    """The new file: what was measured now, and of what was not, what the old file had."""
    ran = {o.boot.experiment for o in outcomes}
    figures = [row for row in old.get("figures", []) if row["experiment"] not in ran]
    curves = [c for c in old.get("series", []) if c["experiment"] not in ran]
    figures += recorded(outcomes, commit)
    for o in outcomes:
        if o.boot.placement == 0:
            named = {"experiment": o.boot.experiment, "commit": commit}
            curves += [{**curve, **named} for curve in o.curves]
    return {"command": "make figures", "figures": figures, "series": curves}


@click.command()
@click.option("--only", multiple=True, help="only this experiment; may be given again")
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
@click.option("--out", default=SPREADS, type=Path, help="default: docs/data/figures.json")
def main(only: tuple[str, ...], jobs: int, out: Path) -> None:
    """Runs the experiments of docs/data/campaign.toml at many places of code and data, and records
    least, median and most of every figure. What --only leaves out keeps its old record."""
    todo = list(boots(tomllib.loads(PLANS.read_text()), only))
    commit = results.commit()
    outcomes: list[Outcome] = []
    columns = (TextColumn("{task.description:44}"), BarColumn(), MofNCompleteColumn())
    progress = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn())
    with tempfile.TemporaryDirectory() as folder, progress, ThreadPoolExecutor(jobs) as pool:
        task = progress.add_task("booting", total=len(todo))
        waiting = {pool.submit(run, boot, Path(folder)): boot for boot in todo}
        try:
            for done in as_completed(waiting):
                outcomes.append(done.result())
                progress.update(task, advance=1, description=waiting[done].name)
        except BadCampaign:
            pool.shutdown(cancel_futures=True)
            raise
    old = json.loads(out.read_text()) if out.exists() else {}
    out.write_text(json.dumps(merged(outcomes, old, commit), indent=1) + "\n")
    click.echo(f"written: {out} ({len(todo)} boots)")


if __name__ == "__main__":
    main()
