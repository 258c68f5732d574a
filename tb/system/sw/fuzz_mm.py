"""Random operations on the memory manager, on the host, under ASan and UBSan (`make fuzz-mm`).

Exit status: 0 nothing was found, 1 something was; the output says how to repeat it.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from support.seed import drawn
from system.sw.host_build import SW, build

# VA bits for each granule: as booted by default, fewer levels, and PTEs in the root. Then the same
# with entries of 128 bits.
SHAPES = {
    "4k": [(12, 31, 64), (12, 25, 64), (12, 21, 64)],
    "16k": [(14, 31, 64), (14, 25, 64)],
    "64k": [(16, 31, 64), (16, 29, 64)],
    "4k-128": [(12, 31, 128), (12, 25, 128), (12, 21, 128)],
    "16k-128": [(14, 31, 128), (14, 24, 128)],
    "64k-128": [(16, 31, 128), (16, 28, 128)],
}
PROGRAM = SW / "tests" / "fuzz_mm.c"


def fuzz(program: Path, granule: str, steps: int, seed: int) -> list[str]:
    """What the runs of a granule print that fail; its steps are shared among its shapes."""
    findings = []
    for shift, va_bits, entry in SHAPES[granule]:
        name = f"{granule}, {va_bits} VA bits, seed {seed}"
        share = steps // len(SHAPES[granule])
        try:
            run = subprocess.run(
                [str(program), *map(str, (shift, va_bits, share, seed, entry))],
                stdout=subprocess.PIPE,
                stderr=None if share >= 100_000 else subprocess.STDOUT,
                text=True,
                check=False,
                timeout=60 + share / 100,
            )
        except subprocess.TimeoutExpired:
            findings.append(f"{name}: no end after {share} steps")
            continue
        if run.returncode:
            findings.append(f"{run.stdout}\n(exit status {run.returncode})")
        elif share >= 100_000:
            click.echo(f"{name}: {run.stdout.strip()}")
    return findings


@click.command()
@click.option("--steps", default=1_000_000, help="at each granule")
@click.option("--seed", default=None, type=int, help="default: a new one")
@click.option("--jobs", default=2)
def main(steps: int, seed: int | None, jobs: int) -> None:
    """Run the fuzz at each granule."""
    seed = drawn() if seed is None else seed
    program = build(PROGRAM)
    with ThreadPoolExecutor(jobs) as pool:
        runs = pool.map(lambda one: fuzz(program, one, steps, seed), SHAPES)
        findings = [text for run in runs for text in run]
    for text in findings:
        click.echo(text)
    click.echo(f"fuzz-mm: seed {seed}, {steps} steps a granule, {len(findings)} runs failed")
    sys.exit(1 if findings else 0)
