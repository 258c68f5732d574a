"""The board from its pins up: its loader takes a program over a bad serial line and starts it.

Builds the simulator and takes some minutes: `make board-test`.
"""

import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path

import pytest

from sim.simulator import simulate
from support.run import ROOT
from tools.board.protocol import Link
from tools.board.simulator import FASTEST, MHZ, SIMULATOR, running
from tools.board.test_upload import spoilt
from tools.board.upload import Program, upload

BANNER_END = b"waiting for a program\r\n"
GREETING = b"hello from SDRAM\r\n"
PROGRAM = Path(__file__).parent / "hello.S"
PATIENCE = 900  # seconds of the host for an answer; the simulator is far slower than the board
SETTLE = 2.0  # so that it gets to the end of a character
PARTS = ("MT48LC16M16A2", "AS4C32M16SB", "W9825G6JH6")
# The split of the memory with both switches off, for the fast simulator.
MEMORY = ("--lowmem", "24M", "--highmem", "8M")
DRIVER = ROOT / "build" / "sw" / "driver.elf"
# A row of cycles, as the driver prints it; a row of misses begins further right.
CYCLES = re.compile(r"^(  \S.*?) +(\d+) +(\d+)$", re.M)
REFRESH = 12  # cycles of the SDRAM at most: precharge, refresh, the row again

# `make board-test` builds what they need, and runs them.
pytestmark = pytest.mark.slow


def build_hello(folder: Path) -> Program:
    elf = folder / "hello.elf"
    flags = ["-march=rv32ima_zicsr_zifencei", "-mabi=ilp32", "-nostdlib", "-mno-relax"]
    flags += ["-Wl,-n,--no-relax,--no-warn-rwx-segments,-Ttext=0x80000000"]
    flags.append(f"-I{ROOT / 'build/include'}")
    subprocess.run(["riscv64-unknown-elf-gcc", *flags, "-o", elf, PROGRAM], check=True)
    return Program(elf, "text that nobody reads")


@pytest.fixture(scope="module")
def hello(tmp_path_factory) -> Program:
    return build_hello(tmp_path_factory.mktemp("board"))


@contextmanager
def at_three_megabits() -> Iterator[Link]:
    """The board in its loader."""
    with running() as line:
        link = Link(line, patience=PATIENCE, settle=SETTLE)
        read_until(link, BANNER_END)
        link.speed(3_000_000)
        yield link


def read_until(link: Link, end: bytes) -> bytes:
    """Serial output up to and with `end`."""
    text = b""
    while not text.endswith(end):
        byte = link.read(1, PATIENCE)
        assert byte, f"the board fell silent after {text!r}"
        text += byte
    return text


def check_driver(console: str) -> None:
    """What the small driver has printed so far is what it prints on the fast simulator. Cycles may
    differ by 1 % or by a refresh, whose moments differ (docs/decisions.md)."""
    text = console[console.index("Granule driver on ulx3s") :].replace("\r", "")
    expected = simulate(DRIVER, *MEMORY, config="ulx3s").passed().out.replace("\r", "")
    expected = expected[: len(text)]
    assert "pages of 4 KiB, colours: 4\n" in text
    assert CYCLES.sub(r"\1", text) == CYCLES.sub(r"\1", expected)
    for ours, theirs in zip(CYCLES.findall(text), CYCLES.findall(expected), strict=True):
        cycles = [int(count) for count in theirs[1:]]
        assert [int(n) for n in ours[1:]] == pytest.approx(cycles, rel=0.01, abs=REFRESH), ours[0]


@pytest.mark.parametrize("part", PARTS)
def test_a_damaged_upload_is_repeated_and_the_program_runs(part, hello):
    """The SDRAM model ends the run at the first violation of the chip's timing."""
    flip = spoilt(2, how=lambda frame: frame[:12] + bytes([frame[12] ^ 4]) + frame[13:])
    with running("--sdram", part) as line:
        link = Link(line, patience=PATIENCE, damage=flip)
        banner = read_until(link, BANNER_END)
        assert b"%d MHz, lowmem 24576 KiB, highmem 8192 KiB" % MHZ in banner
        upload(link, hello)
        assert link.repeats == 1
        assert read_until(link, GREETING) == GREETING
        assert BANNER_END in read_until(link, BANNER_END), "its reset starts the loader again"


def test_an_upload_is_packed_and_three_megabits_fast(hello):
    """Nothing holds the line back, so the loader has to keep up with it."""
    draw = random.Random(4)
    noise = draw.randbytes(9000)
    more = (0x80010000, bytearray(noise + b"a page table entry, " * 2000 + noise))
    with at_three_megabits() as link:
        program = copy(hello)
        program.parts = [*hello.parts, more]
        sent = []
        upload(link, program, lambda done, total: sent.append(total))
        assert link.repeats == 0
        assert sent[-1] < len(noise) * 11 // 10
        assert read_until(link, GREETING) == GREETING


def test_the_small_driver_is_uploaded_and_costs_what_it_costs_on_the_fast_simulator():
    """The end of the walk-through in docs/boards.md, at 3 Mbit/s."""
    with at_three_megabits() as link:
        upload(link, Program(DRIVER, f"baud={FASTEST}"))
        console = read_until(link, b"driver: 0 failures\r\n").decode(errors="replace")
    check_driver(console)


def test_the_chip_model_objects_to_a_controller_that_is_too_fast():
    """At twice the clock the times that were counted are half of what the chip needs."""
    arguments = ["--mhz", str(2 * MHZ), "--max-cycles", "100000"]
    done = subprocess.run(
        [SIMULATOR, *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode != 0
    assert b"REFRESH to REFRESH (tRFC)" in done.stderr
