"""What the size of the user half costs: document 003 names it as the next thing to choose at boot.

Each size is another boot of the same image. Fewer bits are fewer levels of tables."""

import re
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Boot, at_once  # noqa: E402
from figures.page import put, table  # noqa: E402
from tools.images.page import PAGE  # noqa: E402

# Page size and bits: each number of levels that there is, at its largest half.
BOOTS = (("4k", 31), ("4k", 30), ("16k", 31), ("16k", 25), ("64k", 31), ("64k", 29))
PAGES = 32
COLUMNS = {
    "fork, cycles a page": "E-fork",
    "munmap, cycles a page": "E-munmap",
    "walks": "E-walks",
    "descriptors read": "E-walk.reads",
}
LEVELS = re.compile(r"levels +(\d)")


def line(granule: str, bits: int) -> tuple:
    """One size of the user half, and what was measured with it."""
    run = Boot(f"pagesize={granule} va_bits={bits} run=e003 forkpages={PAGES}").run()
    values = (f"{run.figures[identity].value:.0f}" for identity in COLUMNS.values())
    return (granule, bits, LEVELS.search(run.text)[1], *values)


@click.command()
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(jobs: int) -> None:
    """Boots every size and writes the table of docs/page-size.md."""
    lines = at_once(jobs, lambda sizes: line(*sizes), BOOTS)
    shown = table(("page size", "`va_bits=`", "levels", *COLUMNS), lines)
    PAGE.write_text(put(PAGE.read_text(), "va_bits", shown))


if __name__ == "__main__":
    main()
