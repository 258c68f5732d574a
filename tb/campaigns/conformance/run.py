"""Replays files of translation vectors through the RTL: walker and TLB, each check cold, then hot,
then resident. With --random the files are made, of RISC-V's formats, with the golden model's
answers.

Exit status: 0 all agree, 1 some do not, 2 the file cannot be used.
"""

import random
import sys
import time
from collections import Counter
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from campaigns.conformance.replay import PASSES, covered, replay  # noqa: E402
from campaigns.coverage import store  # noqa: E402
from campaigns.soak.build import harness  # noqa: E402
from campaigns.soak.player import HarnessError  # noqa: E402
from cases import vector_files  # noqa: E402
from model import Memory, translate, vectors  # noqa: E402
from model.features import names_of  # noqa: E402
from support import results  # noqa: E402
from support.configurations import CONFIGURATIONS, conformance_configs  # noqa: E402
from support.run import SIM  # noqa: E402

RANDOM = ("sv32", "sv39", "sv48", "svnapot")  # no access changes their descriptors


class Unusable(Exception):
    """The file cannot be replayed; the message says why and what to do."""


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
            "on the golden model with --on model"
        )
    return configs


def chosen(path: Path, config: str | None) -> list[str]:
    """The configurations that fit, or the one that is asked for, which must have their formats."""
    fit = fitting(path)
    if config is None:
        return fit
    features = CONFIGURATIONS[config].features
    if features not in [CONFIGURATIONS[name].features for name in fit]:
        raise Unusable(f"{path.name} is for the formats of {', '.join(fit)}; {config} has others")
    return [config]


def on_model(path: Path) -> dict:
    """The same counts from the golden model; it has no TLB, so only `cold` means anything."""
    try:
        file = vectors.read(path)
    except vectors.VectorError as error:
        raise Unusable(str(error)) from None
    wrong = []
    for number, case in enumerate(file.cases):
        memory = Memory(case.memory, case.errors)
        for check in case.checks:
            outcome = translate(case.registers, file.features, memory, check.access)
            if not check.agrees(outcome):
                wrong.append(f"case {number}, cold: {check}: expected {check.expected}: {outcome}")
    return {"checks": file.checks, "agree": {"cold": file.checks - len(wrong)}, "disagree": wrong}


def on_rtl(path: Path, checks: int = 0, *, config: str | None = None) -> dict:
    """Runs one configuration; returns {checks, agree: {cold, hot, resident}, disagree: [...]}."""
    config = config or fitting(path)[0]
    work = SIM / "conformance" / f"{path.name}.{config}"
    work.parent.mkdir(parents=True, exist_ok=True)
    tally = replay(path, harness(config), work, checks)
    if not tally.wrong:
        store.add(config, path.name, [covered(path, CONFIGURATIONS[config].features)])
    return {
        "checks": max(tally.total.values()),
        "agree": {name: tally.agree[name] for name in tally.total},
        "disagree": tally.wrong,
    }


def show(title: str, outcome: dict, seconds: float) -> None:
    for name, agree in outcome["agree"].items():
        click.echo(f"{name:9s} {agree:,} of {outcome['checks']:,} agree")
    click.echo(f"{title}, {seconds:.0f} s")


def check_file(
    path: Path, checks: int, target: str, config: str | None = None, *, record: bool
) -> list[str]:
    """Replays one file on everything that fits, or on `config`; returns the disagreements."""
    wrong = []
    for name in ["model"] if target == "model" else chosen(path, config):
        start = time.monotonic()
        outcome = on_model(path) if target == "model" else on_rtl(path, checks, config=name)
        title = path.name + (f" on {target}" if target == "model" else f" on mmu:{name}")
        show(title, outcome, time.monotonic() - start)
        wrong += outcome["disagree"]
        if target == "rtl" and record:
            figures = {"file": path.name, "checks": outcome["checks"], **outcome["agree"]}
            record_name = f"conformance-{path.name.split('.')[0]}-{name}"
            results.write(record_name, name, figures, command=f"make conformance VECTORS={path}")
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
    seconds = time.monotonic() - start
    show(f"{shape}, seed {seed}, on mmu:wide", {"checks": total["checks"], "agree": agree}, seconds)
    if record:
        command = f"tb/campaigns/conformance/run.py --random {shape} --count {count} --seed {seed}"
        results.write(f"conformance-random-{shape}", "wide", figures, seed=seed, command=command)
    return wrong


@click.command()
@click.option("--vectors", "paths", multiple=True, type=click.Path(path_type=Path),
              help="vector file, gzipped or plain JSON; may be given several times")  # fmt: skip
@click.option("--random", "shapes", multiple=True, type=click.Choice(RANDOM),
              help="random cases of this shape; may be given several times")  # fmt: skip
@click.option("--count", default=200_000, help="checks of each shape")
@click.option("--seed", default=None, type=int, help="default: a new one")
@click.option("--checks", default=0, help="replay about this many checks only (0: all)")
@click.option("--config", default=None, type=click.Choice(sorted(CONFIGURATIONS)),
              help="replay files on this configuration; default: all that fit")  # fmt: skip
@click.option("--on", "target", type=click.Choice(["rtl", "model"]), default="rtl",
              help="what is tested")  # fmt: skip
@click.option("--record/--no-record", default=True, help="write the counts to build/results")
def main(
    *, paths, shapes, count: int, seed, checks: int, config, target: str, record: bool
) -> None:
    """Replay translation vectors, each check cold, hot and resident, and count how many agree."""
    if not (paths or shapes):
        raise click.UsageError("there is nothing to replay: give --vectors FILE or --random SHAPE")
    seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    wrong = []
    try:
        for shape in shapes:
            wrong += check_random(shape, count, seed, record=record)
        for path in paths:
            wrong += check_file(path, checks, target, config, record=record)
    except Unusable as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    except HarnessError as error:
        click.echo(f"error: the RTL broke a rule of its ports: {error}", err=True)
        sys.exit(1)
    if wrong:
        click.echo(f"first disagreement: {wrong[0]}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
