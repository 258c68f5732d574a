"""make entry-figures: what the size of an entry costs, `entry=64|128` at boot, on the machine that
has both; va-bits: what the size of the user half costs, which document 003 names as the next thing
to choose at boot. Fewer bits are fewer levels of tables.

Each size is another boot of the image that chooses. At 4K, where a fork is most of all work on
entries, two images of the same sources stand beside it that know their size. As with the page size
the choice is measured at 16 places of code and data; what a size costs, at 4."""

import re
import statistics
import tempfile
from itertools import product
from pathlib import Path
from typing import NamedTuple

import click

from figures.boots import PLACEMENTS, link
from figures.measure import Boot, Measured, at_once
from figures.page import put, table
from support.results import commit
from support.run import ROOT, built
from tools.images.page import NAME, PAGE, spread

MACHINE = "wide"
SIZES = (64, 128)
CHOOSES = "sw-wide"
KNOWS = {64: "sw", 128: "sw-wide-4k"}
BASE = "4k"  # where the choice is measured
FEW, MANY = 32, 192  # pages of a fork: at every page size, and what document 003 forks
PLACES = 4  # where FEW are forked
COLUMNS = {
    "fork, instructions a page": "E-fork.instructions",
    "fork, cycles": "E-fork",
    "munmap, instructions": "E-munmap.instructions",
    "munmap, cycles": "E-munmap",
    "walks": "E-walks",
    "descriptors read": "E-walk.reads",
}
CALLS = list(COLUMNS)[:4]
GEOMETRY = re.compile(r"levels +(\d) .*one PTE page maps (.*)")


class Placed(NamedTuple):
    """One boot of document 003's experiment: an image at one place."""

    granule: str
    image: str
    entry: int
    pages: int
    place: int

    def measure(self, folder: Path) -> dict:
        """Levels, reach of a PTE page, and the figures by column."""
        arguments = f"pagesize={self.granule} entry={self.entry} run=e003 forkpages={self.pages}"
        elf = link(ROOT / "build" / self.image, self.place, folder / str(hash(self)))
        run = Boot(arguments, MACHINE).run(elf, max_cycles=400_000_000)
        levels, reach = GEOMETRY.search(run.text).groups()
        values = {column: run.figures[identity].value for column, identity in COLUMNS.items()}
        return self._asdict() | {"levels": levels, "reach": reach.strip(), "values": values}


def all_boots() -> list[Placed]:
    chosen = product(PLACEMENTS, [CHOOSES], SIZES, [FEW], range(PLACES))
    pairs = [
        (BASE, image, entry, MANY, place)
        for entry, knows in KNOWS.items()
        for image, place in product((CHOOSES, knows), range(PLACEMENTS[BASE]))
    ]
    return [Placed(*boot) for boot in (*chosen, *pairs)]


def chosen_by(rows: list[dict], **wanted: object) -> list[dict]:
    """The rows with these fields, by place."""
    found = [row for row in rows if row.items() >= wanted.items()]
    return sorted(found, key=lambda row: row["place"])


def three(values: list[float], digits: int) -> str:
    return spread((min(values), statistics.median_low(values), max(values)), digits)


def sizes_table(recorded: dict) -> str:
    """Both sizes of an entry, chosen by the same image: the median of the places."""
    lines = []
    for granule, entry in product(PLACEMENTS, SIZES):
        found = chosen_by(recorded["boots"], granule=granule, image=CHOOSES, entry=entry, pages=FEW)
        medians = (statistics.median_low([r["values"][c] for r in found]) for c in COLUMNS)
        cells = (f"{median:.0f}" for median in medians)
        lines.append((granule, str(entry), found[0]["levels"], found[0]["reach"], *cells))
    return table(("page size", "`entry=`", "levels", "a PTE page maps", *COLUMNS), lines)


def choice_table(recorded: dict) -> str:
    """The image that chooses, over the ones that know, place by place."""
    lines = []
    for entry, knows in KNOWS.items():
        ours, theirs = (
            chosen_by(recorded["boots"], granule=BASE, image=image, entry=entry, pages=MANY)
            for image in (CHOOSES, knows)
        )
        pairs = [(a["values"], b["values"]) for a, b in zip(ours, theirs, strict=True)]
        lines.append(
            (BASE, str(entry), *(three([a[c] / b[c] for a, b in pairs], 3) for c in CALLS))
        )
    return table(("page size", "`entry=`", *CALLS), lines)


MEASURED = Measured(
    "entries", "make entry-figures", MACHINE,
    {(NAME, "entry_sizes"): sizes_table, (NAME, "entry_choice"): choice_table},
)  # fmt: skip


def committed() -> str:
    """The commit that is measured. What is not committed could not be measured again."""
    if (name := commit()).endswith("-dirty"):
        raise click.ClickException(
            f"files differ from commit {name.removesuffix('-dirty')}; commit them, or the figures "
            f"in {NAME} cannot be measured again"
        )
    return name


jobs = click.option("--jobs", default=2, show_default=True, help="simulations at once")


@click.command()
@jobs
def main(jobs: int) -> None:
    """Boots the images at all places; writes docs/data/entries.json and two tables of
    docs/page-size.md."""
    measured = committed()
    built("wide")
    built("build/sw/granule.elf")
    with tempfile.TemporaryDirectory() as folder:
        rows = at_once(jobs, lambda boot: boot.measure(Path(folder)), all_boots())
    MEASURED.write({"command": MEASURED.command, "commit": measured, "boots": rows})


# ---- the user half: page size and bits; each number of levels that there is, at its largest half
HALVES = (("4k", 31), ("4k", 30), ("16k", 31), ("16k", 25), ("64k", 31), ("64k", 29))
OF_HALVES = {
    "fork, cycles a page": "E-fork",
    "munmap, cycles a page": "E-munmap",
    "walks": "E-walks",
    "descriptors read": "E-walk.reads",
}


def half(granule: str, bits: int) -> tuple:
    """One size of the user half, and what was measured with it."""
    run = Boot(f"pagesize={granule} va_bits={bits} run=e003 forkpages={FEW}").run()
    values = (f"{run.figures[identity].value:.0f}" for identity in OF_HALVES.values())
    return (granule, bits, GEOMETRY.search(run.text)[1], *values)


@click.command()
@jobs
def va_bits(jobs: int) -> None:
    """Boots every size of the user half and writes the table of docs/page-size.md."""
    lines = at_once(jobs, lambda sizes: half(*sizes), HALVES)
    shown = table(("page size", "`va_bits=`", "levels", *OF_HALVES), lines)
    PAGE.write_text(put(PAGE.read_text(), "va_bits", shown))
