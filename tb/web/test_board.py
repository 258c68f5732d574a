"""A run of the board, simulated from its pins up, in the page of traces: as long as one may be."""

from pathlib import Path

import pytest

from tools.board.simulator import FASTEST
from tools.board.test_firmware import boot
from tools.web import bundle
from web.test_viewer import SOURCES, cycles_with

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

FIRST = 1_850_000  # the kernel's tables are there, the banner is printed


@pytest.fixture(scope="module")
def trace(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    path = folder / "board.jsonl"
    options = ("--trace-mmu", str(path), "--trace-start", str(FIRST))
    options += ("--trace-cycles", str(bundle.MOST_CYCLES))
    boot(folder, f"baud={FASTEST} pagesize=64k", *options, end=b"untouched")
    return path


def test_walks_of_the_board_are_stepped_through(visit, trace) -> None:
    """To the first walk, level by level to its page, and back."""
    folder = trace.parent / "page"
    bundle.write_viewer(SOURCES, trace, folder)
    student = visit(page=folder / "index.html")
    assert "the MMU of the board ULX3S" in student.text("step")
    assert student.cycle == FIRST
    student.press("w")
    assert student.cycle == cycles_with(trace, "io_events_walk")[0] + 1
    over = lambda: "The walk is over" in student.sentence  # noqa: E731
    told = student.there_and_back("walk", end=over, keys=True)
    assert any("reads the level 3 descriptor" in said for _, said, _ in told)
