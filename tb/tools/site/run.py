"""Writes the folder of `make site`."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support.root import ROOT  # noqa: E402
from tools.site.build import Site  # noqa: E402
from tools.site.links import Broken  # noqa: E402


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--machine", default=ROOT / "build/web", type=click.Path(path_type=Path))
@click.option("--registers", default=ROOT / "build/include", type=click.Path(path_type=Path))
def main(out: Path, machine: Path, registers: Path) -> None:
    """The folder OUT, for any static host or to be opened from a file."""
    described = {
        path.stem.removeprefix("granule_"): path.read_text()
        for path in sorted(registers.glob("granule_*.html"))
    }
    if not described:
        raise click.ClickException(f"{registers} has no granule_*.html; make includes writes them")
    if not (machine / "index.html").exists():
        raise click.ClickException(f"{machine} has no index.html; make web writes it")
    try:
        number = Site(ROOT, described).write(machine, out)
    except Broken as error:
        raise click.ClickException(f"links that lead nowhere\n{error}") from None
    click.echo(f"site: {out}/index.html, {number} pages")


if __name__ == "__main__":
    main()
