"""make tlb-modes: what unmapping costs in each mode of invalidation, at each page size, into
docs/invalidation-modes.md."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Boot, Measured, at_once, measures  # noqa: E402
from figures.page import table  # noqa: E402
from figures.view import number  # noqa: E402
from tools.dma.run import CONFIGURATION, SIZES, Row, boot, origin  # noqa: E402

# As sw/experiments/tlb_modes.c names them.
MODES = ("each", "local", "broadcast", "ipi", "none", "range")
LOADS = {"idle": "The engine is idle", "busy": "The engine writes memory all the time"}
PAGES = (1, 4, 16, 64, 512)
MOST = max(PAGES)


def rows(size: str, found: dict[str, float]) -> list[Row]:
    """What one boot measured: a row for each load and mode, and one for what each mode leaves."""
    costs: list[Row] = [
        {"size": size, "load": load, "mode": mode}
        | {f"{part}.{n}": found[f"T.{load}.{mode}.{n}.{part}"]
           for n in PAGES for part in ("send", "wait", "held")}
        for load in LOADS for mode in MODES
    ]  # fmt: skip
    left: list[Row] = [
        {"size": size, "left": mode}
        | {who: found[f"T.left.{mode}.{who}"] for who in ("cpu", "device")}
        for mode in MODES
    ]  # fmt: skip
    return costs + left


def total(row: Row, pages: int) -> float:
    return row[f"send.{pages}"] + row[f"wait.{pages}"]


def verdict(cpu: float, device: float) -> str:
    """By what is still read after the unmapping."""
    if cpu:
        return "unsafe"
    return "safe where no device uses the address space" if device else "safe"


def cost_table(costs: list[Row]) -> str:
    """`costs`: one load and page size. The last column is the price of a page's invalidation."""
    none = next(row for row in costs if row["mode"] == "none")
    head = ("mode", *(f"{n} page{'s' * (n > 1)}" for n in PAGES), "a page, beyond none")
    lines = []
    for row in costs:
        cells = [
            number(total(row, n)) + (f" ({number(row[f'wait.{n}'])})" if row[f"wait.{n}"] else "")
            for n in PAGES
        ]
        beyond = (total(row, MOST) - total(none, MOST)) / MOST
        lines.append((row["mode"], *cells, "" if row is none else f"{beyond:.1f}"))
    return table(head, lines, "lr")


def held_text(costs: list[Row]) -> str:
    held = {row["mode"]: int(row[f"held.{MOST}"]) for row in costs if row[f"held.{MOST}"]}
    if not held:
        return f"With {MOST} pages no TLBI waits for a place in the queue."
    each = ", ".join(f"{count} in {mode}" for mode, count in held.items())
    return f"TLBIs that wait for a place in the queue, with {MOST} pages: {each}."


def left_table(left: list[Row]) -> str:
    """Of all page sizes, as a range if they differ."""

    def among(mode: str, who: str) -> list[int]:
        return sorted({int(row[who]) for row in left if row["left"] == mode})

    lines = []
    for mode in MODES:
        cpu, device = among(mode, "cpu"), among(mode, "device")
        cells = (" to ".join(map(str, (n[0], n[-1])[: len(n)])) for n in (cpu, device))
        lines.append((mode, *cells, verdict(cpu[-1], device[-1])))
    return table(("mode", "by the CPU", "by the engine", ""), lines, "lrrl")


def section(recorded: dict) -> str:
    figures = recorded["figures"]
    left = [row for row in figures if "left" in row]
    parts = ["### Still read after the unmapping, of four pages", left_table(left)]
    for load, title in LOADS.items():
        for size in SIZES:
            costs = [r for r in figures if r.get("load") == load and r["size"] == size]
            parts += [f"### {title}, pages of {size}", cost_table(costs), held_text(costs)]
    return "\n\n".join([*parts, origin(recorded)])


MEASURED = Measured(
    "tlb-modes", "make tlb-modes", CONFIGURATION, {("docs/invalidation-modes.md", "modes"): section}
)


@measures(MEASURED)
def main(jobs: int) -> list[Row]:
    """Boot experiment tlb at each page size, and write what it measured into its page."""
    found = at_once(jobs, Boot.values, [boot(size, "tlb") for size in SIZES])
    return [row for size, cycles in zip(SIZES, found, strict=True) for row in rows(size, cycles)]


if __name__ == "__main__":
    main()
