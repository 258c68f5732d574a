"""What keeps `make release` from a version: figures that are known to be stale, pages of another
version, changes that are not committed. The tag is made by a person."""

import re
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import stale  # noqa: E402
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from tools.dist import pack  # noqa: E402

# How each page says its version first.
PAGES = {"CHANGELOG.md": r"^## (\S+)$", "CITATION.cff": r"^version: (\S+)$"}


def other_versions(root: Path, version: str) -> list[str]:
    """Pages that are of another version than the package."""
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


@click.command(help=__doc__)
def main() -> None:
    if found := problems(stale.listed(), results.commit()):
        raise click.ClickException("\n  ".join(["no release:", *found]))
    click.echo(f"release: ready; when the archives are built: git tag -a v{pack.version()}")


if __name__ == "__main__":
    main()
