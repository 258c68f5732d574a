"""`make area`: LUTs, flip-flops, block RAMs and Fmax of units in named configurations."""

import json
import subprocess
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.area import plot, table  # noqa: E402
from tools.area.measure import PLAIN, TIMING, configuration, measure  # noqa: E402

WORK = ROOT / "build" / "area"
PUBLISHED = ROOT / "docs" / "data" / "area.json"
# What `make area` without UNIT measures: UNIT:CONFIG, or that with PLAIN or TIMING behind it.
EVERYTHING = (
    f"mmu:unprotected{PLAIN}",
    *(f"mmu:{config}" for config in ("ulx3s", "teaching", "small", "minimal", "wide")),
    *(f"mmu:{config}" for config in ("unprotected", "runtime", "fixed4k", "fixed16k", "fixed64k")),
    *("walker:ulx3s", "microtlb:ulx3s", "mmuip:ulx3s"),
    *("l1data:ulx3s", "l1fetch:ulx3s", "cpu:ulx3s", "axibridge:unprotected"),
    *("mmu:ulx3s_main", f"mmu:ulx3s_main{TIMING}"),
    *("simsoc:ulx3s", "simsoc:teaching", "simsoc:small", "simsoc:minimal"),
)


def known_rows() -> list[dict]:
    """Rows measured before: on this machine, else the published ones."""
    document = results.read("area")
    if document is None and PUBLISHED.exists():
        document = json.loads(PUBLISHED.read_text())
    return document["figures"] if document else []


def merge(rows: list[dict], row: dict) -> list[dict]:
    """The rows with one added, or replaced when unit and configuration were there already."""
    key = (row["unit"], row["config"])
    places = [(r["unit"], r["config"]) for r in rows]
    if key in places:
        return [row if place == key else old for place, old in zip(places, rows, strict=True)]
    return [*rows, row]


def generate(wanted: list[str]) -> None:
    """Verilog of the units behind their harness."""
    units = sorted({configuration(name) for name in wanted})
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "generate.log"
    with log.open("w") as output:
        done = subprocess.run(
            ["./mill", "--disable-ticker", "rtl.runMain", "granule.gen.AreaTops", WORK, *units],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        tail = "\n".join(log.read_text().splitlines()[-15:])
        raise click.ClickException(f"Verilog was not generated, log {log}, its end:\n{tail}")


@click.command()
@click.option(
    "--units", default="", help="UNIT:CONFIG[-plain|-timing] ... ; empty: what is published"
)
@click.option("--seeds", default="1 2 3", show_default=True, help="seeds of place and route")
@click.option("--publish/--no-publish", default=True, help="write docs/results.md and docs/data")
def main(units: str, seeds: str, publish: bool) -> None:
    """Measures units; merges the rows with those measured before."""
    wanted = [u if ":" in u else f"{u}:ulx3s" for u in units.split()] or list(EVERYTHING)
    click.echo(f"area: {len(wanted)} units, seeds {seeds}; generating Verilog")
    generate(wanted)
    rows = known_rows()
    command = f'make area UNIT="{" ".join(wanted)}"'
    for number, name in enumerate(wanted, 1):
        unit, label = name.split(":")
        click.echo(f"area: {number} of {len(wanted)}: {unit}, configuration {label}")
        verilog = WORK / f"{unit}_{configuration(label)}_harness.v"
        row = measure(unit, label, verilog, [int(s) for s in seeds.split()], click.echo)
        rows = merge(rows, row)
        path = results.write("area", "several", rows, seed=seeds, command=command)
    click.echo(f"area: figures in {path.relative_to(ROOT)}")
    if publish:
        PUBLISHED.parent.mkdir(parents=True, exist_ok=True)
        PUBLISHED.write_text(path.read_text())
        table.put(table.PAGE, "area", table.markdown(rows))
        table.put(table.PAGE, "granule", table.granule_cost(rows))
        table.put(table.PAGE, "paths", table.worst_paths(rows))
        plot.draw(rows, table.peers(), ROOT / "docs" / "area.svg")
        click.echo("area: table in docs/results.md, plot in docs/area.svg")


if __name__ == "__main__":
    main()
