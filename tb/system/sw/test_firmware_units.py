"""Runs the firmware's tests for the host (sw/tests/test_*.c)."""

import subprocess
from pathlib import Path

import pytest

from system.sw.host_build import SW, build

TESTS = sorted((SW / "tests").glob("test_*.c"))


@pytest.mark.parametrize("test", TESTS, ids=lambda path: path.stem.removeprefix("test_"))
def test_unit(test: Path) -> None:
    """Every check of the C file holds, and nothing undefined happens on the way."""
    run = subprocess.run(
        [str(build(test))], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_there_are_tests() -> None:
    assert len(TESTS) >= 18
