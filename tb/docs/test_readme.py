"""README.md keeps its promises: it is short, its commands that need no build run, and its numbers
are those of the files that commands wrote. tb/tools/site/test_site.py follows the links."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from figures.rows import recorded
from support.root import ROOT
from tools.report import publish
from tools.report.recording import GRANULES
from web import picture

README = (ROOT / "README.md").read_text()
MOST_WORDS = 900
MOST_BYTES = 300_000  # of the moving picture


def test_it_is_short() -> None:
    """What is generated included."""
    assert len(README.split()) <= MOST_WORDS


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
    """Of the folders from port to mmu, within 5 %."""
    told = int(re.search(r"in ([\d,]+) lines of SpinalHDL", README)[1].replace(",", ""))
    folders = ("port", "format", "walk", "tlb", "mmu")
    files = [p for f in folders for p in (ROOT / "rtl/src/granule" / f).glob("**/*.scala")]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    assert abs(told - lines) < 0.05 * lines, lines


def test_what_it_is_called_is_explained_before() -> None:
    """Texts have titles before numbers, rows have no id, and boards have not run."""
    assert not re.search(r"\bH\d\.\d+|document \d{3}", README, re.I)
    assert README.index("Five kernel developers") < README.index("| 000: [")
    assert README.index("Nothing has run on a board yet") < README.index("## ")


@pytest.mark.parametrize("name", ["verdicts", "console", "system", "memory-map"])
def test_pictures_are_well_formed_and_need_no_network(name: str) -> None:
    text = (ROOT / "docs" / f"{name}.svg").read_text()
    ElementTree.fromstring(text)
    assert not re.search(r"(href|src)=\"http|@import|url\(http", text)


def test_the_recording_shows_three_page_sizes() -> None:
    text = (ROOT / "docs" / "console.svg").read_text()
    for granule in GRANULES:
        assert f"pagesize={granule} run=console" in text
    assert text.count("granule&gt; walk 0x100000") == len(GRANULES)
    assert text.count(", as above") == 2 * len(GRANULES)


def test_decisions_are_found_by_subject() -> None:
    """Every section is in the list, once, and the list has nothing else."""
    page = (ROOT / "docs" / "decisions.md").read_text()
    head = page.split("<!-- contents -->")[1].split("<!-- /contents -->")[0]
    listed = re.findall(r"\[(.*?)\]\(#", head)
    headings = re.findall(r"^## (.*)$", page, re.M)
    assert sorted(listed) == sorted(headings)


def test_limits_of_the_console_are_those_of_the_code() -> None:
    """sw/README.md says how much fits into a line and into what waits."""
    page = (ROOT / "sw" / "README.md").read_text()
    files = ("line.h", "input.c", "console.c")
    code = "".join((ROOT / "sw/console" / name).read_text() for name in files)
    columns = int(re.search(r"#define LINE_SIZE +(\d+)u", code)[1])
    waiting = int(re.search(r"#define QUEUE_SIZE +(\d+)u", code)[1])
    prompt = re.search(r'line_begin\(line, "(.*)"\)', code)[1]
    assert f"A line has {columns - 1 - len(prompt)} characters at most" in page
    assert f"runs waits: {waiting:,} characters" in page
