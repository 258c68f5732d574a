"""The table of docs/results.md that says where cycles go, from what `make stalls` left in
build/results and from the rows published before, beside what others published."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures.measure import Measured, merged  # noqa: E402
from figures.page import table  # noqa: E402
from support import results  # noqa: E402
from tools.stalls.measure import Spent  # noqa: E402

PEERS = Path(__file__).with_name("peers.json")
# Columns, and the reasons that each puts together.
COLUMNS = {
    "fetch": ("icache", "itlb"),
    "branch": ("branch",),
    "operand": ("hazard",),
    "load": ("load",),
    "store": ("store",),
    "walk": ("walk",),
    "division": ("divide",),
    "CSR, fence": ("system",),
    "trap, return": ("flush",),
    "idle": ("idle",),
}

# What the name of a configuration has more when it has a main TLB.
MAIN = "_main"

# Events for 1000 instructions.
MISSES = {
    "I-cache misses": "l1i_miss",
    "D-cache misses": "l1d_miss",
    "I-TLB misses": "itlb_miss",
    "D-TLB misses": "dtlb_miss",
    "walks": "walks",
}


def spent(row: dict) -> Spent:
    return Spent(**{k: row[k] for k in Spent.__dataclass_fields__ if k in row})


def cells(row: dict) -> tuple:
    one, dmips = spent(row), row.get("dmips_per_mhz")
    shares = (f"{100 * one.share(*reasons):.1f}" for reasons in COLUMNS.values())
    return (one.what, f"`{one.configuration}`", f"{one.cycles:,}", f"{one.instructions:,}",
            f"{one.cpi:.2f}", f"{dmips:.2f}" if dmips else "", *shares)  # fmt: skip


def is_document(row: dict) -> bool:
    """Fifteen runs a machine: they are in the table of walks only."""
    return row["what"].startswith("document")


def lost(rows: list[dict]) -> str:
    """Ours: share of all cycles, in per cent."""
    head = ("", "configuration", "cycles", "instructions", "CPI", "DMIPS/MHz", *COLUMNS)
    return table(head, (cells(r) for r in rows if not is_document(r)), "llr", tight=True)


def translation_cells(row: dict) -> tuple:
    one = spent(row)
    misses = (f"{one.per_thousand(event):.2f}" for event in MISSES.values())
    known = one.per_walk("walk_cached") + one.per_walk("walk_cached_upper")
    return (one.what, f"`{one.configuration}`", *misses, f"{one.per_walk('walk_cycles'):.1f}",
            f"{100 * one.per_walk('walk_single'):.0f} %", f"{100 * known:.0f} %")  # fmt: skip


def translations(rows: list[dict]) -> str:
    """TLB and walks, of what runs under translation."""
    head = ("", "configuration", *MISSES, "cycles a walk", "walks of one read",
            "walks from a remembered table")  # fmt: skip
    translated = (
        row for row in rows if row.get("events") and spent(row).translates and not is_document(row)
    )
    return table(head, map(translation_cells, translated), "llr", tight=True)


def main_tlb(rows: list[dict]) -> str:
    """Each run on a machine without and with a main TLB: what its walks were, and their price."""
    by_place = {(row["what"], row["configuration"]): spent(row) for row in rows}
    head = ("", "machine", "micro TLB misses", "walks", "with a main TLB", "left",
            "cycles waited", "with a main TLB")  # fmt: skip
    lines = []
    for (what, config), with_main in by_place.items():
        plain = by_place.get((what, config.removesuffix(MAIN)))
        if not config.endswith(MAIN) or not plain or not plain.events or not plain.translates:
            continue
        both = (plain, with_main)
        waits = [one.reasons["stall_itlb"] + one.reasons["stall_walk"] for one in both]
        walks = [one.events["walks"] for one in both]
        misses = plain.events["itlb_miss"] + plain.events["dtlb_miss"]
        left = f"{100 * walks[1] / walks[0]:.1f} %"
        counts = (f"{misses:,}", *(f"{n:,}" for n in walks), left, *(f"{n:,}" for n in waits))
        lines.append((what, f"`{plain.configuration}`", *counts))
    return table(head, lines, "llr", tight=True)


def section(recorded: dict) -> str:
    rows = recorded["rows"]
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    peers = json.loads(PEERS.read_text())["rows"]
    head = ("design", "what", "published", "source")
    return "\n\n".join(
        [
            lost(rows),
            "Misses and walks meanwhile, for 1,000 instructions, where translation is on:",
            translations(rows),
            "What a main TLB of 1,024 (`teaching`) or 256 entries (`ulx3s`) leaves of the walks. "
            "The counts are of whole runs; the wait is that of instructions and data:",
            main_tlb(rows),
            f"Commits {commits}. What others published:",
            table(head, ([row[c] for c in head] for row in peers), tight=True),
        ]
    )


MEASURED = Measured("stalls", "make stalls", "", {("docs/results.md", "stalls"): section})


def main() -> None:
    """Rows that were not measured now keep what they had."""
    found = results.read("stalls") or {"figures": [], "commit": ""}
    new = [{**row, "commit": found["commit"]} for row in found["figures"]]
    old = MEASURED.recorded()["rows"]
    MEASURED.write({"rows": merged(old, new, "configuration", "what")})


if __name__ == "__main__":
    main()
