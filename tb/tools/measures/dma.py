"""make dma: what zeroing and copying a page costs by the DMA engine and by the CPU, and in the page
faults of the documents' experiments, into docs/dma.md; make tlb-modes: what unmapping costs in each
mode of invalidation, into docs/invalidation-modes.md. All at each page size."""

from collections.abc import Callable
from itertools import chain, product

from figures.measure import Boot, Failed, Measured, at_once, measures
from figures.page import table
from figures.view import number

CONFIGURATION = "teaching_dma"
SIZES = ("4k", "16k", "64k")
PAGE = "docs/dma.md"
Row = dict[str, str | float]
Values = dict[str, float]


def boot(size: str, experiment: str, more: str = "") -> Boot:
    """`more`: further boot arguments."""
    return Boot(f"pagesize={size} run={experiment} {more}".rstrip(), "dma")


def with_origin(recorded: dict, shown: str) -> str:
    return f"{shown}\n\nCycles on `{recorded['configuration']}`, commit {recorded['commit']}."


def shown(key: str, cells: Callable[[Row], tuple], *head: str) -> Callable[[dict], str]:
    """The rows that have this key, as a table."""

    def text(recorded: dict) -> str:
        found = (cells(row) for row in recorded["figures"] if key in row)
        return with_origin(recorded, table(head, found, "lr"))

    return text


def measured_by(measured: Measured, experiment: str, rows: Callable[[str, Values], list[Row]]):
    def main(jobs: int) -> list[Row]:
        found = at_once(jobs, Boot.values, [boot(size, experiment) for size in SIZES])
        return list(chain.from_iterable(map(rows, SIZES, found)))

    main.__doc__ = f"Boot experiment {experiment} at each page size, and write its tables."
    return measures(measured)(main)


# ---- a page, and a list of them -----------------------------------------------------------------
OPERATIONS = {"zero": "zeroing", "copy": "copying"}
STATES = {"cold": "in memory alone", "dirty": "just written by the CPU"}
# Done, and read by the CPU, of the CPU; the firmware's names end so.
COSTS = ("", ".used", ".busy")


def page_rows(size: str, cycles: Values) -> list[Row]:
    """Of one boot; in the last one a page of several, by a list of its own and by one of all."""
    parts = [f"{who}{cost}" for who in ("cpu", "dma") for cost in COSTS]
    costs = [
        {"size": size, "operation": operation, "state": state}
        | {part: cycles[f"D.{operation}.{state}.{part}"] for part in parts}
        for operation, state in product(OPERATIONS, STATES)
    ]
    return [*costs, {"size": size} | {name: cycles[f"D.list.{name}"] for name in ("each", "one")}]


def beside(row: Row, part: str) -> tuple[str, str, str]:
    """The last cell says how many times faster the engine is."""
    cpu, dma = row[f"cpu{part}"], row[f"dma{part}"]
    return number(cpu), number(dma), f"{cpu / dma:.2f}"


def page_cells(row: Row) -> tuple[str, ...]:
    what = f"{OPERATIONS[row['operation']]}, {STATES[row['state']]}"
    costs = (*beside(row, ""), *beside(row, ".used"))
    return (what, row["size"], *costs, number(row["dma.busy"]))


def list_cells(row: Row) -> tuple[str, ...]:
    each, one = row["each"], row["one"]
    return (row["size"], *(f"{value:,.0f}" for value in (each, one, each - one)))


PAGES = Measured(
    "dma", "make dma", CONFIGURATION,
    {(PAGE, "dma"): shown("operation", page_cells, "a page", "size", "CPU", "DMA", "CPU / DMA",
                          "CPU, then read", "DMA, then read", "CPU / DMA", "DMA: of the CPU"),
     (PAGE, "dma lists"): shown("each", list_cells, "zeroing a page of eight", "a list a page",
                                "one list", "saved a page")},
)  # fmt: skip
pages = measured_by(PAGES, "dma", page_rows)

# ---- the documents' experiments -----------------------------------------------------------------
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


def document_row(size: str, experiment: str, found: dict[str, Values]) -> Row:
    """`found`: the figures of the two boots. They must have cleared and copied the same pages."""
    pages = {who: (values["P.zero.pages"], values["P.cow.pages"]) for who, values in found.items()}
    if pages["cpu"] != pages["dma"]:
        raise Failed(f"{experiment} at {size}: (cleared, copied) pages are {pages}")
    engine = found["dma"]["P.zero.by_engine"] + found["dma"]["P.cow.by_engine"]
    row: Row = {"size": size, "experiment": experiment, "engine": engine}
    row |= dict(zip(("cleared", "copied"), pages["cpu"], strict=True))
    for who, figures in found.items():
        row[f"{who}.pages"] = figures["P.zero"] + figures["P.cow"]
        row[f"{who}.all"] = figures["P.all"]
    return row


def document_cells(row: Row) -> tuple[str, ...]:
    costs = (*beside(row, ".pages"), *beside(row, ".all"))
    counts = (number(row["cleared"]), number(row["copied"]))
    return (EXPERIMENTS[row["experiment"]], row["size"], *counts, *costs)


DOCUMENTS = Measured(
    "dma-documents", "make dma", CONFIGURATION,
    {(PAGE, "dma documents"): shown(
        "experiment", document_cells, "document's experiment", "size", "pages cleared", "copied",
        "CPU, for that", "DMA", "CPU / DMA", "CPU, all of the run", "DMA", "CPU / DMA")},
)  # fmt: skip


@measures(DOCUMENTS, jobs=1)
def documents(jobs: int) -> list[Row]:
    """Boot each experiment with and without the engine, and write the table of docs/dma.md."""
    planned = list(product(EXPERIMENTS, SIZES, WHO))
    boots = [boot(size, name, f"dma={WHO[who]}") for name, size, who in planned]
    found = dict(zip(planned, at_once(jobs, Boot.values, boots), strict=True))
    return [
        document_row(size, name, {who: found[name, size, who] for who in WHO})
        for name, size in product(EXPERIMENTS, SIZES)
    ]


# ---- modes of invalidation ----------------------------------------------------------------------
# As sw/experiments/tlb_modes.c names them.
MODES = ("each", "local", "broadcast", "ipi", "none", "range")
LOADS = {"idle": "The engine is idle", "busy": "The engine writes memory all the time"}
UNMAPPED = (1, 4, 16, 64, 512)
MOST = max(UNMAPPED)


def mode_rows(size: str, found: Values) -> list[Row]:
    """What one boot measured: a row for each load and mode, and one for what each mode leaves."""
    costs: list[Row] = [
        {"size": size, "load": load, "mode": mode}
        | {f"{part}.{n}": found[f"T.{load}.{mode}.{n}.{part}"]
           for n, part in product(UNMAPPED, ("send", "wait", "held"))}
        for load, mode in product(LOADS, MODES)
    ]  # fmt: skip
    left: list[Row] = [
        {"size": size, "left": mode}
        | {who: found[f"T.left.{mode}.{who}"] for who in ("cpu", "device")}
        for mode in MODES
    ]
    return costs + left


def cost_table(costs: list[Row]) -> str:
    """`costs`: one load and page size. The last column is the price of a page's invalidation."""
    total = {row["mode"]: [row[f"send.{n}"] + row[f"wait.{n}"] for n in UNMAPPED] for row in costs}
    head = ("mode", *(f"{n} page{'s' * (n > 1)}" for n in UNMAPPED), "a page, beyond none")
    lines = []
    for row in costs:
        mode, waits = row["mode"], [row[f"wait.{n}"] for n in UNMAPPED]
        cells = [
            number(cycles) + (f" ({number(wait)})" if wait else "")
            for cycles, wait in zip(total[mode], waits, strict=True)
        ]
        beyond = (total[mode][-1] - total["none"][-1]) / MOST
        lines.append((mode, *cells, "" if mode == "none" else f"{beyond:.1f}"))
    return table(head, lines, "lr")


def held_text(costs: list[Row]) -> str:
    held = {row["mode"]: int(row[f"held.{MOST}"]) for row in costs if row[f"held.{MOST}"]}
    if not held:
        return f"With {MOST} pages no TLBI waits for a place in the queue."
    each = ", ".join(f"{count} in {mode}" for mode, count in held.items())
    return f"TLBIs that wait for a place in the queue, with {MOST} pages: {each}."


def left_table(left: list[Row]) -> str:
    """Of all page sizes, as a range if they differ; a mode is judged by what is still read."""
    lines = []
    for mode in MODES:
        rows = [row for row in left if row["left"] == mode]
        cpu, device = (sorted({int(row[who]) for row in rows}) for who in ("cpu", "device"))
        cells = (" to ".join(map(str, (n[0], n[-1])[: len(n)])) for n in (cpu, device))
        safe = "safe where no device uses the address space" if device[-1] else "safe"
        lines.append((mode, *cells, "unsafe" if cpu[-1] else safe))
    return table(("mode", "by the CPU", "by the engine", ""), lines, "lrrl")


def modes_text(recorded: dict) -> str:
    figures = recorded["figures"]
    left = [row for row in figures if "left" in row]
    parts = ["### Still read after the unmapping, of four pages", left_table(left)]
    for load, size in product(LOADS, SIZES):
        costs = [r for r in figures if (r.get("load"), r["size"]) == (load, size)]
        parts += [f"### {LOADS[load]}, pages of {size}", cost_table(costs), held_text(costs)]
    return with_origin(recorded, "\n\n".join(parts))


TLB_MODES = Measured(
    "tlb-modes", "make tlb-modes", CONFIGURATION,
    {("docs/invalidation-modes.md", "modes"): modes_text},
)  # fmt: skip
modes = measured_by(TLB_MODES, "tlb", mode_rows)
