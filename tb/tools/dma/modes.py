"""make tlb-modes: what unmapping costs in each mode of invalidation, at each page size, into
docs/invalidation-modes.md."""

import json
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.view import number  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.dma.run import CONFIGURATION, SIZES, boot  # noqa: E402

PAGE = ROOT / "docs" / "invalidation-modes.md"
COPY = ROOT / "docs" / "data" / "tlb-modes.json"
BEGIN, END = "<!-- modes begin: written by make tlb-modes -->\n", "<!-- modes end -->"
# As sw/experiments/tlb_modes.c names them.
MODES = ("each", "local", "broadcast", "ipi", "none", "range")
LOADS = {"idle": "The engine is idle", "busy": "The engine writes memory all the time"}
PAGES = (1, 4, 16, 64, 512)
MOST = max(PAGES)

Row = dict[str, str | float]


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


def table(lines: list[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def cost_table(costs: list[Row]) -> str:
    """`costs`: one load and page size. The last column is the price of a page's invalidation."""
    none = next(row for row in costs if row["mode"] == "none")
    lines = [
        ("mode", *(f"{n} page{'s' * (n > 1)}" for n in PAGES), "a page, beyond none"),
        ("---", *("--:",) * (len(PAGES) + 1)),
    ]
    for row in costs:
        cells = [
            number(total(row, n)) + (f" ({number(row[f'wait.{n}'])})" if row[f"wait.{n}"] else "")
            for n in PAGES
        ]
        beyond = (total(row, MOST) - total(none, MOST)) / MOST
        lines.append((row["mode"], *cells, "" if row is none else f"{beyond:.1f}"))
    return table(lines)


def held_text(costs: list[Row]) -> str:
    held = {row["mode"]: int(row[f"held.{MOST}"]) for row in costs if row[f"held.{MOST}"]}
    if not held:
        return f"With {MOST} pages no TLBI waits for a place in the queue.\n"
    each = ", ".join(f"{count} in {mode}" for mode, count in held.items())
    return f"TLBIs that wait for a place in the queue, with {MOST} pages: {each}.\n"


def left_table(left: list[Row]) -> str:
    """Of all page sizes, as a range if they differ."""

    def among(mode: str, who: str) -> list[int]:
        return sorted({int(row[who]) for row in left if row["left"] == mode})

    lines = [("mode", "by the CPU", "by the engine", ""), ("---", "--:", "--:", "---")]
    for mode in MODES:
        cpu, device = among(mode, "cpu"), among(mode, "device")
        cells = (" to ".join(map(str, (n[0], n[-1])[: len(n)])) for n in (cpu, device))
        lines.append((mode, *cells, verdict(cpu[-1], device[-1])))
    return table(lines)


def section(figures: list[Row], origin: str) -> str:
    left = [row for row in figures if "left" in row]
    parts = ["### Still read after the unmapping, of four pages\n\n" + left_table(left)]
    for load, title in LOADS.items():
        for size in SIZES:
            costs = [r for r in figures if r.get("load") == load and r["size"] == size]
            parts.append(f"### {title}, pages of {size}\n\n{cost_table(costs)}\n{held_text(costs)}")
    return "\n".join([*parts, origin])


def with_section(text: str, recorded: dict) -> str:
    """The page with what stands between its marks."""
    before, rest = text.split(BEGIN)
    origin = f"Cycles on `{recorded['configuration']}`, commit {recorded['commit']}.\n"
    return before + BEGIN + section(recorded["figures"], origin) + END + rest.split(END)[1]


@click.command()
def main() -> None:
    """Boot experiment tlb at each page size, and write what it measured into its page."""
    found = [row for size in SIZES for row in rows(size, boot(size, "tlb"))]
    path = results.write("tlb-modes", CONFIGURATION, found, command="make tlb-modes")
    written = json.loads(path.read_text())
    keys = ("configuration", "commit", "command", "figures")
    recorded = {key: written[key] for key in keys}
    COPY.write_text(results.by_lines(recorded))
    PAGE.write_text(with_section(PAGE.read_text(), recorded))
    click.echo(section(found, ""))
    click.echo(f"written: {COPY.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
