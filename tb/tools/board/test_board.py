"""The board from its pins up: its loader takes a program over a bad serial line and starts it.

Builds the simulator and takes some minutes: `make board-test`.
"""

import random
import subprocess
from copy import copy
from pathlib import Path

import pytest

from support.run import ROOT
from tools.board.link import Link
from tools.board.simulator import MHZ, SIMULATOR, running
from tools.board.upload import Program, upload

BANNER_END = b"waiting for a program\r\n"
GREETING = b"hello from SDRAM\r\n"
PROGRAM = Path(__file__).parent / "hello.S"
PATIENCE = 900  # seconds of the host for an answer; the simulator is far slower than the board
PARTS = ("MT48LC16M16A2", "AS4C32M16SB", "W9825G6JH6")

# `make board-test` builds what they need, and runs them.
pytestmark = pytest.mark.slow


def build_hello(folder: Path) -> Program:
    """A program that prints a line."""
    elf = folder / "hello.elf"
    flags = ["-march=rv32ima_zicsr_zifencei", "-mabi=ilp32", "-nostdlib", "-mno-relax"]
    link = ["-Wl,-n,--no-relax,--no-warn-rwx-segments,-Ttext=0x80000000"]
    include = f"-I{ROOT / 'build/include'}"
    subprocess.run(
        ["riscv64-unknown-elf-gcc", *flags, include, *link, "-o", elf, PROGRAM], check=True
    )
    return Program(elf, "text that nobody reads")


@pytest.fixture(name="hello", scope="module")
def fixture_hello(tmp_path_factory) -> Program:
    return build_hello(tmp_path_factory.mktemp("board"))


def read_until(link: Link, end: bytes) -> bytes:
    """Serial output up to and with `end`."""
    text = b""
    while not text.endswith(end):
        byte = link.read(1, PATIENCE)
        assert byte, f"the board fell silent after {text!r}"
        text += byte
    return text


@pytest.mark.parametrize("part", PARTS)
def test_a_damaged_upload_is_repeated_and_the_program_runs(part, hello):
    """The SDRAM model ends the run at the first violation of the chip's timing."""
    sent = []

    def damage(frame: bytes) -> bytes:
        sent.append(frame)
        spoilt = bytearray(frame)
        spoilt[12] ^= 4 if len(sent) == 2 else 0
        return bytes(spoilt)

    with running("--sdram", part) as (line, _):
        link = Link(line, patience=PATIENCE, damage=damage)
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
    with running() as (line, _):
        link = Link(line, patience=PATIENCE)
        read_until(link, BANNER_END)
        link.speed(3_000_000)
        program = copy(hello)
        program.parts = [*hello.parts, more]
        sent = []
        upload(link, program, lambda done, total: sent.append(total))
        assert link.repeats == 0
        assert sent[-1] < len(noise) * 11 // 10
        assert read_until(link, GREETING) == GREETING


def test_the_chip_model_objects_to_a_controller_that_is_too_fast():
    """At twice the clock the times that were counted are half of what the chip needs."""
    arguments = ["--mhz", str(2 * MHZ), "--max-cycles", "100000"]
    done = subprocess.run(
        [SIMULATOR, *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode != 0
    assert b"REFRESH to REFRESH (tRFC)" in done.stderr
