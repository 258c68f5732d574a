"""What `pip install .` gives: the package `granule` with the golden model in it, a command, nothing
else, in an environment that has nothing else."""

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from support.host import output
from support.run import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # The bench has the build backend (pyproject.toml), so that no network is needed here.
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "-w", folder, ROOT], check=True, timeout=60)
    (found,) = folder.glob("granule-*.whl")
    return found


@pytest.fixture(scope="module")
def command(wheel, tmp_path_factory):
    """The command `granule` of a new environment, in a folder that is no checkout."""
    home = tmp_path_factory.mktemp("new")
    venv.create(home / "venv", with_pip=False)
    python = home / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index"]
    subprocess.run([*pip, wheel], check=True, timeout=60)

    def run(*words: str, program: str = "granule") -> subprocess.CompletedProcess:
        return subprocess.run(
            [python.parent / program, *words],
            cwd=home, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"granule"}
    tests = [name for name in names if re.search(r"(^|/)(test_|conftest|cocotb_)", name)]
    assert not tests
    for needed in (
        "granule/__main__.py",
        "granule/model/walk.py",
        "granule/data/walk_examples.json",
    ):
        assert needed in names


def test_it_needs_no_other_package(wheel):
    text = zipfile.ZipFile(wheel).read(next(
        name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("/METADATA")
    )).decode()  # fmt: skip
    needed = re.findall(r"^Requires-Dist: (.*)$", text, re.M)
    assert all("extra == " in line for line in needed), needed
    assert [line.split(";")[0].split(">")[0].strip() for line in needed] == ["matplotlib"]


def test_it_walks_with_nothing_built(command):
    """Exactly as the bench's own golden model does."""
    words = ("0x7f1234567abc", "--tcr", "T0SZ=16,TG0=16k,IPS=48bit")
    told = command("walk", *words)
    assert told.returncode == 0, told.stderr
    assert told.stdout == output(sys.executable, "tb/walk.py", *words)
    assert "7abc, after 4 memory reads" in told.stdout
    assert "A1 4K, 48-bit VA" in command("walk", "list").stdout


def test_the_model_is_within_the_package(command):
    code = "import granule.model, importlib.util as u; print(u.find_spec('model'))"
    told = command("-c", code, program="python")
    assert told.stdout == "None\n", told.stderr


def test_what_is_missing_is_named(command):
    told = command("run", "--boot", "run=a1")
    assert told.returncode == 2 and "Traceback" not in told.stderr
    assert "no simulator granule-sim" in told.stderr and "`make sim`" in told.stderr
    assert "site-packages" not in told.stderr and "lib/python" not in told.stderr
    told = command("plot", "-o", "x.svg", "/dev/null")
    assert told.returncode == 2 and "run=e001" in told.stderr
