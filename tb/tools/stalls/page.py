"""The table of docs/results.md that says where cycles go, from what `make stalls` left in
build/results and from the rows published before, beside what others published."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.area import table as marked  # noqa: E402
from tools.stalls.measure import Spent  # noqa: E402

PUBLISHED = ROOT / "docs" / "data" / "stalls.json"
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


def line(row: dict) -> str:
    """One Markdown row."""
    one = spent(row)
    shares = " | ".join(f"{100 * one.share(*reasons):.1f}" for reasons in COLUMNS.values())
    dmips = row.get("dmips_per_mhz")
    return (
        f"| {one.what} | `{one.configuration}` | {one.cycles:,} | {one.instructions:,} "
        f"| {one.cpi:.2f} | {f'{dmips:.2f}' if dmips else ''} | {shares} |"
    )


def is_document(row: dict) -> bool:
    """Fifteen runs a machine: they are in the table of walks only."""
    return row["what"].startswith("document")


def table(rows: list[dict]) -> str:
    """Ours: share of all cycles, in per cent."""
    head = ["", "configuration", "cycles", "instructions", "CPI", "DMIPS/MHz", *COLUMNS]
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "--:|" * (len(head) - 2)]
    return "\n".join([*lines, *(line(row) for row in rows if not is_document(row))])


def translation_line(row: dict) -> str:
    """One Markdown row of the second table."""
    one = spent(row)
    misses = " | ".join(f"{one.per_thousand(event):.2f}" for event in MISSES.values())
    known = one.per_walk("walk_cached") + one.per_walk("walk_cached_upper")
    return (
        f"| {one.what} | `{one.configuration}` | {misses} | {one.per_walk('walk_cycles'):.1f} "
        f"| {100 * one.per_walk('walk_single'):.0f} % | {100 * known:.0f} % |"
    )


def translations(rows: list[dict]) -> str:
    """TLB and walks, of what runs under translation."""
    head = ["", "configuration", *MISSES, "cycles a walk", "walks of one read",
            "walks from a remembered table"]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "--:|" * (len(head) - 2)]
    translated = [
        row for row in rows if row.get("events") and spent(row).translates and not is_document(row)
    ]
    return "\n".join([*lines, *map(translation_line, translated)])


def main_tlb(rows: list[dict]) -> str:
    """Each run on a machine without and with a main TLB: what its walks were, and their price."""
    by_place = {(row["what"], row["configuration"]): spent(row) for row in rows}
    head = ["", "machine", "micro TLB misses", "walks", "with a main TLB", "left",
            "cycles waited", "with a main TLB"]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "--:|" * (len(head) - 2)]
    for (what, config), with_main in by_place.items():
        plain = by_place.get((what, config.removesuffix(MAIN)))
        if not config.endswith(MAIN) or not plain or not plain.events or not plain.translates:
            continue
        both = (plain, with_main)
        waits = [one.reasons["stall_itlb"] + one.reasons["stall_walk"] for one in both]
        walks = [one.events["walks"] for one in both]
        misses = plain.events["itlb_miss"] + plain.events["dtlb_miss"]
        lines.append(
            f"| {what} | `{plain.configuration}` | {misses:,} | {walks[0]:,} | {walks[1]:,} "
            f"| {100 * walks[1] / walks[0]:.1f} % | {waits[0]:,} | {waits[1]:,} |"
        )
    return "\n".join(lines)


def peers() -> str:
    """What others published, with where."""
    rows = json.loads(PEERS.read_text())["rows"]
    head = ["design", "what", "published", "source"]
    lines = [f"| {' | '.join(head)} |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row[c] for c in head)} |" for row in rows)])


def merged(old: list[dict], new: list[dict], commit: str) -> list[dict]:
    """One row for each place, the new one if there is one."""
    by_place = {
        (row["configuration"], row["what"]): row
        for row in [*old, *({**row, "commit": commit} for row in new)]
    }
    return list(by_place.values())


def main() -> None:
    """Merges, writes docs/data/stalls.json and the tables."""
    old = json.loads(PUBLISHED.read_text())["rows"] if PUBLISHED.exists() else []
    found = results.read("stalls") or {"figures": [], "commit": ""}
    rows = merged(old, found["figures"], found["commit"])
    if not rows:
        print("stalls: nothing measured; make stalls does")
        return
    PUBLISHED.write_text(results.by_lines({"rows": rows}))
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    text = "\n\n".join(
        [
            table(rows),
            "Misses and walks meanwhile, for 1,000 instructions, where translation is on:",
            translations(rows),
            "What a main TLB of 1,024 (`teaching`) or 256 entries (`ulx3s`) leaves of the walks. "
            "The counts are of whole runs; the wait is that of instructions and data:",
            main_tlb(rows),
            f"Commits {commits}. What others published:",
            peers(),
        ]
    )
    marked.put(marked.PAGE, "stalls", text)
    print(f"stalls: {len(rows)} rows in docs/results.md and docs/data/stalls.json")


if __name__ == "__main__":
    main()
