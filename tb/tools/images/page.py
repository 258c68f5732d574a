"""The tables of docs/page-size.md: forms of a constant that boot decides, beside a known one, and
what is in the code."""

import re
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.rows import SPREADS, spreads  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.images import text  # noqa: E402
from tools.images.compare import BOOT, part, sizes_of  # noqa: E402

PAGE = ROOT / "docs" / "page-size.md"
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


def markdown(head: tuple[str, ...], lines: list[tuple[str, ...]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ("---",) * len(head), *lines))


def replaced(text: str, marker: str, content: str) -> str:
    """The text with other content between its markers. Raises when it has none."""
    pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)", re.DOTALL)
    if not pattern.search(text):
        raise click.ClickException(f"{PAGE.name} has no markers <!-- {marker} -->")
    return pattern.sub(lambda m: m[1] + content + "\n" + m[2], text)


def cell(identity: str) -> str:
    found = spreads().get((identity, "teaching", "4k"))
    if not found:
        raise click.ClickException(f"docs/data/figures.json has no {identity}; run make figures")
    least, median, most = (f"{found[n]:.3f}" for n in ("least", "median", "most"))
    return median if least == most else f"{least} **{median}** {most}"


def table() -> str:
    """One row a form."""
    fixed = part(sizes_of("sw-fixed-4k")).text
    lines = []
    for suffix, (form, image) in FORMS.items():
        cells = [cell(identity + suffix) for identity in COLUMNS.values()]
        lines.append((form, *cells, f"{part(sizes_of(image)).text / fixed:.3f}"))
    return markdown(("constant is", *COLUMNS, "code"), lines)


@click.command()
def main() -> None:
    """Writes what `make figures` measured and the images hold into docs/page-size.md."""
    parts, largest = (markdown(*rows) for rows in text.tables())
    page = replaced(replaced(PAGE.read_text(), "code", parts), "functions", largest)
    PAGE.write_text(page)
    click.echo(f"written: {PAGE.relative_to(ROOT)}")
    if not SPREADS.exists():
        click.echo("no docs/data/figures.json yet: its table of forms stays as it is")
        return
    PAGE.write_text(replaced(page, "forms", table()))


if __name__ == "__main__":
    main()
