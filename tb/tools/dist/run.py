"""`make dist`: the archive of generated Verilog for other systems."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.dist import folder  # noqa: E402


@click.command()
@click.argument("generated", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
def main(generated: Path, out: Path) -> None:
    """From what the generator wrote into GENERATED, a folder and an archive in OUT."""
    blocks = out / f"{folder.NAME}-{folder.version()}"
    folder.complete(generated, blocks)
    to = out / f"{blocks.name}.tar.gz"
    folder.archive(blocks, to)
    click.echo(f"dist: {to}, {to.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
