"""From the mapped netlist of a board to Verilog that Verilator can run.

The LUTs, carries and flip-flops are replaced by what they compute, as Yosys' own models say; RAMs,
multipliers and pads stay cells (cells.v and pads.v of tb/tools/board/sim/FAMILY).
"""

import json
import shutil
from pathlib import Path

import click

from tools.pnr import ecp5, gowin, tools

SIM = Path(__file__).parent / "sim"
SYNTHESIS = {"ecp5": ecp5.synthesis, "gowin": gowin.synthesis}
# Yosys' models of cells: what they compute, then what stays a cell.
MODELS = {
    "ecp5": (
        "read_verilog -DNO_INCLUDES -overwrite +/ecp5/cells_sim.v",
        "read_verilog -lib -overwrite +/ecp5/cells_bb.v",
    ),
    "gowin": (
        "read_verilog -overwrite +/gowin/cells_sim.v",
        "read_verilog -lib -overwrite +/gowin/cells_xtra_gw2a.v",
        "blackbox RAM16SDP4",
    ),
}


def scripts(family: str, top: str) -> tuple[list[str], list[str]]:
    """The same commands make the cells of the bitstream; then what they compute takes the place of
    the cells."""
    synthesis = [f"read_verilog {top}.v", *SYNTHESIS[family](top)]
    synthesis += ["tee -q -o mapped.json stat -json", "write_verilog -noattr mapped.v"]
    gates = ["read_verilog mapped.v", *MODELS[family], "read_verilog -overwrite gates.v"]
    gates += [f"hierarchy -top {top}", "proc", "flatten", "opt_expr", "opt_clean -purge"]
    return synthesis, [*gates, "write_verilog -noattr netlist.v"]


@click.command()
@click.option("--family", type=click.Choice(list(MODELS)), required=True)
@click.option("--top", required=True)
@click.option("--verilog", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--work", type=click.Path(path_type=Path), required=True)
def main(family: str, top: str, verilog: Path, work: Path) -> None:
    """Writes WORK/netlist.v."""
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(verilog, work / f"{top}.v")
    shutil.copy(SIM / family / "gates.v", work / "gates.v")
    synthesis, gates = scripts(family, top)
    seconds = tools.yosys(synthesis, work) + tools.yosys(gates, work, "gates.log")
    cells = json.loads((work / "mapped.json").read_text())["design"]["num_cells_by_type"]
    click.echo(
        f"netlist: {seconds:.0f} s, {sum(cells.values())} cells, {cells.get('LUT4', 0)} LUT4"
    )
