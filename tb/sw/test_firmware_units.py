"""Compiles the firmware's pure parts for the host and runs their tests (sw/tests/test_*.c)."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SW = ROOT / "sw"
BUILD = ROOT / "build" / "sw-tests"
TESTS = sorted((SW / "tests").glob("test_*.c"))
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-pointer-to-int-cast", "-Wno-int-to-pointer-cast"]


def sources_of(test: Path) -> list[str]:
    """The firmware files that a test names in its first comment, after "Sources:"."""
    head = test.read_text().split("*/")[0].split("\n *\n")[0]
    return re.findall(r"\b[a-z0-9_]+/[a-z0-9_]+\.c\b", head.split("Sources:")[1])


def build(test: Path) -> Path:
    BUILD.mkdir(parents=True, exist_ok=True)
    program = BUILD / test.stem
    names = dict.fromkeys([*sources_of(test), "lib/printf.c", "lib/string.c", "tests/host.c"])
    sources = [*(SW / name for name in names), test]
    flags = [
        "-O1",
        "-g",
        "-std=gnu11",
        "-fno-builtin",
        "-fsanitize=undefined,address",
        "-fno-sanitize-recover=undefined",
        f"-I{SW}",
        f"-I{SW}/include",
        f"-I{SW}/tests",
    ]
    subprocess.run(["gcc", *flags, *WARNINGS, *map(str, sources), "-o", str(program)], check=True)
    return program


@pytest.mark.parametrize("test", TESTS, ids=lambda path: path.stem.removeprefix("test_"))
def test_unit(test: Path) -> None:
    """Every check of the C file holds, and nothing undefined happens on the way."""
    run = subprocess.run(
        [str(build(test))], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_there_are_tests() -> None:
    assert len(TESTS) >= 7
