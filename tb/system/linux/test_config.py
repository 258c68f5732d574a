"""An option of ours that the kernel's configuration drops is an error that names it."""

import subprocess
from pathlib import Path

import pytest

from support.run import ROOT

CHECK = ROOT / "sw" / "linux" / "check.sh"
FINAL = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=100\n"


def check(tmp_path: Path, fragment: str) -> tuple[int, str]:
    (tmp_path / ".config").write_text(FINAL)
    (tmp_path / "ours").write_text(fragment)
    done = subprocess.run(
        ["bash", CHECK, ".config", "ours"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("line", ["CONFIG_A=y", "CONFIG_C=100", "# CONFIG_B is not set", "# why"])
def test_a_line_that_is_there(tmp_path, line):
    assert check(tmp_path, f"{line}\n\n") == (0, "")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("CONFIG_B=y", "'CONFIG_B=y' was dropped"),
        ("CONFIG_NEW=y", "'CONFIG_NEW=y' was dropped"),
        ("CONFIG_C=10", "'CONFIG_C=10' was dropped"),
        ("# CONFIG_A is not set", "CONFIG_A is to be off"),
        ("CONFG_A=y", "'CONFG_A=y' is no line"),
    ],
)
def test_a_line_that_is_not(tmp_path, line, complaint):
    status, text = check(tmp_path, f"CONFIG_A=y\n{line}\n")
    assert status == 1 and complaint in text and "ours" in text


def test_an_option_that_is_nowhere_is_off(tmp_path):
    assert check(tmp_path, "# CONFIG_NEW is not set\n") == (0, "")
