"""Replays files of translation vectors through the RTL: walker and TLB, as replay.py says. With
--random the files are made, of RISC-V's formats, with the golden model's
answers.

Exit status: 0 all agree, 1 some do not, 2 the file cannot be used.
"""

import sys
import time
from collections import Counter
from pathlib import Path

import click

from campaigns.conformance.replay import (
    PASSES,
    Tally,
    covered,
    replay,
    replay_on_model,
)
from campaigns.coverage import store
from campaigns.soak.build import harness
from campaigns.soak.player import HarnessError
from cases import vector_files
from model import vectors
from model.features import names_of
from support import results
from support.configurations import CONFIGURATIONS, conformance_configs
from support.run import SIM
from support.seed import drawn

RANDOM = ("sv32", "sv39", "sv48", "svnapot")  # no access changes their descriptors


class Unusable(Exception):
    """The file cannot be replayed; the message says why and what to do."""


class Misfit(Unusable):
    """The configuration that was asked for has other formats."""


def load(path: Path) -> vectors.VectorFile:
    try:
        file = vectors.read(path)
    except vectors.VectorError as error:
        raise Unusable(f"{error}; see tb/data/vectors/README.md for the format") from None
    if not file.checks:
        raise Unusable(f"{path.name} has no checks; a run would prove nothing")
    return file


def fitting(path: Path) -> list[str]:
    """Configurations that implement what the file is for, no more and no less where it matters."""
    file = load(path)
    if file.config:
        if file.config not in CONFIGURATIONS:
            known = ", ".join(CONFIGURATIONS)
            raise Unusable(f"{path.name} is for configuration '{file.config}'; known are {known}")
        return [file.config]
    configs = conformance_configs(file.features)
    if not configs:
        most = names_of(CONFIGURATIONS["wide"].features)
        raise Unusable(
            f"{path.name} is for a walker with {', '.join(file.feature_names)}; configuration "
            f"'wide' has {', '.join(most)}: give it a file that needs no more, or replay this one "
            "on the golden model with ON=model (--on model)"
        )
    return configs


def chosen(path: Path, config: str | None) -> list[str]:
    """The configurations that fit, or the one that is asked for, which must have their formats."""
    fit = fitting(path)
    if config is None:
        return fit
    features = CONFIGURATIONS[config].features
    if features not in [CONFIGURATIONS[name].features for name in fit]:
        raise Misfit(f"{path.name} is for the formats of {', '.join(fit)}; {config} has others")
    return [config]


def on_model(path: Path, checks: int | None = None, *, config: str | None = None) -> dict:
    """What the golden model says, with the features of the file or of a configuration."""
    file = load(path)
    features = CONFIGURATIONS[chosen(path, config)[0]].features if config else file.features
    return outcome_of(replay_on_model(file, features, checks))


def on_rtl(path: Path, checks: int | None = None, *, config: str | None = None) -> dict:
    """What the RTL of one configuration says."""
    config = config or fitting(path)[0]
    work = SIM / "conformance" / f"{path.name}.{config}"
    tally = replay(path, harness(config), work, checks)
    if not tally.wrong:
        store.add(config, path.name, [covered(path, CONFIGURATIONS[config].features, checks)])
    return outcome_of(tally)


def outcome_of(tally: Tally) -> dict:
    """Checks, and by pass how many were made and how many agree."""
    return {
        "checks": max(tally.total.values()),
        "made": dict(tally.total),
        "agree": {name: tally.agree[name] for name in tally.total},
        "disagree": tally.wrong,
    }


def show(title: str, outcome: dict, seconds: float) -> None:
    for name, made in outcome["made"].items():
        click.echo(f"{name:9s} {outcome['agree'][name]:,} of {made:,} agree")
    click.echo(f"{title}, {seconds:.0f} s")


def check_file(
    path: Path, checks: int | None, target: str, config: str | None = None, *, record: bool
) -> list[str]:
    """Replays one file on everything that fits, or on `config`; returns the disagreements."""
    wrong = []
    for name in chosen(path, config) if target == "rtl" else [config]:
        start = time.monotonic()
        outcome = (on_rtl if target == "rtl" else on_model)(path, checks, config=name)
        on = f"mmu:{name}" if target == "rtl" else f"model of {name}" if name else "model"
        show(f"{path.name} on {on}", outcome, time.monotonic() - start)
        wrong += outcome["disagree"]
        if target == "rtl" and record and checks is None:
            figures = {"file": path.name, "checks": outcome["checks"], **outcome["agree"]}
            record_name = f"conformance-{path.name.split('.')[0]}-{name}"
            results.write(record_name, name, figures, command=f"make conformance VECTORS={path}")
    return wrong


def check_files(
    paths: tuple[Path, ...], checks: int | None, target: str, config: str | None, *, record: bool
) -> list[str]:
    """Replays all files; with `config` those that have its formats, of which there must be one."""
    wrong, misfits = [], []
    for path in paths:
        try:
            wrong += check_file(path, checks, target, config, record=record)
        except Misfit as misfit:
            misfits.append(misfit)
            click.echo(f"left out: {misfit}")
    if misfits and len(misfits) == len(paths):
        raise misfits[0]
    return wrong


def check_random(shape: str, count: int, seed: int, *, record: bool) -> list[str]:
    """Replays random cases of a shape on `wide`; returns the disagreements."""
    total, wrong, start = Counter(), [], time.monotonic()
    for path in vector_files.write(SIM / "conformance", shape, "wide", seed, count):
        outcome = on_rtl(path)
        total["checks"] += outcome["checks"]
        total.update(outcome["agree"])
        wrong += outcome["disagree"]
        if not outcome["disagree"]:
            path.unlink()
    figures = dict(total)
    agree = {name: total[name] for name in PASSES}
    made = dict.fromkeys(PASSES, total["checks"])
    seconds = time.monotonic() - start
    show(f"{shape}, seed {seed}, on mmu:wide", {"made": made, "agree": agree}, seconds)
    if record:
        command = f"tb/tools/run.py conformance --random {shape} --count {count} --seed {seed}"
        results.write(f"conformance-random-{shape}", "wide", figures, seed=seed, command=command)
    return wrong


@click.command()
@click.option("--vectors", "paths", multiple=True, type=click.Path(path_type=Path),
              help="vector file, gzipped or plain JSON; may be given several times")  # fmt: skip
@click.option("--random", "shapes", multiple=True, type=click.Choice(RANDOM),
              help="random cases of this shape; may be given several times")  # fmt: skip
@click.option("--count", default=200_000, help="checks of each shape")
@click.option("--seed", default=None, type=int, help="default: a new one")
@click.option("--checks", default=None, type=click.IntRange(min=1),
              help="checks of each file; default: all")  # fmt: skip
@click.option("--config", default=None, type=click.Choice(sorted(CONFIGURATIONS)),
              help="replay files on this configuration; default: all that fit")  # fmt: skip
@click.option("--on", "target", type=click.Choice(["rtl", "model"]), default="rtl",
              help="what is tested")  # fmt: skip
@click.option("--record/--no-record", default=True, help="write the counts to build/results")
def main(
    *, paths, shapes, count: int, seed, checks: int | None, config, target: str, record: bool
) -> None:
    """Replay translation vectors, each check cold, hot and resident, and count how many agree."""
    if not (paths or shapes):
        raise click.UsageError("there is nothing to replay: give --vectors FILE or --random SHAPE")
    seed = drawn() if seed is None else seed
    wrong = []
    try:
        for shape in shapes:
            wrong += check_random(shape, count, seed, record=record)
        wrong += check_files(paths, checks, target, config, record=record)
    except Unusable as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    except HarnessError as error:
        click.echo(f"error: the RTL broke a rule of its ports: {error}", err=True)
        sys.exit(1)
    if wrong:
        click.echo(f"first disagreement: {wrong[0]}", err=True)
        sys.exit(1)
