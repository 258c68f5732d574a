"""The cells that synthesis made of the Tang Nano 20K do in each cycle what its RTL does: the loader
boots and takes a program, which prints and resets the board; then come random bytes.

Builds for some minutes: `make netlist-test BOARD=tangnano20k`.
"""

import random
from bisect import bisect

import pytest

from support.host import output
from support.run import ROOT
from tools.board.protocol import ENTER, Frame
from tools.board.test_board import BANNER_END, GREETING, build_hello
from tools.board.test_boards import variables
from tools.board.upload import Program, plan

MHZ = int(variables((ROOT / "fpga/tangnano20k/board.mk").read_text())["MHZ_20"])
BIT = (MHZ * 1_000_000 + 57_600) // 115_200
BYTE = 12 * BIT  # with a pause
BANNER = 800_000  # the loader waits by then
CYCLES = 3_000_000
PROGRAMS = {name: ROOT / "build" / f"granule-{name}-pins" for name in ("netlist", "rtl")}

# `make netlist-test` builds what they need, and runs them.
pytestmark = pytest.mark.slow


def stimulus(program: Program) -> list[str]:
    """Lines `cycle byte`: an upload whose frames leave time for their answers, then noise."""
    lines, cycle = [], BANNER
    for number, frame in enumerate([*plan(program), Frame(ENTER, program.entry)], 1):
        for byte in frame.encode(number):
            lines.append(f"{cycle} {byte}")
            cycle += BYTE
        cycle += 10 * BYTE
    noise = random.Random(5).randbytes(400)
    cycle = max(cycle, CYCLES - len(noise) * BYTE)
    return [*lines, *(f"{cycle + n * BYTE} {byte}" for n, byte in enumerate(noise))]


def console(log: list[str]) -> bytes:
    """What uart_tx says: the level in the middle of each bit."""
    cycles, levels = zip(*(map(int, line.split()[:2]) for line in log), strict=True)

    def level_at(cycle: int) -> int:
        return levels[bisect(cycles, cycle) - 1]

    text, free = bytearray(), 100_000  # the reset after power-up is over
    for start, level in zip(cycles, levels, strict=True):
        if level or start < free:
            continue
        bits = [level_at(start + BIT // 2 + n * BIT) for n in range(1, 9)]
        text.append(sum(bit << n for n, bit in enumerate(bits)))
        free = start + 9 * BIT + BIT // 2
    return bytes(text)


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("pins")
    given = folder / "stimulus"
    given.write_text("\n".join(stimulus(build_hello(folder))) + "\n")
    return {n: output(program, given, CYCLES).splitlines() for n, program in PROGRAMS.items()}


def test_the_rtl_boots_takes_the_program_and_resets(logs):
    """Else the comparison would be one of little."""
    said = console(logs["rtl"])
    assert said.count(BANNER_END) >= 2 and GREETING in said, said
    assert b"%d MHz, lowmem 32 KiB" % MHZ in said


def test_every_output_is_the_rtls_in_each_cycle(logs):
    assert len(logs["rtl"]) > 1000
    for mine, theirs in zip(logs["netlist"], logs["rtl"], strict=False):
        assert mine == theirs, f"cycle, uart_tx, led of the netlist: {mine}; of the RTL: {theirs}"
    assert len(logs["netlist"]) == len(logs["rtl"])
