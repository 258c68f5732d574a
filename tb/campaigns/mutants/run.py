"""Seeds each known defect of table.py into a copy of the sources, one at a time, and sees that the
named test notices.

Exit status: 0 all were killed, 1 one survived, 2 a row does not fit the sources any more, or
another run is under way.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from campaigns.changes.run import Bench
from campaigns.changes.short import SHORT, play_short
from campaigns.litmus.play import QUICK, play, program  # noqa: E402
from campaigns.litmus.shapes import SHAPES as LITMUS_SHAPES  # noqa: E402
from campaigns.mutants.mutant import Mutant  # noqa: E402
from campaigns.mutants.table import MUTANTS  # noqa: E402
from campaigns.soak.campaign import campaign  # noqa: E402
from campaigns.soak.run import jobs_of  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT, SIM, run_unit  # noqa: E402
from system.sw import host_build  # noqa: E402
from system.sw.fuzz_mm import PROGRAMS, SHAPES, fuzz  # noqa: E402

WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
FUZZ_STEPS, FUZZ_SEED = 10_000, 1  # what `make test` runs must be enough
SOAK_COUNT = 12_000  # translations that must be enough
QUIET = {"COCOTB_LOG_LEVEL": "CRITICAL", "GPI_LOG_LEVEL": "CRITICAL"}


class Misfit(Exception):
    """The row's text is not in the source exactly once, or the changed source does not build."""


def mutated(mutant: Mutant) -> str:
    """The source file with the defect in it. White space does not count in the search."""
    text = (ROOT / mutant.file).read_text()
    for old, new in filter(None, ((mutant.old, mutant.new), mutant.also)):
        tokens = re.findall(r"\w+|[^\w\s]", old)
        text, count = re.subn(r"\s*".join(map(re.escape, tokens)), lambda _, to=new: to, text)
        if count != 1:
            raise Misfit(f"{mutant.name}: '{old}' is {count} times in {mutant.file}, must be once")
    return text


def prepare() -> None:
    """A copy of what Mill needs; its compiler cache stays between mutants. This run has it alone:
    another one would take the defect away while it is compiled."""
    TREE.mkdir(parents=True, exist_ok=True)
    lock = os.open(WORK / "lock", os.O_CREAT | os.O_RDWR)  # until this process ends
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Misfit(f"another run seeds its defects in {TREE}; wait for its end") from None
    for name in ("build.sc", "mill", ".scalafmt.conf"):
        shutil.copy2(ROOT / name, TREE / name)
    shutil.copytree(ROOT / "rtl", TREE / "rtl", dirs_exist_ok=True)


def generate(mutant: Mutant) -> Path:
    """Verilog of the row's unit with the defect."""
    return generate_all(mutant, [mutant.unit], ".v")[mutant.unit].rename(
        WORK / f"mutant_{mutant.name}.v"
    )


def generate_all(mutant: Mutant, units: list[str], suffix: str) -> dict[str, Path]:
    """Verilog of each unit with the defect; together, as to compile takes longer than the rest."""
    target = TREE / mutant.file
    original = target.read_text()
    target.write_text(mutated(mutant))
    try:
        run = subprocess.run(
            ["./mill", "--disable-ticker", "rtl.runMain", "granule.gen.Generate",
             str(WORK), *units],
            cwd=TREE, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        target.write_text(original)
    if run.returncode:
        raise Misfit(f"{mutant.name} does not build: {(run.stdout + run.stderr)[-2000:]}")
    found = {}
    for unit in units:
        made = WORK / f"{unit.replace(':', '_')}{suffix}"
        found[unit] = made.rename(made.with_stem(f"mutant_{mutant.name}_{made.stem}"))
    return found


def failed_tests(path: Path) -> set[str]:
    """Their names; those with parameters once, without them."""
    cases = list(ET.parse(path).getroot().iter("testcase"))
    if not cases:
        raise Misfit(f"{path}: no test ran")
    return {c.get("name").split("/")[0] for c in cases if c.find("failure") is not None}


def killed_by_cocotb(mutant: Mutant) -> bool:
    verilog = generate(mutant)
    report = SIM / "results" / f"{mutant.module}.{verilog.stem}" / "results.xml"
    report.unlink(missing_ok=True)
    unit, config = mutant.unit.split(":")
    environment = {**QUIET, "GRANULE_CACHE": mutant.unit}
    try:
        with redirect_stdout(None):  # a mutant that fails is what is wanted: nobody reads its log
            run_unit(mutant.part or unit, mutant.module, config,
                     tests=[mutant.killer], source=verilog, extra_env=environment)  # fmt: skip
    except (AssertionError, SystemExit):
        if not report.exists():
            raise Misfit(f"{mutant.name}: the simulation did not run") from None
    finally:
        shutil.rmtree(SIM / verilog.stem, ignore_errors=True)
    return mutant.killer in failed_tests(report)


def killed_by_pytest(mutant: Mutant) -> bool:
    """For the golden model: its own tests, on a copy of it."""
    copy = WORK / "tb"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "tb" / "model", copy / "model")
    shutil.copytree(ROOT / "tb" / "data", copy / "data")
    (copy / Path(mutant.file).relative_to("tb")).write_text(mutated(mutant))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--rootdir={copy}",
         "-c", os.devnull, str(copy / mutant.killer)],
        env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, check=False,
    )  # fmt: skip
    if run.returncode not in (0, 1):
        raise Misfit(f"{mutant.name}: pytest ended with status {run.returncode}")
    return run.returncode == 1


def killed_by_soak(mutant: Mutant) -> bool:
    """Random translations of the row's shape, always with the same seed."""
    verilog = generate(mutant)
    _, config = mutant.unit.split(":")
    try:
        jobs = jobs_of(config, [mutant.killer], 1, SOAK_COUNT, source=verilog)
        return any(o.failures for o in campaign(jobs, 2, speak=False).values())
    finally:
        shutil.rmtree(SIM / f"soak_{verilog.stem}", ignore_errors=True)


def killed_by_litmus(mutant: Mutant) -> bool:
    """An end of the row's shape that the model does not have; what checks say does not count."""
    verilog = generate(mutant)
    _, config = mutant.unit.split(":")
    try:
        player = program(config, source=verilog)
        return bool(play(player, LITMUS_SHAPES[mutant.killer], QUICK, seed=1).outside)
    except RuntimeError as error:  # it does not build, or hangs
        raise Misfit(f"{mutant.name}: {error}") from None
    finally:
        shutil.rmtree(SIM / f"soak_{verilog.stem}", ignore_errors=True)


def killed_by_changes(mutant: Mutant) -> bool:
    """A wrong answer in the row's world, or a check of the RTL."""
    verilog = generate(mutant)
    _, name, changes, mode, _ = next(
        row for row in SHORT if row[:2] == (mutant.unit, mutant.killer)
    )
    try:
        bench = Bench.of(mutant.unit, verilog, brief=True)
        return bool(play_short(bench, name, changes, mode).wrong)
    finally:
        shutil.rmtree(SIM / f"brief_{verilog.stem}", ignore_errors=True)


def killed_by_host(mutant: Mutant) -> bool:
    """For the firmware: a test program of its own, with the defect in its sources."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        copy, program = Path(folder) / "sw", Path(folder) / mutant.killer
        shutil.copytree(host_build.SW, copy)
        (copy / Path(mutant.file).relative_to("sw")).write_text(mutated(mutant))
        try:
            host_build.build(copy / "tests" / f"{mutant.killer}.c", copy, program, warn=False)
        except host_build.DoesNotBuild as error:
            raise Misfit(f"{mutant.name} does not build: {error}") from None
        if mutant.killer in PROGRAMS:
            return any(fuzz(program, granule, FUZZ_STEPS, FUZZ_SEED) for granule in SHAPES)
        return subprocess.run([str(program)], capture_output=True, check=False).returncode != 0


def killed(mutant: Mutant) -> bool:
    by = {"pytest": killed_by_pytest, "soak": killed_by_soak, "litmus": killed_by_litmus,
          "host": killed_by_host, "changes": killed_by_changes}  # fmt: skip
    return by.get(mutant.module, killed_by_cocotb)(mutant)


@click.command()
@click.option("--only", multiple=True, help="name of a row; may be given several times")
@click.option("--host", is_flag=True, help="only the rows of the firmware, killed on the host")
@click.option("--list", "show", is_flag=True, help="show the rows and stop")
def main(only: tuple[str, ...], host: bool, show: bool) -> None:
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
    try:
        prepare()
    except Misfit as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    outcome = {}
    for m in chosen:
        start = time.monotonic()
        try:
            outcome[m.name] = "killed" if killed(m) else "SURVIVED"
        except Misfit as error:
            outcome[m.name] = "MISFIT"
            click.echo(str(error), err=True)
        click.echo(
            f"{outcome[m.name]:9s} {m.name:22s} {time.monotonic() - start:4.0f} s  {m.killer}"
        )
    counts = {
        state: list(outcome.values()).count(state) for state in ("killed", "SURVIVED", "MISFIT")
    }
    click.echo(f"{counts['killed']} of {len(outcome)} mutants killed")
    if len(chosen) == len(MUTANTS):
        results.write("mutants", "vmsa48_nocache", outcome, command="make mutants")
    sys.exit(2 if counts["MISFIT"] else 1 if counts["SURVIVED"] else 0)


if __name__ == "__main__":
    main()
