"""Parts of `make web`: what the compiler needs of the Verilog, and the folder for the browser."""

import json
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support.root import ROOT  # noqa: E402
from tools.web import bundle as folder  # noqa: E402
from tools.web.signals import Machine  # noqa: E402

MACHINES = {"mmu": ("mmu", ()), "soc": ("simsoc", ("mmu_1", "mmu_1"))}


@click.group()
def main() -> None:
    """See make web."""


@main.command()
@click.argument("machine", type=click.Choice(list(MACHINES)))
@click.argument("verilog", type=click.Path(path_type=Path, exists=True))
@click.argument("reading", type=click.Path(path_type=Path))
def signals(machine: str, verilog: Path, reading: Path) -> None:
    """signals.vlt and probes.inc of MACHINE here, and how to read its frames."""
    top, path = MACHINES[machine]
    found = Machine(verilog.read_text(), top, path)
    Path("signals.vlt").write_text(found.configuration())
    Path("probes.inc").write_text(found.probes())
    reading.write_text(json.dumps(found.reading()))


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
def bundle(out: Path) -> None:
    """The folder OUT: a page that works from a file."""
    size = folder.write(ROOT / "docs" / "web", ROOT / "build" / "web.build", out)
    click.echo(f"web: {out}/index.html, {size / 1e6:.2f} MB in all")


if __name__ == "__main__":
    main()
