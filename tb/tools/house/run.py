"""`make house`: how large the RTL is, by rooms, and what a reader opens on each route.

A route is a block of docs/house.md: the files that one has to open, in their order. Branches are
what decides while Verilog is written: `if` (a circuit has `when`), `match`, `generate`, and what a
value that may be absent is asked (`getOrElse`, `foreach` and `fold` of an Option).

Exit status: 0; 1 if a route names a file that is not there.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from support.root import ROOT

RTL = ROOT / "rtl/src/granule"
PAGE = ROOT / "docs/house.md"
CORE = ("arch", "mmu")
ROUTE = re.compile(r"^```route ([^\n]*)\n(.*?)^```$", re.M | re.S)
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\n\\])*\"", re.S)
BRANCH = re.compile(r"\bif\b|\bmatch\b|\bgenerate\b|\.getOrElse\b|\.fold\b|Option\(")


def branches(text: str) -> int:
    return len(BRANCH.findall(NOT_CODE.sub(" ", text)))


def sizes(paths: Iterable[Path]) -> tuple[int, int, int]:
    """Files, lines and branches."""
    texts = [path.read_text() for path in paths]
    return len(texts), sum(t.count("\n") for t in texts), sum(map(branches, texts))


def room(*names: str) -> list[Path]:
    return sorted(path for name in names for path in (RTL / name).rglob("*.scala"))


def routes() -> dict[str, list[Path]]:
    """What to open on each; a name without a folder is in that of the name before."""
    found = {}
    for name, body in ROUTE.findall(PAGE.read_text()):
        folder, found[name] = "", []
        for word in body.split():
            folder = word.rpartition("/")[0] or folder
            found[name].append(RTL / folder / f"{word.rpartition('/')[2]}.scala")
    return found


def table() -> list[tuple[str, int, int, int]]:
    rooms = [path.name for path in sorted(RTL.iterdir()) if path.is_dir()]
    rows = [(name, *sizes(room(name))) for name in rooms]
    rows += [(" + ".join(CORE), *sizes(room(*CORE))), ("all", *sizes(room(*rooms)))]
    return rows + [(f"route: {name}", *sizes(paths)) for name, paths in routes().items()]


@click.command()
def main() -> None:
    """Count files, lines and branches of the RTL, by rooms and routes."""
    missing = [path for paths in routes().values() for path in paths if not path.exists()]
    if missing:
        click.echo(f"house: docs/house.md names {missing[0].relative_to(ROOT)}, no file", err=True)
        sys.exit(1)
    click.echo(f"{'':36}files  lines  branches")
    for name, *counts in table():
        click.echo("{:36}{:5}{:7}{:10}".format(name, *counts))
