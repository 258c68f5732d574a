"""The boards' SDRAM as sim/sdram.cpp models it: memory that nobody refreshes is lost."""

import subprocess

import pytest

from support.run import ROOT

SIM = ROOT / "tb/tools/board/sim"


@pytest.fixture(name="told", scope="module")
def fixture_told(tmp_path_factory):
    """What the model told each case of sdram_test.cpp."""
    program = tmp_path_factory.mktemp("sdram") / "sdram"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]
    sources = [SIM.parent / "sdram_test.cpp", SIM / "sdram.cpp", ROOT / "tb/sim/error.cpp"]
    subprocess.run(["g++", *flags, *sources, "-o", program], check=True)
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    return dict(line.split(": ", 1) for line in run.stdout.splitlines())


def test_what_was_written_is_read(told):
    assert told["at once"] == told["refreshed"] == "1234"


def test_without_refresh_the_chip_needs_a_new_start(told):
    assert "command before the mode register was written again" in told["paused"]
    assert "refreshes since the start" in told["paused"]


def test_a_new_start_finds_nothing_of_what_was_there(told):
    """So does a system that is reset: its controller waits and starts the chip again."""
    assert told["started again"] == "a5c3"


def test_all_sources_beside_the_model_link_as_one_program():
    """The makefile takes all of them into the board's simulator."""
    mains = [path.name for path in SIM.glob("*.cpp") if "int main(" in path.read_text()]
    assert mains == ["board.cpp"]
