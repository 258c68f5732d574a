"""`make dist`: the archives for those who do not build Granule."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.dist import classroom, folder, pack  # noqa: E402

EXISTING = click.Path(path_type=Path, exists=True)


def packed(name: str, out: Path, complete) -> None:
    whole = out / f"{name}-{pack.version()}"
    try:
        complete(whole)
    except classroom.NotPortable as error:
        raise click.ClickException(str(error)) from None
    to = out / f"{whole.name}.tar.gz"
    pack.archive(whole, to)
    click.echo(f"dist: {to}, {to.stat().st_size / 1e6:.2f} MB")


@click.group()
def main() -> None:
    """Each writes a folder and an archive of it into OUT."""


@main.command()
@click.argument("generated", type=EXISTING)
@click.argument("out", type=click.Path(path_type=Path))
def blocks(generated: Path, out: Path) -> None:
    """Verilog for other systems, from what the generator wrote into GENERATED."""
    packed(folder.NAME, out, lambda whole: folder.complete(generated, whole))


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("built", type=EXISTING, nargs=-1, required=True)
def labs(out: Path, built: tuple[Path, ...]) -> None:
    """The labs for a class, with files of build/ that were BUILT for them."""
    packed(classroom.NAME, out, lambda whole: classroom.complete(built, whole))


if __name__ == "__main__":
    main()
