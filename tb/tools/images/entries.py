"""make entry-figures: what the size of an entry costs, `entry=64|128` at boot, on the machine that
has both.

Each size is another boot of the image that chooses. At 4K, where a fork is most of all work on
entries, two images of the same sources stand beside it that know their size. As with the page size
the choice is measured at 16 places of code and data; what a size costs, at 4."""

import re
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.boots import PLACEMENTS  # noqa: E402
from figures.measure import Measured, at_once  # noqa: E402
from figures.page import table  # noqa: E402
from figures.placement import link  # noqa: E402
from granule import simulator  # noqa: E402
from support.results import commit  # noqa: E402
from support.run import ROOT, built  # noqa: E402
from tools.images.page import NAME, spread  # noqa: E402

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


@dataclass(frozen=True)
class Boot:
    """One boot of document 003's experiment: an image at one place."""

    granule: str
    image: str
    entry: int
    pages: int
    place: int

    def __str__(self) -> str:
        return f"{self.image}, {self.arguments}, place {self.place}"

    @property
    def arguments(self) -> str:
        return f"pagesize={self.granule} entry={self.entry} run=e003 forkpages={self.pages}"


def all_boots() -> list[Boot]:
    """What both tables need."""
    chosen = [
        Boot(granule, CHOOSES, entry, FEW, place)
        for granule in PLACEMENTS
        for entry in SIZES
        for place in range(PLACES)
    ]
    pairs = [
        Boot(BASE, image, entry, MANY, place)
        for entry, knows in KNOWS.items()
        for image in (CHOOSES, knows)
        for place in range(PLACEMENTS[BASE])
    ]
    return chosen + pairs


def measure(boot: Boot, folder: Path) -> dict:
    """Levels, reach of a PTE page, and the figures by column."""
    elf = link(ROOT / "build" / boot.image, boot.place, folder / str(hash(boot)))
    run = simulator.run(elf, boot.arguments, simulator=MACHINE, max_cycles=400_000_000).check()
    geometry = GEOMETRY.search(run.text)
    values = {column: run.figures[identity].value for column, identity in COLUMNS.items()}
    read = {"levels": geometry[1], "reach": geometry[2].strip(), "values": values}
    return asdict(boot) | read


def chosen_by(rows: list[dict], **wanted: object) -> list[dict]:
    """The rows with these fields, by place."""
    found = [r for r in rows if all(r[name] == value for name, value in wanted.items())]
    return sorted(found, key=lambda row: row["place"])


def three(values: list[float], digits: int) -> str:
    return spread((min(values), statistics.median_low(values), max(values)), digits)


def sizes_table(recorded: dict) -> str:
    """Both sizes of an entry, chosen by the same image: the median of the places."""
    rows, lines = recorded["boots"], []
    for granule in PLACEMENTS:
        for entry in SIZES:
            found = chosen_by(rows, granule=granule, image=CHOOSES, entry=entry, pages=FEW)
            medians = [statistics.median_low([r["values"][c] for r in found]) for c in COLUMNS]
            cells = [f"{median:.0f}" for median in medians]
            one = found[0]
            lines.append((granule, str(entry), one["levels"], one["reach"], *cells))
    return table(("page size", "`entry=`", "levels", "a PTE page maps", *COLUMNS), lines)


def choice_table(recorded: dict) -> str:
    """The image that chooses, over the ones that know, place by place."""
    rows, lines = recorded["boots"], []
    for entry, knows in KNOWS.items():
        ours, theirs = (
            chosen_by(rows, granule=BASE, image=image, entry=entry, pages=MANY)
            for image in (CHOOSES, knows)
        )
        pairs = list(zip(ours, theirs, strict=True))
        ratios = {c: [a["values"][c] / b["values"][c] for a, b in pairs] for c in CALLS}
        lines.append((BASE, str(entry), *(three(values, 3) for values in ratios.values())))
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
            "in docs/page-size.md cannot be measured again"
        )
    return name


@click.command()
@click.option("--jobs", default=2, show_default=True, help="simulations at once")
def main(jobs: int) -> None:
    """Boots the images at all places; writes docs/data/entries.json and two tables of
    docs/page-size.md."""
    measured = committed()
    built("wide")
    built("build/sw/granule.elf")
    with tempfile.TemporaryDirectory() as folder:
        rows = at_once(jobs, lambda boot: measure(boot, Path(folder)), all_boots())
    MEASURED.write({"command": MEASURED.command, "commit": measured, "boots": rows})


if __name__ == "__main__":
    main()
