"""What the simulations of boards and netlists stand on: the models of ECP5 and Gowin cells, and
that of the SDRAM (sim/sdram.cpp), whose memory is lost if nobody refreshes it."""

import random
import subprocess

import pytest

from support.run import ROOT, run_unit

SIM = ROOT / "tb" / "tools" / "board" / "sim"
START = random.Random(3).getrandbits(288)


def ecp5(width: int) -> str:
    """Width 36 is one access by both data ports: writes through A, reads through B."""
    buses = {p: (p.lower(), 0) for p in ("ADA", "ADB", "DIA", "DIB", "DOA", "DOB")}
    if width == 36:
        buses |= {"DIB": ("dia", 18), "DOA": ("dob", 0), "DOB": ("dob", 18)}
    pins = [
        f".{port}{i}({bus}[{first + i}])"
        for port, (bus, first) in buses.items()
        for i in range(14 if port.startswith("AD") else 18)
    ]
    pins += [".CLKA(clk), .CLKB(clk), .CEA(cea), .CEB(ceb), .WEA(wea), .WEB(web)"]
    pins += [f".{p}{x}(1'b{v})" for x in "AB" for p, v in (("OCE", 1), ("RST", 0))]
    pins += [f".CS{x}{i}(1'b0)" for x in "AB" for i in range(3)]
    mode = "NORMAL" if width == 36 else "READBEFOREWRITE"
    return f"""DP16KD #(.DATA_WIDTH_A({width}), .DATA_WIDTH_B({width}),
        .WRITEMODE_A("{mode}"), .WRITEMODE_B("{mode}")) ram ({", ".join(pins)});"""


def gowin(width: int) -> str:
    return f"""SDPX9B #(.BIT_WIDTH_0({width}), .BIT_WIDTH_1({width}), .INIT_RAM_00(288'h{START:x}))
      ram (.CLKA(clk), .CLKB(clk), .CEA(cea && wea), .CEB(ceb), .OCE(1'b1), .RESETA(1'b0),
        .RESETB(1'b0), .BLKSELA(3'b0), .BLKSELB(3'b0), .ADA(ada), .ADB(adb), .DI(dia), .DO(dob));"""


# Widths that the boards' memories have: data of the data cache, instructions, tags. The lanes'
# order of Gowin is seen here only: the Tang Nano's netlist writes whole rows.
@pytest.mark.parametrize("width", (9, 18, 36))
@pytest.mark.parametrize("cell", (ecp5, gowin), ids=("ecp5", "gowin"))
def test_block_ram(cell, width, tmp_path):
    name = f"{cell.__name__}_{width}"
    source = tmp_path / f"{name}.v"
    source.write_text(
        f"""module {name}(input clk, cea, wea, ceb, web, input [13:0] ada, adb,
          input [35:0] dia, dib, output [35:0] doa, dob);
          {cell(width)}
        endmodule
        """
    )
    both = cell is ecp5 and width < 36
    environment = {
        "RAM_WIDTH": str(width),
        "RAM_WRITERS": "ab" if both else "a",
        "RAM_READERS": "ab" if both else "b",
        "RAM_START": f"{START if cell is gowin else 0:x}",
    }
    cells = [SIM / "cells.v", SIM / cell.__name__ / "cells.v"]
    run_unit(name, "tools.board.cocotb_ram", sources=cells, source=source, extra_env=environment)


def test_the_sdram_keeps_what_is_refreshed_and_needs_a_new_start_else(tmp_path):
    """So does a system that is reset: its controller waits and starts the chip again."""
    program = tmp_path / "sdram"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]
    sources = [SIM.parent / "sdram_test.cpp", SIM / "sdram.cpp", ROOT / "tb/sim/error.cpp"]
    subprocess.run(["g++", *flags, *sources, "-o", program], check=True)
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    told = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    assert told["at once"] == told["refreshed"] == "1234"
    assert "command before the mode register was written again" in told["paused"]
    assert "refreshes since the start" in told["paused"]
    assert told["started again"] == "a5c3", "nothing is found of what was there"


def test_all_sources_beside_the_model_link_as_one_program():
    """The makefile takes all of them into the board's simulator."""
    mains = [path.name for path in SIM.glob("*.cpp") if "int main(" in path.read_text()]
    assert mains == ["board.cpp"]
