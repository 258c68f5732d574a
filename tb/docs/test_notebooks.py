"""The notebooks of docs/notebooks run from the first cell to the last, as Jupyter runs them, and
draw something. Jupyter itself is not needed. Those that need a build run in `make test-labs` and
`make test-docs`, the others in `make test` too."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from docs import shell
from labs.lab import Lab
from labs.labs import LABS
from support.run import ROOT, built

FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
REFERENCE = ROOT / "tb" / "labs" / "reference"


def lab_of(path: Path) -> Lab:
    return LABS[int(path.stem.removeprefix("lab"))]


def play(path: Path) -> int:
    """Runs the cells in this folder, as one program; says how many figures they have drawn. A cell
    that fails is named in the traceback."""
    names, drawn = {"__name__": "__main__"}, 0
    for number, cell in enumerate(json.loads(path.read_text())["cells"], 1):
        if cell["cell_type"] == "code":
            text = "".join(cell["source"]).replace(shell.STUDENT, shell.NOBODY)
            exec(compile(text, f"{path.name}, cell {number}", "exec"), names)
            drawn += len(plt.get_fignums())
            plt.close("all")
    return drawn


@pytest.fixture(name="begun")
def fixture_begun():
    """Somebody who has done a lab as the reference does it."""

    def done(lab: Lab) -> None:
        for target in ("build/granule-sim", "build/sw/granule.elf"):
            built(target)
        who = ["--lab", str(lab.number), "--name", shell.NOBODY]
        subprocess.run([sys.executable, ROOT / "tb/labs/grade.py", "start", *who], check=True)
        for name in lab.files:
            folder = ROOT / f"build/labs/lab{lab.number}-{shell.NOBODY}"
            shutil.copy(REFERENCE / f"lab{lab.number}" / name, folder)

    shell.tidy()
    yield done
    shell.tidy()


def played(path: Path) -> object:
    alone = pytest.mark.xdist_group("shell-blocks")  # they tidy up behind the same student
    slow = [pytest.mark.slow] if lab_of(path).files else []
    return pytest.param(path, id=path.stem, marks=[alone, *slow])


@pytest.mark.parametrize("path", [*map(played, NOTEBOOKS)])
def test_it_runs_and_draws(path: Path, begun, monkeypatch, capsys) -> None:
    if lab_of(path).files:
        begun(lab_of(path))
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("GRANULE_SIM", "GRANULE_ELF", "PREBUILT"):
        monkeypatch.delenv(name, raising=False)
    mpl.use("Agg")
    assert play(path), "it draws nothing"
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
