"""What is no work at all, in each lab: the grader says so in the student's words, gives what the
questions bring, and ends well."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labs import judge, scala
from labs.lab import Handin, Trouble
from labs.labs import LABS
from labs.trial import Trial
from support.root import ROOT

NUMBERS = [
    pytest.param(number, marks=[pytest.mark.slow, pytest.mark.xdist_group(f"lab{number}")])
    for number, lab in LABS.items()
    if lab.files
]
NO_PROGRAM = bytes(range(256))


def grader(command: str, number: int, folder: Path, *more: str) -> subprocess.CompletedProcess:
    words = [command, "--lab", str(number), "--name", "anna", "--handin", str(folder), *more]
    return subprocess.run(
        [sys.executable, ROOT / "tb/labs/grade.py", *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_bytes_that_are_no_program(tmp_path: Path, number: int) -> None:
    """From `make lab` to the file for a course's own system."""
    assert grader("start", number, tmp_path).returncode == 0
    (name,) = LABS[number].files
    (tmp_path / name).write_bytes(NO_PROGRAM)
    done = grader("grade", number, tmp_path, "--json", str(tmp_path / "result.json"))
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "Traceback" not in done.stdout and str(tmp_path) not in done.stdout
    told = json.loads((tmp_path / "result.json").read_text())
    rows = {row["id"]: row for row in told["rows"]}
    said = rows["compiles"]["got"]
    assert said.startswith("does not compile:\n") and name in said, said
    assert told["points"] == 0 and told["of"] > 0


@pytest.mark.parametrize("number", NUMBERS)
def test_a_file_that_is_not_there(tmp_path: Path, number: int) -> None:
    """Or a folder of its name."""
    (compiles,) = [part for part in Trial(number).sheet().parts if part.id == "compiles"]
    (name,) = LABS[number].files
    for _ in range(2):
        said = judge.judged(compiles, Handin(tmp_path)).got
        assert said == f"{name} is missing in {tmp_path}; `make lab` makes it"
        (tmp_path / name).mkdir(exist_ok=True)


@pytest.mark.slow
def test_scala_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scala, "SECONDS", 0.5)
    with pytest.raises(Trouble, match=r"did not end in 0.5 s: is there an endless loop\?"):
        scala.java([scala.places("scalaCompilerClasspath")], "scala.tools.nsc.Main", "-help")
