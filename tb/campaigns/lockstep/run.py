"""Lock-step with Spike: every RISC-V test program, then Linux. After each instruction all registers
are compared, after each trap what it leaves behind, at the end all of memory. Writes
build/results/lockstep.json.

Devices, time, counters and the moment of an interrupt are the core's; Spike cannot know them.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from sim.simulator import simulator
from support import results
from support.run import ROOT, built
from system.riscv.build import physical_program, programs, virtual_program

MEMORY = 16 << 20  # bytes of each window, granule-sim's default
PMP_ENTRIES = 8  # of the configurations with Sv32, soc/GranuleConfig.scala
LINUX = ROOT / "build" / "linux" / "boot.elf"
LINUX_MEMORY = 32 << 20
LINUX_ARGUMENTS = "console=hvc0 panic=-1 -- granule-test quick"
CYCLES = ("--max-cycles", str(10**9))  # ends a program that does not


@dataclass(frozen=True)
class Outcome:
    """What was compared; `report` shows the first difference."""

    program: str
    instructions: int
    under_sv32: int
    traps: int
    interrupts: int
    stores: int
    differences: int
    report: str


def compare(
    elf: Path,
    config: str,
    instructions: int,
    *options: str,
    lowmem: int = MEMORY,
    highmem: int = MEMORY,
    pmp: int = PMP_ENTRIES,
    append: str | None = None,
) -> Outcome:
    """The program on the simulated core, which writes what it commits into a pipe, and on Spike,
    side by side, until `instructions` were compared, it ends, or something differs. `options` are
    further ones of the simulator."""
    lockstep = built("build/lockstep")
    appended = [] if append is None else [append]
    with tempfile.TemporaryDirectory() as folder:
        pipe = Path(folder) / "commits"
        os.mkfifo(pipe)
        core = subprocess.Popen(
            [simulator(config), "--quiet", "--commits", str(pipe), *options,
             "--lowmem", f"{lowmem >> 10}K", "--highmem", f"{highmem >> 10}K",
             *(["--append", append] if appended else []), str(elf)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        spike = subprocess.run(
            [lockstep, str(elf), str(pipe), str(instructions), str(lowmem), str(highmem),
             str(pmp), *appended],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        core.kill()
        core_said = core.communicate()[1].decode()
    try:
        *report, counts = spike.stdout.splitlines()
        return Outcome(elf.stem, **json.loads(counts), report="\n".join(report))
    except ValueError as error:
        raise RuntimeError(f"{elf.name}: {spike.stdout}{spike.stderr}{core_said}") from error


def test_programs() -> list[Path]:
    """All but random.c, which looks at entries that a TLB may still have."""
    physical = [physical_program(name) for name in programs("user") + programs("machine")]
    return physical + [virtual_program(name) for name in programs("user")]


def outcomes(config: str, instructions: int) -> Iterator[Outcome]:
    for elf in test_programs():
        yield compare(elf, config, instructions, *CYCLES)
    if LINUX.exists():
        yield compare(
            LINUX, config, instructions, *CYCLES,
            lowmem=LINUX_MEMORY, highmem=0, append=LINUX_ARGUMENTS,
        )  # fmt: skip
    else:
        print(f"{LINUX.relative_to(ROOT)} is not there: test programs only; make linux builds it")


def show(outcome: Outcome) -> None:
    verdict = "equal" if not outcome.differences else f"{outcome.differences} DIFFERENCES"
    print(
        f"{outcome.program:24} {outcome.instructions:>11,} instructions, {outcome.under_sv32:,} "
        f"under Sv32, {outcome.traps:,} traps, {outcome.stores:,} stores: {verdict}",
        flush=True,
    )
    if outcome.differences:
        print(outcome.report)


@click.command()
@click.option("--instructions", type=int, required=True, help="of each program, at most")
@click.option("--config", default="teaching")
def main(instructions: int, config: str) -> None:
    """Compare each program with Spike."""
    done = []
    for outcome in outcomes(config, instructions):
        show(outcome)
        done.append(outcome)
    figures = [{k: v for k, v in asdict(o).items() if k != "report"} for o in done]
    results.write("lockstep", config, figures, command="make lockstep")
    sys.exit(any(o.differences for o in done))
