"""Parts of `make web`: what the compiler needs of the Verilog, and the folder for the browser."""

import json
from pathlib import Path

import click

from support.root import ROOT
from tools.web import bundle as folder
from tools.web.signals import Machine

MACHINES = {
    "mmu": ("mmu", ()),
    "soc": ("simsoc", ("mmu_1", "mmu_1")),
    "board": ("ulx3s", ("system", "soc_1", "mmu_1", "mmu_1")),
}


@click.group()
def main() -> None:
    """See make web."""


@main.command()
@click.argument("machine", type=click.Choice(list(MACHINES)))
@click.argument("verilog", type=click.Path(path_type=Path, exists=True))
@click.option("--reading", type=click.Path(path_type=Path), help="Writes reading.inc's text there.")
def signals(machine: str, verilog: Path, reading: Path | None) -> None:
    """Here for MACHINE: signals.vlt, probes.inc, and reading.inc, how its frames are read."""
    top, path = MACHINES[machine]
    found = Machine(verilog.read_text(), top, path)
    Path("signals.vlt").write_text(found.configuration())
    Path("probes.inc").write_text(found.probes())
    text = json.dumps(found.reading())
    Path("reading.inc").write_text(f'R"json({text})json"\n')
    if reading:
        reading.write_text(text)


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
def bundle(out: Path) -> None:
    """The folder OUT: a page that works from a file."""
    size = folder.write(ROOT / "docs" / "web", ROOT / "build" / "web.build", out)
    click.echo(f"web: {out}/index.html, {size / 1e6:.2f} MB in all")


@main.command()
@click.argument("trace", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
def viewer(trace: Path, out: Path) -> None:
    """The folder OUT: the page in which TRACE is stepped through."""
    try:
        folder.write_viewer(ROOT / "docs" / "web", trace, out)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"viewer: open {out}/index.html")
