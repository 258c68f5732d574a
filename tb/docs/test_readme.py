"""README.md keeps its promises: it is short, its commands that need no build run, and its numbers
are those of the files that commands wrote. tb/tools/site/test_site.py follows the links."""

import re
import subprocess
import sys

import pytest
from PIL import Image

from figures.rows import recorded
from support.root import ROOT
from tools.report import publish
from web import picture

README = (ROOT / "README.md").read_text()
MOST_WORDS = 900
MOST_BYTES = 300_000  # of the moving picture


def test_it_is_short() -> None:
    """What is generated included."""
    assert len(README.split()) <= MOST_WORDS


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_it_tells_the_two_commands(command: str) -> None:
    assert f"- `{command}`: " in README


def test_its_picture_moves_and_is_small() -> None:
    """It ends with the physical address; tb/web compares it with the page."""
    assert f"](docs/{picture.OUT.name})" in README.split("## ")[0]
    assert picture.OUT.stat().st_size < MOST_BYTES
    with Image.open(picture.OUT) as moving:
        assert moving.n_frames == len(picture.told()) > 10
    assert "PA 0xb4567abc" in picture.told()[-1]


@pytest.mark.parametrize("command", re.findall(r"`python3 ([^`]*)`", README))
def test_what_needs_no_build_runs_without_anything_installed(command: str) -> None:
    bare = [sys.executable, "-S", "-E", *command.split()]
    said = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "result    0xb4567abc, after 4 memory reads" in said


def test_its_numbers_are_those_of_the_files() -> None:
    """Facts, tables and picture of verdicts, and docs/figures.md, made again from docs/data."""
    rows, commit = recorded()
    assert publish.readme(README, rows, commit) == README, "make publish writes it"
    assert publish.picture() == publish.VERDICTS.read_text(), "make publish writes it"
    assert publish.page(rows, commit) == publish.PAGE.read_text(), "make publish writes it"


def test_the_lines_that_it_counts() -> None:
    """Of the folders from arch to ip, within 5 %."""
    told = int(re.search(r"in ([\d,]+) lines of SpinalHDL", README)[1].replace(",", ""))
    folders = ("arch", "mmu", "options", "ip")
    files = [p for f in folders for p in (ROOT / "rtl/src/granule" / f).glob("**/*.scala")]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    assert abs(told - lines) < 0.05 * lines, lines
