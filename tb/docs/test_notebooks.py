"""The notebooks of docs/notebooks run from the first cell to the last, as Jupyter runs them, and
draw something. Jupyter itself is not needed. Those that need a build run in `make test-labs` and
`make test-docs`, the others in `make test` too."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from docs import shell
from labs.labs import LABS
from support.run import ROOT, built

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
REFERENCE = ROOT / "tb" / "labs" / "reference"


def number_of(path: Path) -> int:
    return int(re.fullmatch(r"lab(\d)", path.stem)[1])


def cells(path: Path) -> list[str]:
    found = json.loads(path.read_text())["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def play(path: Path, sources: list[str]) -> int:
    """Runs cells in a folder, as one program; says how many figures they have drawn. A cell that
    fails is named in the traceback."""
    names = {"__name__": "__main__"}
    drawn = 0
    for number, source in enumerate(sources, 1):
        text = source.replace(shell.STUDENT, shell.NOBODY)
        exec(compile(text, f"{path.name}, code cell {number}", "exec"), names)
        drawn += len(plt.get_fignums())
        plt.close("all")
    return drawn


@pytest.fixture(name="student")
def fixture_student():
    """Somebody who has done a lab as the reference does it."""

    def done(number: int) -> None:
        who = ["--lab", str(number), "--name", shell.NOBODY]
        subprocess.run([sys.executable, ROOT / "tb/labs/grade.py", "start", *who], check=True)
        for name in LABS[number].files:
            folder = ROOT / f"build/labs/lab{number}-{shell.NOBODY}"
            shutil.copy(REFERENCE / f"lab{number}" / name, folder)

    shell.tidy()
    yield done
    shell.tidy()


def marks(path: Path) -> list:
    alone = pytest.mark.xdist_group("shell-blocks")  # they tidy up behind the same student
    return [alone, pytest.mark.slow] if LABS[number_of(path)].files else [alone]


def begun(path: Path, student) -> None:
    """What it reads is there."""
    if LABS[number_of(path)].files:
        for target in ("build/granule-sim", "build/sw/granule.elf"):
            built(target)
        student(number_of(path))


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=marks(path)) for path in NOTEBOOKS]
)
def test_it_runs_and_draws(path: Path, student, monkeypatch, capsys) -> None:
    begun(path, student)
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("GRANULE_SIM", "GRANULE_ELF", "PREBUILT"):
        monkeypatch.delenv(name, raising=False)
    mpl.use("Agg")
    assert play(path, cells(path)), "it draws nothing"
    assert capsys.readouterr().out.strip(), "it prints nothing"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_as_somebody_opens_it(path: Path) -> None:
    """Without what running leaves in it, and written as Jupyter writes it, so that a difference is
    one of its text."""
    text = path.read_text()
    notebook = json.loads(text)
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    for cell in notebook["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None, "clear its outputs"
