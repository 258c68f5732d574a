"""make dma: the documents' experiments with page faults whose pages the CPU clears and copies, and
with the DMA engine in its place, at each page size, into docs/dma.md."""

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Boot, Failed, Measured, at_once, measures  # noqa: E402
from figures.page import table  # noqa: E402
from figures.view import number  # noqa: E402
from tools.dma.run import CONFIGURATION, PAGE, SIZES, Row, boot, origin  # noqa: E402

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


def row(size: str, experiment: str, found: dict[str, dict[str, float]]) -> Row:
    """`found`: the figures of the two boots. They must have cleared and copied the same pages."""
    pages = {
        who: (figures["P.zero.pages"], figures["P.cow.pages"]) for who, figures in found.items()
    }
    if pages["cpu"] != pages["dma"]:
        raise Failed(f"{experiment} at {size}: (cleared, copied) pages are {pages}")
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
    head = ("document's experiment", "size", "pages cleared", "copied", "CPU, for that", "DMA",
            "CPU / DMA", "CPU, all of the run", "DMA", "CPU / DMA")  # fmt: skip
    return f"{table(head, map(cells, recorded['figures']), 'lr')}\n\n{origin(recorded)}"


MEASURED = Measured("dma-documents", "make dma", CONFIGURATION, {(PAGE, "dma documents"): section})


@measures(MEASURED, jobs=1)
def main(jobs: int) -> list[Row]:
    """Boot each experiment with and without the engine, and write the table of docs/dma.md."""
    planned = list(product(EXPERIMENTS, SIZES, WHO))
    boots = [boot(size, name, f"dma={WHO[who]}") for name, size, who in planned]
    found = dict(zip(planned, at_once(jobs, Boot.values, boots), strict=True))
    return [
        row(size, name, {who: found[name, size, who] for who in WHO})
        for name, size in product(EXPERIMENTS, SIZES)
    ]


if __name__ == "__main__":
    main()
