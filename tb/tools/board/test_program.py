"""`make prog` says what is missing instead of failing with a trace."""

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.board.program import main


def program(folder: Path, name: str, status: int) -> None:
    """A program that records its arguments and ends with `status`."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" > {folder}/called\nexit {status}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(name="box")
def fixture_box(tmp_path, monkeypatch):
    """A folder that is the whole PATH apart from the shell, with a bitstream in it."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), "/bin"]))
    (tmp_path / "granule.bit").write_bytes(b"bits")
    return tmp_path


def invoke(box: Path, bitstream: str = "granule.bit"):
    """Runs the command as make does."""
    arguments = ["--bitstream", str(box / bitstream), "--build", "make fpga"]
    return CliRunner().invoke(main, [*arguments, "--with", "first-tool -b x | second-tool -f"])


def test_without_a_program_both_are_named(box):
    done = invoke(box)
    assert done.exit_code == 1 and "install first-tool or second-tool" in done.output


def test_the_first_installed_program_is_used(box):
    program(box, "second-tool", 0)
    assert invoke(box).exit_code == 0
    assert (box / "called").read_text() == f"second-tool -f {box}/granule.bit\n"
    program(box, "first-tool", 0)
    assert invoke(box).exit_code == 0
    assert (box / "called").read_text() == f"first-tool -b x {box}/granule.bit\n"


def test_a_board_that_is_not_there_is_said(box):
    program(box, "first-tool", 3)
    done = invoke(box)
    assert done.exit_code == 1 and "did not find or program the board" in done.output


def test_a_missing_bitstream_names_its_command(box):
    done = invoke(box, "other.bit")
    assert done.exit_code == 1 and "build it with 'make fpga'" in done.output
