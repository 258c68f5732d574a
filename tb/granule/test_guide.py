"""Every example of docs/python.md runs, and prints what stands there."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.run import ROOT, built

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.M | re.S)
# A line after `$`, what should be printed, and the status if it is not 0.
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ |\[status ).*\n)*)(?:\[status (\d+)\]\n)?", re.M)
# Without a word behind the fence: commands that tb/granule/test_package.py runs in its own way.
INSTALLS = ["python3 -m venv", "granule-env/bin/pip install .", "granule-env/bin/granule --help"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """With the files that the page shows, and the command, on the simulator that is built."""
    built("build/granule-sim")
    built("build/sw/granule.elf")
    home = tmp_path_factory.mktemp("guide")
    for named, body in BLOCK.findall(PAGE.read_text()):
        if named.startswith("text "):
            (home / named.removeprefix("text ")).write_text(body)
    (home / "bin").mkdir()
    command = home / "bin" / "granule"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT / "tb"}" exec "{sys.executable}" -m granule "$@"\n'
    )
    command.chmod(0o755)
    return home


def same(want: str, got: str) -> bool:
    """`...` matches whatever there is; a blank line at the end does not count."""
    checker = doctest.OutputChecker()
    return checker.check_output(want.strip() + "\n", got.strip() + "\n", doctest.ELLIPSIS)


def test_commands(folder):
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "80"}
    blocks = [body for named, body in BLOCK.findall(PAGE.read_text()) if named == "console"]
    found = COMMAND.findall("".join(blocks))
    assert len(found) > 8
    for line, output, status in found:
        done = subprocess.run(
            ["sh", "-c", line], cwd=folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        said = f"$ {line}\nthe page has:\n{output}\nit printed:\n{done.stdout}"
        assert same(output, done.stdout) and done.returncode == int(status or 0), said
    assert "</svg>" in (folder / "lines.svg").read_text()


def test_python(folder, monkeypatch, capsys):
    """In the order in which they stand, one session."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GRANULE_SIM", raising=False)
    text = PAGE.read_text()
    lines = [""] * text.count("\n")  # so that a failure names the line of the page
    for block in BLOCK.finditer(text):
        if block[1] == "pycon":
            first, body = text.count("\n", 0, block.start(2)), block[2].splitlines()
            lines[first : first + len(body)] = body
    session = "\n".join([*lines, ""])
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/python.md", str(PAGE), 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test)
    assert results.attempted > 20
    assert not results.failed, capsys.readouterr().out


def test_no_block_is_left_out():
    """All others are of a kind that is run, or a file, or the installation."""
    for named, body in BLOCK.findall(PAGE.read_text()):
        if not named:
            lines = body.splitlines()
            assert all(map(str.startswith, lines, INSTALLS)) and len(lines) == len(INSTALLS)
        else:
            assert named in ("console", "pycon") or re.fullmatch(r"text \S+", named), named
