"""What the size of an entry costs: `entry=64|128` at boot, on the machine that has both.

Each size is another boot of the image that chooses. At 4K, where a fork is most of all work on
entries, two images of the same sources stand beside it that know their size."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from demo.figures import split  # noqa: E402
from images.page import PAGE, markdown, replaced  # noqa: E402
from soc.simulator import ROOT, simulate  # noqa: E402
from support.run import built  # noqa: E402

MACHINE = "wide"
GRANULES = ("4k", "16k", "64k")
SIZES = (64, 128)
CHOOSES = "sw-wide"
KNOWS = {64: "sw", 128: "sw-wide-4k"}
PAGES = 32
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


@dataclass(frozen=True)
class Boot:
    """One boot of document 003's experiment."""

    granule: str
    image: str
    entry: int


@dataclass(frozen=True)
class Measured:
    """Its tables, and its figures by column."""

    levels: str
    reach: str
    values: dict[str, float]


CHOSEN = [Boot(granule, CHOOSES, entry) for granule in GRANULES for entry in SIZES]
KNOWN = [Boot(GRANULES[0], image, entry) for entry, image in KNOWS.items()]


def read(console: str) -> Measured:
    """What the console of a boot says."""
    text, figures = split(console, MACHINE)
    found = {figure.id: figure.value for figure in figures}
    geometry = GEOMETRY.search("\n".join(text))
    values = {column: found[identity] for column, identity in COLUMNS.items()}
    return Measured(geometry[1], geometry[2].strip(), values)


def measure(boot: Boot) -> Measured:
    elf = ROOT / "build" / boot.image / "granule.elf"
    chosen = f"pagesize={boot.granule} entry={boot.entry} run=e003 forkpages={PAGES}"
    return read(
        simulate(elf, "--append", chosen, "--max-cycles", "200000000", config=MACHINE).passed().out
    )


def sizes_table(measured: dict[Boot, Measured]) -> str:
    """Both sizes of an entry, chosen by the same image."""
    lines = []
    for boot in CHOSEN:
        one = measured[boot]
        cells = [f"{value:.0f}" for value in one.values.values()]
        lines.append((boot.granule, str(boot.entry), one.levels, one.reach, *cells))
    return markdown(("page size", "`entry=`", "levels", "a PTE page maps", *COLUMNS), lines)


def choice_table(measured: dict[Boot, Measured]) -> str:
    """The image that chooses, over the ones that know."""
    lines = []
    for known in KNOWN:
        ours = measured[Boot(known.granule, CHOOSES, known.entry)].values
        theirs = measured[known].values
        cells = [f"{ours[column] / theirs[column]:.3f}" for column in CALLS]
        lines.append((known.granule, str(known.entry), *cells))
    return markdown(("page size", "`entry=`", *CALLS), lines)


def written(page: str, measured: dict[Boot, Measured]) -> str:
    """The page with both tables."""
    page = replaced(page, "entry_sizes", sizes_table(measured))
    return replaced(page, "entry_choice", choice_table(measured))


@click.command()
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(jobs: int) -> None:
    """Boots all images and writes two tables of docs/page-size.md."""
    built("wide")
    built("build/sw/granule.elf")
    todo = CHOSEN + KNOWN
    with ThreadPoolExecutor(jobs) as pool:
        measured = dict(zip(todo, pool.map(measure, todo), strict=True))
    PAGE.write_text(written(PAGE.read_text(), measured))


if __name__ == "__main__":
    main()
