"""make nightly: what is too long for `make test`, one step after another, and one page about it.

Random parts begin at the number of the commit, so that a night repeats and another commit has other
numbers. Exit status: 0 every step did something and was good, 1 not so.
"""

import html
import os
import re
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import click

from support import results
from support.make import environment
from support.root import ROOT

PYTEST = {"did": r"(\d+) passed", "unit": "tests"}
STEPS = {
    name: PYTEST | step
    for name, step in tomllib.loads(Path(__file__).with_name("steps.toml").read_text()).items()
}
OUT = ROOT / "build" / "nightly"
HOURS = 5  # that a night has
HEAD = """<!doctype html><meta charset="utf-8"><title>Granule: a night</title>
<style>body { font: 16px sans-serif; max-width: 60em; margin: 2em auto }
td, th { padding: .2em .8em; text-align: left } .bad { color: #b00020; font-weight: bold }</style>
"""


@dataclass(frozen=True)
class Ended:
    """A step, with how much of what it did."""

    name: str
    status: int
    seconds: float
    did: int
    unit: str

    @property
    def verdict(self) -> str:
        return f"status {self.status}" if self.status else "good" if self.did else "nothing to do"


def seed_of(commit: str) -> int:
    return int(commit[:7], 16)


def amount(output: str, pattern: str) -> int:
    return sum(int(number.replace(",", "")) for number in re.findall(pattern, output))


def done(name: str, step: dict, seed: int) -> Ended:
    """Its output goes to build/nightly/NAME.log."""
    command = ["make", step.get("target", name), *step.get("also", "").split()]
    if slices := step.get("slices"):
        command.append(f"SLICE={seed % slices + 1}/{slices}")
    start, log = time.monotonic(), OUT / f"{name}.log"
    with log.open("w") as file:
        run = subprocess.run(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False,
                             env=environment() | {"SEED": str(seed)})  # fmt: skip
    did = amount(log.read_text(errors="replace"), step["did"])
    return Ended(name, run.returncode, time.monotonic() - start, did, step["unit"])


def page(ended: list[Ended], seed: int) -> str:
    hours = sum(e.seconds for e in ended) / 3600
    bad = [e.name for e in ended if e.verdict != "good"]
    said = f"Not good: {', '.join(bad)}." if bad else "All is good."
    late = f" That is more than a night has ({HOURS})." if hours > HOURS else ""
    rows = "".join(
        f'<tr><td><a href="{e.name}.log">{e.name}</a><td>{e.did:,} {html.escape(e.unit)}'
        f"<td>{e.seconds / 60:.0f} min"
        f"<td{'' if e.verdict == 'good' else ' class=bad'}>{e.verdict}\n"
        for e in ended
    )
    return (
        f"{HEAD}<h1>Commit {results.commit()}</h1><p>{said} {hours:.1f} hours on "
        f"{os.cpu_count()} cores.{late} Random parts began at {seed}.\n"
        f"<table><tr><th>step<th>did<th>time<th>verdict\n{rows}</table>\n"
    )


@click.command()
def main() -> None:
    """Run what a night has time for."""
    OUT.mkdir(parents=True, exist_ok=True)
    seed, ended = seed_of(results.commit()), []
    for name, step in STEPS.items():
        ended.append(e := done(name, step, seed))
        click.echo(f"{e.verdict:14} {name:25} {e.seconds / 60:4.0f} min  {e.did:,} {e.unit}")
        (OUT / "index.html").write_text(page(ended, seed))
    click.echo(f"written: {OUT / 'index.html'}")
    sys.exit(any(e.verdict != "good" for e in ended))
