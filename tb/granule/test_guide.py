"""Every example of docs/python.md runs, and prints what stands there."""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.run import ROOT, built

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.M | re.S)
# Without a word behind the fence: commands that tb/granule/test_package.py runs in its own way.
INSTALLS = ["python3 -m venv", "granule-env/bin/pip install .", "granule-env/bin/granule --help"]


@dataclass
class Command:
    """A line after `$`, and what should be printed; `[status N]` at the end, if it is not 0."""

    line: str
    output: str
    status: int


def blocks(kind: str, text: str) -> list[str]:
    return [body for named, body in BLOCK.findall(text) if named.split(" ")[0] == kind]


def commands(text: str) -> list[Command]:
    found = []
    for block in blocks("console", text):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, output = part.partition("\n")
            status = re.search(r"^\[status (\d+)\]\n", output, re.M)
            if status:
                output = output[: status.start()] + output[status.end() :]
            found.append(Command(line, output, int(status[1]) if status else 0))
    return found


def same(want: str, got: str) -> bool:
    """`...` matches whatever there is; a blank line at the end does not count."""
    checker = doctest.OutputChecker()
    return checker.check_output(want.strip() + "\n", got.strip() + "\n", doctest.ELLIPSIS)


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


def run(command: Command, folder: Path) -> None:
    """Raises AssertionError with both texts when it prints something else."""
    environment = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "80"}
    done = subprocess.run(
        ["sh", "-c", command.line], cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert same(command.output, done.stdout), (
        f"$ {command.line}\nthe page has:\n{command.output}\nit printed:\n{done.stdout}"
    )
    assert done.returncode == command.status, f"$ {command.line}: status {done.returncode}"


def test_commands(folder):
    found = commands(PAGE.read_text())
    assert len(found) > 8
    for command in found:
        run(command, folder)
    assert "</svg>" in (folder / "lines.svg").read_text()


def python(text: str, name: str) -> doctest.TestResults:
    """The examples of a page in the order in which they stand, one session."""
    lines = [""] * text.count("\n")  # so that a failure names the line of the page
    for block in BLOCK.finditer(text):
        if block[1] == "pycon":
            first, body = text.count("\n", 0, block.start(2)), block[2].splitlines()
            lines[first : first + len(body)] = body
    session = "\n".join(lines) + "\n"
    test = doctest.DocTestParser().get_doctest(session, {}, name, str(PAGE), 0)
    return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test)


def test_python(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GRANULE_SIM", raising=False)
    results = python(PAGE.read_text(), "docs/python.md")
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


def test_a_wrong_example_is_seen(folder):
    page = PAGE.read_text()
    wrong = page.replace("(2, 2)", "(2, 3)").replace(
        "level 2 (status 0x0a)", "level 3 (status 0x0b)"
    )
    assert page.count("(2, 2)") == 1 and wrong.count("0x0b)") == 1
    first = wrong[: wrong.index("## Walks in Python")]
    assert python(first, "wrong").failed == 1
    (command,) = [c for c in commands(wrong) if "0x0b)" in c.output]
    with pytest.raises(AssertionError, match="the page has"):
        run(command, folder)
