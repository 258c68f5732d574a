"""Replays a file of translation vectors through the RTL: walker and TLB, each check cold, then hot.

Exit status: 0 all agree, 1 some do not, 2 the file cannot be used.
"""

import json
import sys
import time
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from model import Memory, translate, vectors  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT, run_unit  # noqa: E402

CONFIG = "wide"
IMPLEMENTED = {"base", "ttst"}
QUIET = {"COCOTB_LOG_LEVEL": "CRITICAL", "GPI_LOG_LEVEL": "CRITICAL"}


class Unusable(Exception):
    """The file cannot be replayed; the message says why and what to do."""


def load(path: Path) -> vectors.VectorFile:
    try:
        file = vectors.read(path)
    except vectors.VectorError as error:
        raise Unusable(f"{error}; see tb/data/vectors/README.md for the format") from None
    missing = sorted(set(file.feature_names) - IMPLEMENTED)
    if missing:
        raise Unusable(
            f"{path.name} is for a walker with {', '.join(missing)}; configuration '{CONFIG}' has "
            f"{', '.join(sorted(IMPLEMENTED))}: give it a file that needs no more, or replay this "
            "one on the golden model with --on model"
        )
    if not file.checks:
        raise Unusable(f"{path.name} has no checks; a run would prove nothing")
    return file


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


def on_rtl(path: Path, checks: int, *, speak: bool = True) -> dict:
    """Runs the simulation; returns {checks, agree: {cold, hot, resident}, disagree: [...]}."""
    load(path)
    summary = ROOT / "build" / "sim" / "results" / f"conformance.{path.name}.{checks}.json"
    summary.parent.mkdir(parents=True, exist_ok=True)
    summary.unlink(missing_ok=True)
    environment = {
        "VECTORS": str(path.resolve()),
        "CHECKS": str(checks),
        "SUMMARY": str(summary),
        "SPEAK": str(int(speak)),
    }
    try:
        run_unit("mmu", "conformance.cocotb_replay", CONFIG, extra_env=QUIET | environment)
    except (AssertionError, SystemExit):  # what disagrees is in the summary
        if not summary.exists():
            raise
    return json.loads(summary.read_text())


@click.command()
@click.option("--vectors", "path", required=True, type=click.Path(path_type=Path),
              help="vector file, gzipped or plain JSON")  # fmt: skip
@click.option("--checks", default=0, help="replay about this many checks only (0: all)")
@click.option("--on", "target", type=click.Choice(["rtl", "model"]), default="rtl",
              help="what is tested")  # fmt: skip
@click.option("--record/--no-record", default=True, help="write the counts to build/results")
def main(path: Path, checks: int, target: str, record: bool) -> None:
    """Replay translation vectors, each check cold and hot, and count how many agree."""
    start = time.monotonic()
    try:
        outcome = on_model(path) if target == "model" else on_rtl(path, checks)
    except Unusable as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    total = outcome["checks"]
    for name, agree in outcome["agree"].items():
        click.echo(f"{name:9s} {agree:,} of {total:,} agree")
    click.echo(f"{path.name} on {target}, {time.monotonic() - start:.0f} s")
    if target == "rtl" and record:
        command = f"make conformance VECTORS={path}"
        figures = {"file": path.name, "checks": total, **outcome["agree"]}
        results.write(f"conformance-{path.name.split('.')[0]}", CONFIG, figures, command=command)
    if outcome["disagree"]:
        click.echo(f"first disagreement: {outcome['disagree'][0]}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
