"""`make dist`: the archives for those who do not build Granule. `make release`: what keeps them
from being a version."""

import re
import shutil
from pathlib import Path

import click

from figures import scoreboard
from support import results
from support.root import ROOT
from tools.dist import classroom, folder, pack

# How each page says its version first.
PAGES = {"CHANGELOG.md": r"^## (\S+)$", "CITATION.cff": r"^version: (\S+)$"}
EXISTING = click.Path(path_type=Path, exists=True)


def other_versions(root: Path, version: str) -> list[str]:
    found = []
    for page, form in PAGES.items():
        said = re.search(form, (root / page).read_text(), re.M)[1]
        if said != version:
            found.append(f"{page} says {said}, pyproject.toml {version}")
    return found


def problems(listed: dict[str, str], commit: str, root: Path = ROOT) -> list[str]:
    """A line each."""
    found = [f"docs/data/stale.toml lists {name}: {reason}" for name, reason in listed.items()]
    if commit.endswith("-dirty"):
        found.append("files are changed and not committed")
    return found + other_versions(root, pack.version())


def packed(name: str, out: Path, complete) -> None:
    whole = out / f"{name}-{pack.version()}"
    shutil.rmtree(whole, ignore_errors=True)
    try:
        complete(whole)
    except classroom.NotPortable as error:
        raise click.ClickException(str(error)) from None
    to = out / f"{whole.name}.tar.gz"
    pack.archive(whole, to)
    click.echo(f"dist: {to}, {to.stat().st_size / 1e6:.2f} MB")


@click.group()
def main() -> None:
    """`blocks` and `labs` each write a folder and an archive of it into OUT."""


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


@main.command()
def release() -> None:
    """Whether figures are known to be stale, pages are of another version, or changes are not
    committed. The tag is made by a person."""
    if found := problems(scoreboard.stale(), results.commit()):
        raise click.ClickException("\n  ".join(["no release:", *found]))
    click.echo(f"release: ready; when the archives are built: git tag -a v{pack.version()}")
