"""Each board says everything that `make fpga` needs, for each of its sizes; one whose clock is too
slow gets no bitstream; `make prog` says what is missing instead of failing with a trace."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.make import environment
from support.root import ROOT
from tools.board import bitstream, program
from tools.pnr.verdict import Clock, Verdict

BOARDS = sorted(path.parent for path in (ROOT / "fpga").glob("*/board.mk"))
CONFIGS = ROOT / "rtl" / "src" / "granule" / "soc" / "GranuleConfig.scala"
CONSTRAINTS = {"ecp5": "lpf", "gowin": "cst"}


def variables(text: str) -> dict[str, str]:
    lines = re.findall(r"^(\w+) *[?:]?= *([^#\n]*)", text, re.M)
    return {name: value.strip() for name, value in lines}


def test_there_are_two_families():
    families = {variables((board / "board.mk").read_text())["FAMILY"] for board in BOARDS}
    assert families == set(CONSTRAINTS)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_each_size_has_device_configuration_and_clock(board):
    values = variables((board / "board.mk").read_text())
    names = re.findall(r'name = "(\w+)"', CONFIGS.read_text())
    assert values["SIZE"] in values["SIZES"].split()
    for size in values["SIZES"].split():
        assert values[f"DEVICE_{size}"]
        assert values[f"BOARDCONFIG_{size}"] in names
        assert int(values[f"MHZ_{size}"]) > 0
    assert (board / f"{board.name}.{CONSTRAINTS[values['FAMILY']]}").exists()
    assert values["PROG"] and values["FLASH"] and values["BITSTREAM_FILE"]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("BOARD=nexys", "fpga: no board 'nexys'; there are: "),
        ("SIZE=99", "fpga: ulx3s has no size '99'; it has 12 25 45 85"),
    ],
)
@pytest.mark.parametrize("flags", ["OPT_FAST=-O1", " -j2 --jobserver-auth=3,4"])
def test_a_wrong_name_is_said_before_anything_is_built(monkeypatch, flags, option, says):
    """Whatever a test before this one, or the make around it, has left."""
    monkeypatch.setenv("MAKEFLAGS", flags)
    command = ["make", "--no-print-directory", "-C", ROOT, "fpga", option]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert done.returncode != 0
    assert done.stdout == "" and done.stderr.startswith(says)


@pytest.mark.parametrize(("achieved", "status"), [(60.0, 0), (59.9, 1)])
def test_a_bitstream_only_if_timing_is_met(achieved, status, tmp_path, monkeypatch):
    packed, verdict = [], Verdict([Clock("system_clk", achieved, 60.0)], {}, [], {})
    steps = {
        "generate": lambda build: None,
        "synthesize": lambda build: None,
        "place": lambda build: verdict,
        "record": lambda build, verdict: None,
        "pack": lambda build: packed.append(build) or ROOT / "granule.bit",
    }
    for name, step in steps.items():
        monkeypatch.setattr(bitstream, name, step)
    monkeypatch.setattr(bitstream.Build, "work", tmp_path)
    image, old = tmp_path / "loader.bin", tmp_path / "granule.bit"
    image.write_bytes(b"")
    old.write_bytes(b"of the last build")

    options = {"board": "ulx3s", "size": 85, "config": "ulx3s", "mhz": 60, "device": "85k"}
    words = [f"--{name}={value}" for name, value in (options | {"image": image}).items()]
    run = CliRunner().invoke(bitstream.main, words)
    assert run.exit_code == status, run.output
    assert len(packed) == 1 - status
    assert not old.exists()
    assert ("timing is not met, no bitstream is written" in run.output) == bool(status)


@pytest.fixture
def box(tmp_path, monkeypatch):
    """A folder that is the whole PATH apart from the shell, with a bitstream in it."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), "/bin"]))
    (tmp_path / "granule.bit").write_bytes(b"bits")
    return tmp_path


def install(folder: Path, name: str, status: int) -> None:
    """A program that records its arguments and ends with `status`."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" > {folder}/called\nexit {status}\n')
    path.chmod(0o755)


def written(box: Path, name: str = "granule.bit") -> tuple[int, str]:
    """Exit status and output of the command as make runs it."""
    arguments = ["--bitstream", str(box / name), "--build", "make fpga"]
    tools = ["--with", "first-tool -b x | second-tool -f"]
    done = CliRunner().invoke(program.main, [*arguments, *tools])
    return done.exit_code, done.output


def test_the_first_installed_program_is_used(box):
    for name, words in (("second-tool", "-f"), ("first-tool", "-b x")):
        install(box, name, 0)
        assert written(box)[0] == 0
        assert (box / "called").read_text() == f"{name} {words} {box}/granule.bit\n"


@pytest.mark.parametrize(
    ("installed", "name", "says"),
    [
        (False, "granule.bit", "install first-tool or second-tool"),
        (True, "granule.bit", "did not find or program the board"),
        (True, "other.bit", "build it with 'make fpga'"),
    ],
)
def test_what_is_missing_is_said(box, installed, name, says):
    if installed:
        install(box, "first-tool", 3)
    status, output = written(box, name)
    assert status == 1 and says in output
