"""make dma: the documents' experiments with page faults whose pages the CPU clears and copies, and
with the DMA engine in its place, at each page size, into docs/dma.md."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.view import number  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.dma.run import PAGE, SIZES, Row, boot, marked, origin, record  # noqa: E402

COPY = ROOT / "docs" / "data" / "dma-documents.json"
MARKS = ("<!-- dma documents begin: written by make dma -->\n", "<!-- dma documents end -->")
# Those whose tasks get pages in page faults; that of document 001 has none. A hole of this size is
# measured without what fills all of the memory, which takes minutes.
EXPERIMENTS = {
    "e000": "000: a compile job's page tables",
    "e002": "002: zero pages in the cache",
    "e003": "003: fork, and a compile job",
    "e004 hole=16M": "004: holes of files, old and new",
}
# By the value of boot argument dma=.
WHO = {"cpu": "none", "dma": "zero,cow"}


class NotTheSame(click.ClickException):
    """The two boots of a row did not clear and copy the same pages."""


def row(size: str, experiment: str, found: dict[str, dict[str, float]]) -> Row:
    """`found`: the figures of the two boots."""
    pages = {
        who: (figures["P.zero.pages"], figures["P.cow.pages"]) for who, figures in found.items()
    }
    if pages["cpu"] != pages["dma"]:
        raise NotTheSame(f"{experiment} at {size}: (cleared, copied) pages are {pages}")
    engine = found["dma"]["P.zero.by_engine"] + found["dma"]["P.cow.by_engine"]
    made: Row = {"size": size, "experiment": experiment, "engine": engine}
    made |= dict(zip(("cleared", "copied"), pages["cpu"], strict=True))
    for who, figures in found.items():
        made[f"{who}.pages"] = figures["P.zero"] + figures["P.cow"]
        made[f"{who}.all"] = figures["P.all"]
    return made


def cells(of: Row) -> tuple[str, ...]:
    costs: list[str] = []
    for part in ("pages", "all"):
        cpu, dma = of[f"cpu.{part}"], of[f"dma.{part}"]
        costs += [number(cpu), number(dma), f"{cpu / dma:.2f}"]
    counts = (number(of["cleared"]), number(of["copied"]))
    return (EXPERIMENTS[of["experiment"]], of["size"], *counts, *costs)


def section(recorded: dict) -> str:
    lines = [
        ("document's experiment", "size", "pages cleared", "copied", "CPU, for that", "DMA",
         "CPU / DMA", "CPU, all of the run", "DMA", "CPU / DMA"),
        ("---", *("--:",) * 9),
        *map(cells, recorded["figures"]),
    ]  # fmt: skip
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return text + origin(recorded)


def with_section(text: str, recorded: dict) -> str:
    """The page with what stands between its marks."""
    return marked(text, MARKS, section(recorded))


@click.command()
@click.option("--jobs", default=1, show_default=True, help="Boots at once.")
def main(jobs: int) -> None:
    """Boot each experiment with and without the engine, and write the table of docs/dma.md."""
    planned = [(size, name) for name in EXPERIMENTS for size in SIZES]
    with ThreadPoolExecutor(jobs) as pool:
        booting = [
            {who: pool.submit(boot, *job, f"dma={value}") for who, value in WHO.items()}
            for job in planned
        ]
        found = [
            row(*job, {who: boots[who].result() for who in WHO})
            for job, boots in zip(planned, booting, strict=True)
        ]
    PAGE.write_text(with_section(PAGE.read_text(), record("dma-documents", COPY, found)))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
