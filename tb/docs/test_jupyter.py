"""The notebooks in the environment that docs/notebooks/README.md has people make: what it installs,
and nothing else of this project's. The quick half is tb/labs/test_machine.py."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from docs import shell
from docs.test_notebooks import FOLDER, NOTEBOOKS, begun, fixture_student  # noqa: F401
from support.make import built
from support.root import ROOT

HOME = ROOT / "build" / "jupyter-test"
COPIES = ROOT / "build" / "notebooks"  # as deep as docs/notebooks
PYTHON = Path(sys.executable).resolve()  # not that of .venv

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("shell-blocks")]


def commands() -> list[list[str]]:
    """Those of the README, for a folder of ours."""
    (block,) = re.findall(r"```\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)
    return [shlex.split(line.replace("build/jupyter", str(HOME))) for line in block.splitlines()]


@pytest.fixture(name="jupyter", scope="module")
def fixture_jupyter() -> Path:
    """`jupyter` of an environment that is made once and kept."""
    venv, install, _ = commands()
    assert venv[:3] == ["python3", "-m", "venv"] and install[1] == "install"
    program = HOME / "bin" / "jupyter"
    if not program.exists():
        subprocess.run([PYTHON, *venv[1:]], check=True)
        subprocess.run([*install, "-q"], check=True)
    ours = [HOME / "bin" / "python", "-c", "import cocotb"]
    found = subprocess.run(ours, capture_output=True, check=False)
    assert found.returncode, "the environment has the project's own packages"
    return program


def execute(jupyter: Path, path: Path) -> subprocess.CompletedProcess:
    COPIES.mkdir(parents=True, exist_ok=True)
    copy = COPIES / path.name
    copy.write_text(path.read_text().replace(shell.STUDENT, shell.NOBODY))
    dropped = ("GRANULE_SIM", "GRANULE_ELF", "PREBUILT", "PYTHONPATH", "VIRTUAL_ENV")
    environment = {k: v for k, v in os.environ.items() if k not in dropped}
    environment["JUPYTER_DATA_DIR"] = str(HOME / "data")
    command = [jupyter, "execute", "--timeout=600", str(copy)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_with_jupyter_and_matplotlib(path: Path, jupyter: Path, student) -> None:
    begun(path, student)
    done = execute(jupyter, path)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_lab_that_was_not_begun_is_a_sentence(jupyter: Path) -> None:
    shell.tidy()
    built("build/granule-sim")
    done = execute(jupyter, FOLDER / "lab5.ipynb")
    said = f"make lab LAB=5 NAME={shell.NOBODY}"
    assert done.returncode and said in done.stderr and "machine.py" not in done.stderr
