"""The firmware on the board from its pins up: it boots, tests itself, runs the experiments of
four documents, and takes as many cycles as on the fast simulator, whose memory has the board's
timing.

The image lies in the SDRAM from the start, as its upload at the real divisor would take half an
hour; uploads have tests of their own (test_board.py). The loader starts it, by one frame.
"""

import json
import re
from pathlib import Path

import pytest

from figures.rows import row_of
from granule.figures import Figure, split
from sim.simulator import simulate
from support import results
from support.run import ROOT
from system.sw.firmware import MAX_CYCLES
from tools.board.protocol import ENTER, Frame, Link
from tools.board.simulator import FASTEST, SIMULATOR, running
from tools.board.test_board import BANNER_END, MEMORY, PATIENCE, read_until
from tools.board.upload import Program
from tools.web import bundle

FIRMWARE = ROOT / "build" / "sw" / "granule.elf"
LOWMEM = 0x80000000
# Document 000 runs its arms A B B A, and once each with the document's mix.
ARMS = ("highmem", "lowmem", "lowmem", "highmem", "highmem", "lowmem")
# What is left over of a value, in percent of it: such may differ by so many points. They move with
# the moments at which the memory is refreshed, most likely (docs/decisions.md).
RESIDUALS = {"A-3.line": 0.5, "H0.4": 0.05}
READ, TABLE = "io_walk_cmd_payload_address", "io_context_ttbr1"
LAST_LINE = b" warnings\r\n"
ARGUMENTS = f"baud={FASTEST} pagesize=4k run=all"
SLOWER = "3000000"  # what the fast simulator's clock of 25 MHz divides to; it is as long a word

# `make board-test` builds what they need, and runs them.
pytestmark = pytest.mark.slow


def flat(program: Program) -> bytes:
    """What the program puts into lowmem, from its start."""
    image = bytearray()
    for address, part in program.parts:
        end = address - LOWMEM + len(part)
        image.extend(bytes(max(0, end - len(image))))
        image[end - len(part) : end] = part
    return bytes(image)


def boot(
    folder: Path,
    arguments: str,
    *options: str,
    elf: Path = FIRMWARE,
    simulator: Path = SIMULATOR,
    end: bytes = LAST_LINE,
) -> str:
    """Console text of one boot, up to `end`."""
    program = Program(elf, arguments)
    image = folder / "sdram.bin"
    image.write_bytes(flat(program))
    with running("--store", str(image), *options, simulator=simulator) as line:
        link = Link(line, patience=PATIENCE)
        read_until(link, BANNER_END)
        link.send(Frame(ENTER, program.entry))
        return read_until(link, end).decode(errors="replace")


def arms(lines: list[str]) -> list[int]:
    """Kernel, user and all cycles of each arm of document 000, in the order in which they ran."""
    rows = [re.match(r"  (?:highmem|lowmem) +(\d+) +(\d+) +(\d+) ", line) for line in lines]
    return [int(cycles) for row in rows if row for cycles in row.groups()]


@pytest.fixture(scope="module")
def board(tmp_path_factory) -> tuple[list[str], dict[str, Figure]]:
    """Console lines and figures of one run on the board."""
    console = boot(tmp_path_factory.mktemp("board"), ARGUMENTS)
    text, figures = split(console.replace("\r", ""), "ulx3s-board")
    rows = [row_of(figure).as_json() for figure in figures]
    results.write("board-4k", "ulx3s", rows, command="make board-test")
    return text, {figure.id: figure for figure in figures}


def test_the_console_changes_its_speed_between_two_characters(board):
    """The loader's last answer is still on its way when the firmware starts; nothing is spoilt."""
    text, _ = board
    assert "Granule firmware" in text
    at = text.index(f"console goes on at {FASTEST} baud")
    assert text[at + 1].startswith("  machine "), text


def test_what_run_all_means_runs_on_the_board(board):
    text, figures = board
    titles = [line for line in text if line.startswith("=== ")]
    for document in ("000", "001", "002", "004"):
        assert any(f"document {document}" in title for title in titles), titles
    assert [f.id for f in figures.values() if f.verdict == "FAIL"] == []
    assert len(figures) >= 40


def test_the_fast_simulator_counts_the_same_cycles(board):
    """Each figure, and each arm's kernel, user and all cycles, within 1 %; but for what is
    left over of a value, which is small."""
    text, figures = board
    arguments = ARGUMENTS.replace(str(FASTEST), SLOWER)
    options = ("--append", arguments, *MEMORY, "--max-cycles", str(MAX_CYCLES))
    fast = simulate(FIRMWARE, *options, config="ulx3s")
    lines, expected = split(fast.out.replace("\r", ""), "ulx3s")
    assert fast.status == 0, fast.out
    assert len(arms(lines)) == 3 * len(ARMS)
    assert arms(text) == pytest.approx(arms(lines), rel=0.01)
    ours = {figure.id: figure.value for figure in expected}
    assert figures.keys() == ours.keys()
    for name, figure in figures.items():
        within = {"abs": RESIDUALS[name]} if name in RESIDUALS else {"rel": 0.01}
        assert figure.value == pytest.approx(ours[name], **within), name


def test_what_its_mmu_does_can_be_traced(tmp_path):
    """The page of traces takes it; the walks begin at the table that TTBR1_EL1 names."""
    trace = tmp_path / "board.jsonl"
    options = ("--trace-mmu", str(trace), "--trace-start", "1750000", "--trace-cycles", "200000")
    boot(tmp_path, f"baud={FASTEST} pagesize=64k", *options, end=b"untouched")
    bundle.write_viewer(ROOT / "docs" / "web", trace, tmp_path / "page")
    now, reads = {}, []
    for line in trace.read_text().splitlines()[1:]:
        now |= json.loads(line)["set"]
        if now.get("io_walk_cmd_valid") == "1":
            address, table = (int(now[name], 16) for name in (READ, TABLE))
            reads.append(address >> 16 == table >> 16)
    assert reads and any(reads)
