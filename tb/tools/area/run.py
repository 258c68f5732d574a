"""`make area`: LUTs, flip-flops, block RAMs and Fmax of units in named configurations."""

import click

from figures.measure import Measured, merged
from support import results
from support.run import ROOT
from tools.area import table
from tools.area.measure import PLAIN, TIMING, configuration, measure
from tools.pnr import tools

WORK = ROOT / "build" / "area"
# What `make area` without UNIT measures: UNIT:CONFIG, or that with PLAIN or TIMING behind it.
EVERYTHING = (
    *(f"mmu:{config}{PLAIN}" for config in ("unprotected", "small", "minimal")),
    *(f"mmu:{config}" for config in ("ulx3s", "teaching", "small", "minimal", "wide")),
    *(f"mmu:{config}" for config in ("unprotected", "runtime", "fixed4k", "fixed16k", "fixed64k")),
    *("walker:ulx3s", "microtlb:ulx3s", "mmuip:ulx3s"),
    *("l1data:ulx3s", "l1fetch:ulx3s", "cpu:ulx3s", "axibridge:unprotected"),
    *("mmu:ulx3s_main", f"mmu:ulx3s_main{TIMING}"),
    *("simsoc:ulx3s", "simsoc:teaching", "simsoc:small", "simsoc:minimal"),
)


PAGE = "docs/results.md"
MEASURED = Measured(
    "area", "make area", "several",
    {(PAGE, "area"): table.section, (PAGE, "granule"): table.granule_cost,
     (PAGE, "paths"): table.worst_paths},
    draws={"docs/area.svg": table.draw},
)  # fmt: skip


@click.command()
@click.option(
    "--units", default="", help="UNIT:CONFIG[-plain|-timing] ... ; empty: what is published"
)
@click.option("--seeds", default="1 2 3", show_default=True, help="seeds of place and route")
def main(units: str, seeds: str) -> None:
    """Measures units; merges the rows with those measured before."""
    wanted = [u if ":" in u else f"{u}:ulx3s" for u in units.split()] or list(EVERYTHING)
    click.echo(f"area: {len(wanted)} units, seeds {seeds}; generating Verilog")
    WORK.mkdir(parents=True, exist_ok=True)
    tools.generate("AreaTops", WORK, *sorted({configuration(name) for name in wanted}))
    # Rows measured before: on this machine, else the published ones.
    rows = (results.read("area") or MEASURED.recorded())["figures"]
    command = f'make area UNIT="{" ".join(wanted)}"'
    for number, name in enumerate(wanted, 1):
        unit, label = name.split(":")
        click.echo(f"area: {number} of {len(wanted)}: {unit}, configuration {label}")
        verilog = WORK / f"{unit}_{configuration(label)}_harness.v"
        row = measure(unit, label, verilog, [int(s) for s in seeds.split()], click.echo)
        rows = merged(rows, [row], "unit", "config")
        path = results.write("area", MEASURED.configuration, rows, seed=seeds, command=command)
    click.echo(f"area: figures in {path.relative_to(ROOT)}")
    MEASURED.publish()
