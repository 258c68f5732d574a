"""The MMU of another commit: its files in build/twin/COMMIT, where its own Makefile and Mill make
its Verilog, and the program that plays scripts on it."""

import re
import shutil
import subprocess
from pathlib import Path

from campaigns.soak.build import harness
from support.make import environment
from support.root import ROOT
from support.run import verilog

OUT = ROOT / "build" / "twin"
THERE = ("-o", ".venv/.ready", "-o", "system-packages")  # what its Makefile need not install
PORT = re.compile(r"^  ((?:in|out)put) +wire +(\[\S+\])? *(\w+)", re.M)
ABSENT = re.compile(r"IllegalArgumentException: ([^;\n]*)")


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def commit_of(name: str) -> str:
    return git("rev-parse", "--short=12", "--verify", f"{name}^{{commit}}").decode().strip()


def verilog_of(commit: str, units: tuple[str, ...]) -> tuple[dict[str, Path], dict[str, str]]:
    """By unit; and of the others, why there is none."""
    tree, absent = OUT / commit, {}
    if not (tree / "Makefile").exists():
        tree.mkdir(parents=True, exist_ok=True)
        subprocess.run(["tar", "-x"], cwd=tree, input=git("archive", commit), check=True)
    made = {unit: tree / "build" / "rtl" / f"{unit.replace(':', '_')}.v" for unit in units}
    while wanted := [u for u in units if u not in absent and not made[u].exists()]:
        command = ["make", "-s", "-C", tree, *THERE, "verilog-units", f"UNITS={' '.join(wanted)}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False,
                             env=environment())  # fmt: skip
        why = ABSENT.search(run.stderr)
        if run.returncode and not why:
            raise RuntimeError(f"{commit} makes no Verilog: {run.stderr[-2000:]}")
        if why:  # they are made in this order
            absent[next(u for u in wanted if not made[u].exists())] = why[1]
    return {unit: made[unit] for unit in units if unit not in absent}, absent


def ports(source: Path, top: str) -> set[tuple[str, ...]]:
    """Direction, width and name."""
    return set(
        PORT.findall(source.read_text().partition(f"\nmodule {top} (")[2].partition(");")[0])
    )


def programs(commit: str, unit: str, old: Path) -> tuple[Path | None, Path, list[str]]:
    """BASE's, if there can be one, and today's; and what is to be said about them."""
    top, config = unit.split(":")
    new = verilog(top, config)
    today = harness(config, unit=top, source=new)
    if old.read_text() == new.read_text():
        return today, today, ["the Verilog of both is the same"]
    there, here = ports(old, top), ports(new, top)
    only = [("BASE", there - here), ("today", here - there)]
    notes = [f"port of {who} only: {' '.join(port)}" for who, which in only for port in which]
    source = OUT / f"{commit}_{old.name}"  # the program is named after it
    shutil.copyfile(old, source)
    try:
        return harness(config, unit=top, source=source, watch=False), today, sorted(notes)
    except RuntimeError as error:
        return None, today, [*sorted(notes), f"no script can be played on BASE: {error}"]
