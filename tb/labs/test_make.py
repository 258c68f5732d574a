"""The front door of the labs, `make`: on a computer that has make and Python only, and what it says
of wrong variables. Nothing is built here."""

import re
import subprocess
from pathlib import Path

import pytest

from support.bare import fixture_bare, make  # noqa: F401
from support.make import environment
from support.root import ROOT


def test_lab_0_needs_python_only(bare: Path) -> None:
    said = make(bare, "lab", "LAB=0", "NAME=anna")
    assert "build/labs/lab0-anna/answers.toml" in said and "setup:" not in said
    assert "total: 0 of 24 points" in make(bare, "grade", "LAB=0", "NAME=anna")
    assert "levels_4k = " in make(bare, "questions", "LAB=0", "NAME=anna")
    assert 'levels_4k = ""' not in make(bare, "answers", "LAB=0", "NAME=anna")


def test_check_names_what_labs_need(bare: Path) -> None:
    """It asks for nothing itself."""
    said = make(bare, "check", status=2)
    assert "there is no cc on this computer" in said and "apt-get install gcc" in said


@pytest.mark.parametrize("number", ["99", "x", "-1"])
def test_a_lab_that_is_not_there_builds_nothing(bare: Path, number: str) -> None:
    said = make(bare, "lab", f"LAB={number}", "NAME=anna", status=2)
    assert f"Error: LAB is '{number}'; there are labs 0, 1, 2, " in said and "setup:" not in said


def test_a_name_is_typed(bare: Path) -> None:
    """A variable of the system is none; SEED belongs to random runs."""
    assert "write NAME=anna" in make(bare, "lab", "LAB=0", status=2)
    said = make(bare, "lab", "LAB=0", "SEED=anna", status=2)
    assert "a lab belongs to a name: write NAME=anna" in said


def test_each_variable_has_one_meaning() -> None:
    ours = [file for room in ("fpga", "sw", "tb") for file in ROOT.glob(f"{room}/**/*.mk")]
    boards = set(ROOT.glob("fpga/*/board.mk"))  # one of them is included
    files = [ROOT / "Makefile", *(set(ours) - boards)]
    names = re.findall(r"^(\w+) \?=.*## ", "\n".join(file.read_text() for file in files), re.M)
    assert len(names) > 30 and len(names) == len(set(names))


def test_a_variable_that_is_not_there_is_named(bare: Path) -> None:
    said = make(bare, "help", "BOOTT=pagesize=64k")
    assert "warning: BOOTT is none of the variables that `make help` lists" in said
    assert "warning:" not in make(bare, "help", "BOOT=pagesize=64k")


def test_run_builds_the_simulator_that_it_runs() -> None:
    """And no other one."""
    for words in ([], ["SIM=build/granule-sim-ulx3s"]):
        done = subprocess.run(
            ["make", "-n", "-W", "tb/sim/build.sh", "run", *words],
            cwd=ROOT, capture_output=True, text=True, check=True, env=environment(),
        )  # fmt: skip
        outputs = set(re.findall(r"build\.sh \S+ (build/granule-sim\S*)", done.stdout))
        assert outputs <= {words[0].removeprefix("SIM=") if words else "build/granule-sim"}
