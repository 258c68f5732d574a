"""Each board says everything that `make fpga` needs, for each of its sizes."""

import re
import subprocess
from pathlib import Path

import pytest

from support.make import environment
from support.root import ROOT
from tools.board.bitstream import reason

BOARDS = sorted(path.parent for path in (ROOT / "fpga").glob("*/board.mk"))
CONFIGS = ROOT / "rtl" / "src" / "granule" / "config" / "GranuleConfig.scala"
CONSTRAINTS = {"ecp5": "lpf", "gowin": "cst"}


def variables(text: str) -> dict[str, str]:
    """Assignments of a board.mk."""
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


def make(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )


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
    done = make("fpga", option)
    assert done.returncode != 0
    assert done.stdout == "" and done.stderr.startswith(says)


def test_of_a_wrong_option_only_the_reason_is_shown():
    trace = 'Exception in thread "main" java.lang.IllegalArgumentException: no\n\tat a.b(c.scala:1)'
    wrong = f"[Progress]\n{trace}\nerror: SDRAM 'foo' is not known\n1 targets failed"
    assert reason(wrong, Path("log")) == "SDRAM 'foo' is not known"
    assert reason(trace, Path("log")).endswith(trace.splitlines()[0])
