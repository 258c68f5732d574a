"""Writes the table of board builds into docs/results.md, from what `make fpga` left in
build/results and from the rows published before."""

import json

import click

from figures.measure import Measured, merged
from figures.page import table
from support import results

LOGIC = ("TRELLIS_COMB", "LUT4")  # what families call their LUTs


def cells(row: dict) -> tuple:
    figures = row["figures"]
    logic = next((figures["used"][name] for name in LOGIC if name in figures["used"]), ["?", "?"])
    reached, asked = min(figures["mhz"].values(), key=lambda clock: clock[0] / clock[1])
    return (
        f"`{figures['board']}`", f"`{row['configuration']}`", f"{logic[0]} of {logic[1]}",
        f"{asked:.0f}", f"**{reached:.1f}**", "yes" if figures["met"] else "no", row["seed"],
        figures["worst"][0] if figures["worst"] else "", row["commit"],
    )  # fmt: skip


def section(rows: list[dict]) -> str:
    head = ("board", "configuration", "LUTs", "MHz asked", "reached", "met", "seed", "worst path",
            "commit")  # fmt: skip
    return table(head, map(cells, rows), "lllrrlrl", tight=True)


MEASURED = Measured("fpga", "make publish", "", {("docs/results.md", "boards"): section})


@click.command()
def main() -> None:
    """Writes a row for each board, the new one if there is one."""
    new = [json.loads(path.read_text()) for path in results.RESULTS.glob("fpga-*.json")]
    rows = sorted(merged(MEASURED.recorded(), new, "name"), key=lambda row: row["name"])
    MEASURED.copy.write_text(json.dumps(rows, indent=1) + "\n")
    for page, text in MEASURED.pages(rows).items():
        page.write_text(text)
    print(f"boards: {len(rows)} rows in docs/results.md and docs/data/fpga.json, {len(new)} new")
