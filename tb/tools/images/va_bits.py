"""What the size of the user half costs: document 003 names it as the next thing to choose at boot.

Each size is another boot of the same image. Fewer bits are fewer levels of tables."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import boots  # noqa: E402
from granule.figures import split  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.images.page import PAGE, markdown, replaced  # noqa: E402

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


@dataclass(frozen=True)
class Boot:
    """One size of the user half, and what was measured with it."""

    granule: str
    bits: int
    levels: str
    values: tuple[float, ...]


def boot(granule: str, bits: int) -> Boot:
    plan = boots.Plan("va_bits", f"va_bits={bits} run=e003 forkpages={PAGES}")
    image = boots.FIRMWARE
    text = boots.console(boots.Boot(plan, "teaching", granule), image, ROOT / "build")
    values = {figure.id: figure.value for figure in split(text, "teaching")[1]}
    return Boot(granule, bits, LEVELS.search(text)[1], tuple(values[n] for n in COLUMNS.values()))


def table(measured: list[Boot]) -> str:
    head = ("page size", "`va_bits=`", "levels", *COLUMNS)
    return markdown(
        head,
        [(b.granule, str(b.bits), b.levels, *(f"{v:.0f}" for v in b.values)) for b in measured],
    )


@click.command()
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(jobs: int) -> None:
    """Boots every size and writes the table of docs/page-size.md."""
    with ThreadPoolExecutor(jobs) as pool:
        measured = list(pool.map(lambda sizes: boot(*sizes), BOOTS))
    PAGE.write_text(replaced(PAGE.read_text(), "va_bits", table(measured)))


if __name__ == "__main__":
    main()
