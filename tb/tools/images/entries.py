"""make entry-figures: what the size of an entry costs, `entry=64|128` at boot, on the machine that
has both.

Each size is another boot of the image that chooses. At 4K, where a fork is most of all work on
entries, two images of the same sources stand beside it that know their size. As with the page size
the choice is measured at 16 places of code and data; what a size costs, at 4."""

import re
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.boots import PLACEMENTS  # noqa: E402
from figures.placement import link  # noqa: E402
from granule.figures import split  # noqa: E402
from sim.simulator import simulate  # noqa: E402
from support.results import by_lines, commit  # noqa: E402
from support.run import ROOT, built  # noqa: E402
from tools.images.page import PAGE, markdown, replaced  # noqa: E402

DATA = ROOT / "docs" / "data" / "entries.json"
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


def read(console: str) -> dict:
    """What the console of a boot says: levels, reach of a PTE page, and the figures by column."""
    text, figures = split(console, MACHINE)
    found = {figure.id: figure.value for figure in figures}
    geometry = GEOMETRY.search("\n".join(text))
    values = {column: found[identity] for column, identity in COLUMNS.items()}
    return {"levels": geometry[1], "reach": geometry[2].strip(), "values": values}


def measure(boot: Boot, folder: Path) -> dict:
    elf = link(ROOT / "build" / boot.image, boot.place, folder / str(hash(boot)))
    run = simulate(
        elf, "--append", boot.arguments, "--max-cycles", "400000000", config=MACHINE
    ).passed()
    return {**vars(boot), **read(run.out)}


def chosen_by(rows: list[dict], **wanted: object) -> list[dict]:
    """The rows with these fields, by place."""
    found = [r for r in rows if all(r[name] == value for name, value in wanted.items())]
    return sorted(found, key=lambda row: row["place"])


def spread(values: list[float], digits: int) -> str:
    """Least, median and most; one number if they are the same."""
    three = (min(values), statistics.median_low(values), max(values))
    least, median, most = (f"{value:.{digits}f}" for value in three)
    return median if least == most else f"{least} **{median}** {most}"


def sizes_table(rows: list[dict]) -> str:
    """Both sizes of an entry, chosen by the same image: the median of the places."""
    lines = []
    for granule in PLACEMENTS:
        for entry in SIZES:
            found = chosen_by(rows, granule=granule, image=CHOOSES, entry=entry, pages=FEW)
            medians = [statistics.median_low([r["values"][c] for r in found]) for c in COLUMNS]
            cells = [f"{median:.0f}" for median in medians]
            one = found[0]
            lines.append((granule, str(entry), one["levels"], one["reach"], *cells))
    return markdown(("page size", "`entry=`", "levels", "a PTE page maps", *COLUMNS), lines)


def choice_table(rows: list[dict]) -> str:
    """The image that chooses, over the ones that know, place by place."""
    lines = []
    for entry, knows in KNOWS.items():
        ours, theirs = (
            chosen_by(rows, granule=BASE, image=image, entry=entry, pages=MANY)
            for image in (CHOOSES, knows)
        )
        pairs = list(zip(ours, theirs, strict=True))
        ratios = {c: [a["values"][c] / b["values"][c] for a, b in pairs] for c in CALLS}
        lines.append((BASE, str(entry), *(spread(values, 3) for values in ratios.values())))
    return markdown(("page size", "`entry=`", *CALLS), lines)


def written(page: str, rows: list[dict]) -> str:
    """The page with both tables."""
    page = replaced(page, "entry_sizes", sizes_table(rows))
    return replaced(page, "entry_choice", choice_table(rows))


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
    todo, rows = all_boots(), []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(measure, boot, Path(folder)): boot for boot in todo}
        for done in as_completed(waiting):
            rows.append(done.result())
            boot = waiting[done]
            click.echo(f"[{len(rows)}/{len(todo)}] {boot.image}, {boot.arguments}, {boot.place}")
    order = {boot: n for n, boot in enumerate(todo)}
    rows.sort(key=lambda row: order[Boot(*(row[name] for name in Boot.__annotations__))])
    recorded = {"command": "make entry-figures", "commit": measured, "boots": rows}
    DATA.write_text(by_lines(recorded))
    PAGE.write_text(written(PAGE.read_text(), rows))


if __name__ == "__main__":
    main()
