"""Runs the firmware's tests for the host: sw/tests/test_*.c, and the memory manager under random
operations and failing allocations, thirty thousand steps at each granule. `make fuzz-mm` runs a
million."""

import subprocess
from pathlib import Path

import pytest

from system.sw.fuzz_mm import PROGRAM, SHAPES, fuzz
from system.sw.host_build import SW, build

TESTS = sorted((SW / "tests").glob("test_*.c"))


@pytest.mark.parametrize("test", TESTS, ids=lambda path: path.stem.removeprefix("test_"))
def test_unit(test: Path) -> None:
    """Every check of the C file holds, and nothing undefined happens on the way."""
    run = subprocess.run([build(test)], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("granule", SHAPES)
def test_random_operations(granule: str) -> None:
    assert not fuzz(build(PROGRAM), granule, steps=30_000, seed=1)
