"""From the mapped netlist of a board to Verilog that Verilator can run.

The LUTs, carries and flip-flops are replaced by what they compute, as Yosys' own models say; RAMs,
multipliers and pads stay cells (tb/tools/board/sim/cells.v, pads.v).
"""

import json
import shutil
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.pnr import ecp5, tools  # noqa: E402


def synthesis(top: str) -> list[str]:
    """The cells of the bitstream: the same commands make them."""
    return [
        f"read_verilog {top}.v",
        *ecp5.synthesis(top),
        "tee -q -o mapped.json stat -json",
        "write_verilog -noattr mapped.v",
    ]


def gates(top: str) -> list[str]:
    """What the cells compute in place of the cells."""
    return [
        "read_verilog mapped.v",
        "read_verilog -DNO_INCLUDES -overwrite +/ecp5/cells_sim.v",
        "read_verilog -lib -overwrite +/ecp5/cells_bb.v",
        "read_verilog -overwrite gates.v",
        f"hierarchy -top {top}",
        "proc",
        "flatten",
        "opt_expr",
        "opt_clean -purge",
        "write_verilog -noattr netlist.v",
    ]


@click.command()
@click.option("--top", required=True)
@click.option("--verilog", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--work", type=click.Path(path_type=Path), required=True)
def main(top: str, verilog: Path, work: Path) -> None:
    """Writes WORK/netlist.v."""
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(verilog, work / f"{top}.v")
    shutil.copy(Path(__file__).parent / "sim" / "gates.v", work / "gates.v")
    try:
        seconds = ecp5.yosys(synthesis(top), work)
        seconds += ecp5.yosys(gates(top), work, "gates.log")
    except tools.ToolFailed as failure:
        raise click.ClickException(str(failure)) from failure
    cells = json.loads((work / "mapped.json").read_text())["design"]["num_cells_by_type"]
    click.echo(
        f"netlist: {seconds:.0f} s, {sum(cells.values())} cells, {cells.get('LUT4', 0)} LUT4"
    )


if __name__ == "__main__":
    main()
