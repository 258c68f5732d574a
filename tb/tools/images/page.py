"""The tables of docs/page-size.md: forms of a constant that boot decides, beside a known one, and
what is in the code."""

from collections.abc import Iterable

import click

from figures.page import put, table
from figures.rows import spreads
from support.root import ROOT
from tools.images import text
from tools.images.compare import BOOT, part, sizes_of

NAME = "docs/page-size.md"
PAGE = ROOT / NAME
FORMS = {
    "": ("patched into instructions", BOOT),
    "-hoisted": ("loaded, once a function", "sw-boot-hoisted"),
    "-plain": ("loaded at each use, as in the document", "sw-boot-plain"),
}
COLUMNS = {
    "fork, cycles": "H3.5",
    "munmap, cycles": "H3.6",
    "fork, instructions": "E-fork.instructions.ratio",
    "munmap, instructions": "E-munmap.instructions.ratio",
}


def spread(values: Iterable[float], digits: int) -> str:
    """Least, median and most; one number if they are the same."""
    least, median, most = (f"{value:.{digits}f}" for value in values)
    return median if least == most else f"{least} **{median}** {most}"


def cell(identity: str) -> str:
    found = spreads().get((identity, "teaching", "4k"))
    if not found:
        raise click.ClickException(f"docs/data/figures.json has no {identity}; run make figures")
    return spread((found[name] for name in ("least", "median", "most")), 3)


def forms() -> str:
    fixed = part(sizes_of("sw-fixed-4k")).text
    lines = []
    for suffix, (form, image) in FORMS.items():
        cells = [cell(identity + suffix) for identity in COLUMNS.values()]
        lines.append((form, *cells, f"{part(sizes_of(image)).text / fixed:.3f}"))
    return table(("constant is", *COLUMNS, "code"), lines)


@click.command()
def main() -> None:
    """Writes what `make figures` measured and the images hold into docs/page-size.md."""
    parts, largest = text.tables()
    page = put(put(PAGE.read_text(), "code", parts), "functions", largest)
    PAGE.write_text(put(page, "forms", forms()))
    click.echo(f"written: {NAME}")
