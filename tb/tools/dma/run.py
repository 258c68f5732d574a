"""make dma: what zeroing and copying a page costs by the DMA engine and by the CPU, at each page
size, into docs/dma.md."""

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Boot, Measured, at_once, measures  # noqa: E402
from figures.page import table  # noqa: E402
from figures.view import number  # noqa: E402

CONFIGURATION = "teaching_dma"
SIZES = ("4k", "16k", "64k")
OPERATIONS = {"zero": "zeroing", "copy": "copying"}
STATES = {"cold": "in memory alone", "dirty": "just written by the CPU"}
# Of each, by the CPU and by the engine; the firmware's names end so.
COSTS = {"": "done", ".used": "and read by the CPU", ".busy": "of the CPU"}

Row = dict[str, str | float]


def boot(size: str, experiment: str, more: str = "") -> Boot:
    """`more`: further boot arguments."""
    return Boot(f"pagesize={size} run={experiment} {more}".rstrip(), "dma")


def rows(size: str, cycles: dict[str, float]) -> list[Row]:
    """Of one boot; in the last one a page of several, by a list of its own and by one of all."""
    parts = [f"{who}{cost}" for who in ("cpu", "dma") for cost in COSTS]
    costs = [
        {"size": size, "operation": operation, "state": state}
        | {part: cycles[f"D.{operation}.{state}.{part}"] for part in parts}
        for operation, state in product(OPERATIONS, STATES)
    ]
    return [*costs, {"size": size} | {name: cycles[f"D.list.{name}"] for name in ("each", "one")}]


def cells(row: Row) -> tuple[str, ...]:
    what = f"{OPERATIONS[row['operation']]}, {STATES[row['state']]}"
    ratios = (f"{row['cpu'] / row['dma']:.2f}", f"{row['cpu.used'] / row['dma.used']:.2f}")
    done, used = ((number(row["cpu" + c]), number(row["dma" + c])) for c in ("", ".used"))
    return (what, row["size"], *done, ratios[0], *used, ratios[1], number(row["dma.busy"]))


def list_cells(row: Row) -> tuple[str, ...]:
    each, one = row["each"], row["one"]
    return (row["size"], *(f"{value:,.0f}" for value in (each, one, each - one)))


def origin(recorded: dict) -> str:
    return f"Cycles on `{recorded['configuration']}`, commit {recorded['commit']}."


def costs(recorded: dict) -> str:
    head = ("a page", "size", "CPU", "DMA", "CPU / DMA", "CPU, then read", "DMA, then read",
            "CPU / DMA", "DMA: of the CPU")  # fmt: skip
    found = (cells(row) for row in recorded["figures"] if "operation" in row)
    return f"{table(head, found, 'lr')}\n\n{origin(recorded)}"


def lists(recorded: dict) -> str:
    head = ("zeroing a page of eight", "a list a page", "one list", "saved a page")
    found = (list_cells(row) for row in recorded["figures"] if "each" in row)
    return f"{table(head, found, 'lr')}\n\n{origin(recorded)}"


PAGE = "docs/dma.md"
MEASURED = Measured(
    "dma", "make dma", CONFIGURATION, {(PAGE, "dma"): costs, (PAGE, "dma lists"): lists}
)


@measures(MEASURED)
def main(jobs: int) -> list[Row]:
    """Boot experiment dma at each page size, and write what it measured into docs/dma.md."""
    found = at_once(jobs, Boot.values, [boot(size, "dma") for size in SIZES])
    return [row for size, cycles in zip(SIZES, found, strict=True) for row in rows(size, cycles)]


if __name__ == "__main__":
    main()
