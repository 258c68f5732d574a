"""The models of ECP5 and Gowin cells that the netlist simulations stand on."""

import random
from pathlib import Path

import pytest

from support.run import ROOT, run_unit

CELLS = ROOT / "tb" / "tools" / "board" / "sim" / "ecp5" / "cells.v"
GOWIN_CELLS = ROOT / "tb" / "tools" / "board" / "sim" / "gowin" / "cells.v"
# Shapes that the board's memories have: data of the data cache, instructions, tags.
WIDTHS = ((9, 9), (18, 18), (36, 36))


def wrapper(name: str, widths: tuple[int, int]) -> str:
    """The cell with its pins as buses."""
    ports = {"ADA": 14, "ADB": 14, "DIA": 18, "DIB": 18, "DOA": 18, "DOB": 18}
    pins = [f".{p}{i}({p.lower()}[{i}])" for p, width in ports.items() for i in range(width)]
    pins += [".CLKA(clk), .CLKB(clk), .CEA(cea), .CEB(ceb), .WEA(wea), .WEB(web)"]
    pins += [f".{p}{x}(1'b{v})" for x in "AB" for p, v in (("OCE", 1), ("RST", 0))]
    pins += [f".CS{x}{i}(1'b0)" for x in "AB" for i in range(3)]
    mode = "NORMAL" if widths[1] == 36 else "READBEFOREWRITE"
    return "\n".join(
        [
            f"module {name}(input clk, cea, ceb, wea, web, input [13:0] ada, adb,",
            "  input [17:0] dia, dib, output [17:0] doa, dob);",
            f"  DP16KD #(.DATA_WIDTH_A({widths[0]}), .DATA_WIDTH_B({widths[1]}),",
            f'    .WRITEMODE_A("{mode}"), .WRITEMODE_B("{mode}")) ram (',
            f"    {', '.join(pins)});",
            "endmodule\n",
        ]
    )


@pytest.mark.parametrize("widths", WIDTHS, ids=lambda widths: f"{widths[0]}x{widths[1]}")
def test_block_ram(widths, tmp_path: Path):
    name = f"dp16kd_{widths[0]}_{widths[1]}"
    source = tmp_path / f"{name}.v"
    source.write_text(wrapper(name, widths))
    run_unit(
        name,
        "tools.board.cocotb_dp16kd",
        sources=[CELLS],
        source=source,
        extra_env={"DP16KD_WIDTHS": f"{widths[0]} {widths[1]}"},
    )


START = random.Random(3).getrandbits(288)


@pytest.mark.parametrize("width, lanes", [(9, 1), (18, 2), (36, 4)])
def test_gowin_block_ram(width, lanes, tmp_path: Path):
    """The lanes' order is seen here only: the Tang Nano's netlist writes whole rows."""
    name = f"sdpx9b_{width}"
    source = tmp_path / f"{name}.v"
    source.write_text(
        f"module {name}(input clk, cea, input [13:0] ada, adb, input [35:0] di,\n"
        "  output [35:0] dout);\n"
        f"  wire [35:0] out;\n  assign dout = out & {{{width}{{1'b1}}}};\n"
        f"  SDPX9B #(.BIT_WIDTH_0({width}), .BIT_WIDTH_1({width}),\n"
        f"    .INIT_RAM_00(288'h{START:x})) ram (.CLKA(clk), .CLKB(clk), .CEA(cea), .CEB(1'b1),\n"
        "    .OCE(1'b1), .RESETA(1'b0), .RESETB(1'b0), .BLKSELA(3'b0), .BLKSELB(3'b0),\n"
        "    .ADA(ada), .ADB(adb), .DI(di), .DO(out));\nendmodule\n"
    )
    run_unit(
        name,
        "tools.board.cocotb_gowin_ram",
        sources=[GOWIN_CELLS],
        source=source,
        extra_env={"GOWIN_RAM": f"{width} {lanes}", "GOWIN_START": f"{START:x}"},
    )
