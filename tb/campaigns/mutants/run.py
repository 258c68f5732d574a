"""Sees that the named test notices each known defect of table.py. Those of the RTL are choices of
one build of a unit (schemata.py); the others are seeded into a copy of their file.

Exit status: 0 all were killed, 1 one survived, 2 a row does not fit the sources any more, or a
killer fails without a defect.
"""

import importlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from unittest import mock

import click

from campaigns.changes.run import SHORT, Bench, play_short
from campaigns.litmus.play import QUICK, play
from campaigns.litmus.shapes import SHAPES as LITMUS_SHAPES
from campaigns.mutants import schemata
from campaigns.mutants.schemata import NUMBERS, WORK
from campaigns.mutants.table import MUTANTS, Mutant
from campaigns.soak.build import harness
from campaigns.soak.campaign import campaign
from campaigns.soak.run import jobs_of
from labs.choices import Misfit
from support import results
from support.on import On
from support.run import ROOT, SIM, run_unit
from system.sw import host_build
from system.sw.fuzz_mm import PROGRAM, SHAPES, fuzz

FUZZ_STEPS, FUZZ_SEED = 30_000, 1  # what `make test` runs must be enough
SOAK_COUNT = 12_000  # translations that must be enough
SECONDS = 120  # of CPU time, that a module of tests has with a defect
QUIET = {"COCOTB_LOG_LEVEL": "CRITICAL", "GPI_LOG_LEVEL": "CRITICAL"}


class NoEnd(Misfit):
    """A simulation that left no report."""


def failed_tests(path: Path) -> set[str]:
    """Their names; those with parameters once, without them."""
    cases = list(ET.parse(path).getroot().iter("testcase"))
    if not cases:
        raise Misfit(f"{path}: no test ran")
    return {c.get("name").split("/")[0] for c in cases if c.find("failure") is not None}


@contextmanager
def at_most(seconds: int):
    """CPU time of each process that is begun meanwhile; one that would take longer is ended."""
    limit, used = resource.RLIMIT_CPU, resource.getrusage(resource.RUSAGE_SELF)
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (int(used.ru_utime + used.ru_stime) + seconds, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


def failing(verilog: Path, module: str, on: On, number: int, tests=None) -> set[str]:
    """Which of these tests of a module, default all, fail on this build with this defect."""
    unit, config = on.unit.split(":")
    top = on.part or unit
    # Two tests of a module run at once on a build without a defect.
    beside = ".".join(["", str(number), *(tests or ())])
    report = SIM / "results" / f"{module}.{top}.{verilog.stem}{beside}" / "results.xml"
    report.unlink(missing_ok=True)
    try:
        # A mutant that fails is what is wanted: nobody reads its log. One that hangs does so, too.
        with redirect_stdout(None), at_most(SECONDS):
            run_unit(
                top, module, config, tests=tests or on.tests, source=verilog, beside=beside,
                extra_env={**QUIET, "GRANULE_UNIT": on.unit, "GRANULE_DEFECT": str(number),
                           "SEED": ""},  # the tests' own, whatever the run around it has
            )  # fmt: skip
    except (AssertionError, SystemExit, RuntimeError):
        if not report.exists():
            raise NoEnd(f"{module}: the simulation was not built, or did not end") from None
    return failed_tests(report)


def runs_of(module: str) -> list[On]:
    """Where `make test` runs a module of cocotb tests."""
    return importlib.import_module(module).RUNS


def killed_by_cocotb(mutant: Mutant, verilog: Path, number: int) -> bool:
    on = On(mutant.unit, mutant.part)
    return bool(failing(verilog, mutant.module, on, number, [mutant.killer]))


def killed_by_pytest(mutant: Mutant) -> bool:
    """For the golden model: its own tests, on a copy of it."""
    copy = WORK / "tb"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "tb" / "model", copy / "model")
    shutil.copytree(ROOT / "tb" / "data", copy / "data")
    (copy / Path(mutant.file).relative_to("tb")).write_text(mutant.changed())
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--rootdir={copy}",
         "-c", os.devnull, str(copy / mutant.killer)],
        env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, check=False,
    )  # fmt: skip
    if run.returncode not in (0, 1):
        raise Misfit(f"{mutant.name}: pytest ended with status {run.returncode}")
    return run.returncode == 1


def killed_by_soak(mutant: Mutant, verilog: Path, _: int) -> bool:
    """Random translations of the row's shape, always with the same seed."""
    _, config = mutant.unit.split(":")
    jobs = jobs_of(config, [mutant.killer], 1, SOAK_COUNT, source=verilog)
    return any(o.failures for o in campaign(jobs, 1, speak=False).values())


def killed_by_litmus(mutant: Mutant, verilog: Path, _: int) -> bool:
    """An end of the row's shape that the model does not have; what checks say does not count."""
    _, config = mutant.unit.split(":")
    try:
        player = harness(config, source=verilog)
        return bool(play(player, LITMUS_SHAPES[mutant.killer], QUICK, seed=1).outside)
    except RuntimeError as error:  # it does not build, or hangs
        raise Misfit(f"{mutant.name}: {error}") from None


def killed_by_changes(mutant: Mutant, verilog: Path, _: int) -> bool:
    """A wrong answer in the row's world, or a check of the RTL."""
    _, name, changes, mode, _ = next(
        row for row in SHORT if row[:2] == (mutant.unit, mutant.killer)
    )
    bench = Bench.of(mutant.unit, verilog, brief=True)
    return bool(play_short(bench, name, changes, mode).wrong)


def killed_by_host(mutant: Mutant) -> bool:
    """For the firmware: a test program of its own, with the defect in its sources."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        copy, program = Path(folder) / "sw", Path(folder) / mutant.killer
        shutil.copytree(host_build.SW, copy)
        (copy / Path(mutant.file).relative_to("sw")).write_text(mutant.changed())
        try:
            host_build.build(copy / "tests" / f"{mutant.killer}.c", copy, program, warn=False)
        except host_build.DoesNotBuild as error:
            raise Misfit(f"{mutant.name} does not build: {error}") from None
        if mutant.killer == PROGRAM.stem:
            return any(fuzz(program, granule, FUZZ_STEPS, FUZZ_SEED) for granule in SHAPES)
        return subprocess.run([str(program)], capture_output=True, check=False).returncode != 0


IN_COPY = {"pytest": killed_by_pytest, "host": killed_by_host}
IN_RTL = {"soak": killed_by_soak, "litmus": killed_by_litmus, "changes": killed_by_changes}


def fails(mutant: Mutant, verilog: Path, number: int) -> bool:
    """Whether what must notice a defect of the RTL fails on this build with this defect."""
    with mock.patch.dict(os.environ, {"GRANULE_DEFECT": str(number)}):
        return IN_RTL.get(mutant.module, killed_by_cocotb)(mutant, verilog, number)


def killed(mutant: Mutant) -> bool:
    if seeded := IN_COPY.get(mutant.module):
        return seeded(mutant)
    if mutant.alone:
        return fails(mutant, schemata.alone(mutant, [mutant.unit])[mutant.unit], 0)
    return fails(mutant, schemata.verilog(mutant.unit), NUMBERS[mutant.name])


def told(mutant: Mutant) -> tuple[str, str, float]:
    """What comes of a row, why if it does not fit, and its seconds."""
    start = time.monotonic()
    try:
        state, why = "killed" if killed(mutant) else "SURVIVED", ""
    except Misfit as error:
        state, why = "MISFIT", str(error)
    return state, why, time.monotonic() - start


def unsound(mutant: Mutant) -> str:
    """Says so if what must notice this defect of the RTL fails without one, too."""
    what = f"{mutant.module} {mutant.killer} on {mutant.unit}"
    try:
        wrong = fails(mutant, schemata.verilog(mutant.unit), 0)
    except Misfit as error:
        return f"{what}: {error}"
    return f"{what} fails without a defect" if wrong else ""


def killers(mutants: Sequence[Mutant]) -> list[Mutant]:
    """A row of each thing that must notice defects of the RTL."""
    found = {(m.module, m.killer, m.unit, m.part): m for m in mutants if m.module not in IN_COPY}
    return list(found.values())


@click.command()
@click.option("--only", multiple=True, help="name of a row; may be given several times")
@click.option("--host", is_flag=True, help="only the rows of the firmware, killed on the host")
@click.option("--jobs", default=2, show_default=True, help="processes")
@click.option("--list", "show", is_flag=True, help="show the rows and stop")
def main(only: tuple[str, ...], host: bool, jobs: int, show: bool) -> None:
    """Seed known defects; each must be killed by the test that its row names."""
    unknown = set(only) - {m.name for m in MUTANTS}
    if unknown:
        raise click.BadParameter(f"no such row: {', '.join(sorted(unknown))}; see --list")
    chosen = [m for m in MUTANTS if not only or m.name in only]
    chosen = [m for m in chosen if not host or m.module == "host"]
    if show:
        for m in chosen:
            click.echo(f"{m.name:22s} {m.defect} [{m.source}] -> {m.module}.{m.killer}")
        return
    outcome = {}
    with ProcessPoolExecutor(jobs) as pool:
        without = pool.map(unsound, killers(chosen))
        for m, (state, why, seconds) in zip(chosen, pool.map(told, chosen), strict=True):
            outcome[m.name] = state
            click.echo(f"{state:9s} {m.name:22s} {seconds:4.0f} s  {m.killer}")
            if why:
                click.echo(why, err=True)
        for why in filter(None, without):
            outcome[why] = "MISFIT"
            click.echo(why, err=True)
    counts = {
        state: list(outcome.values()).count(state) for state in ("killed", "SURVIVED", "MISFIT")
    }
    click.echo(f"{counts['killed']} of {len(chosen)} mutants killed")
    if len(chosen) == len(MUTANTS):
        results.write("mutants", "vmsa48_nocache", outcome, command="make mutants")
    sys.exit(2 if counts["MISFIT"] else 1 if counts["SURVIVED"] else 0)
