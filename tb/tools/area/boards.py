"""Writes the table of board builds into docs/results.md, from what `make fpga` left in
build/results and from the rows published before."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.area import table  # noqa: E402

PUBLISHED = ROOT / "docs" / "data" / "fpga.json"
LOGIC = {"TRELLIS_COMB": "ECP5", "LUT4": "Gowin"}  # what each family calls its LUTs


def merged(old: list[dict], new: list[dict]) -> list[dict]:
    """One row for each board, the new one if there is one, by name."""
    by_name = {row["name"]: row for row in [*old, *new]}
    return [by_name[name] for name in sorted(by_name)]


def line(row: dict) -> str:
    """One Markdown row."""
    figures = row["figures"]
    used = figures["used"]
    logic = next((used[name] for name in LOGIC if name in used), ["?", "?"])
    reached, asked = min(figures["mhz"].values(), key=lambda clock: clock[0] / clock[1])
    return (
        f"| `{figures['board']}` | `{row['configuration']}` | {logic[0]} of {logic[1]} "
        f"| {asked:.0f} | **{reached:.1f}** | {'yes' if figures['met'] else 'no'} | {row['seed']} "
        f"| {figures['worst'][0] if figures['worst'] else ''} | {row['commit']} |"
    )


def markdown(rows: list[dict]) -> str:
    """The table."""
    return "\n".join(
        [
            "| board | configuration | LUTs | MHz asked | reached | met | seed | worst path "
            "| commit |",
            "|---|---|---|--:|--:|---|--:|---|---|",
            *map(line, rows),
        ]
    )


def main() -> None:
    """Merges, writes docs/data/fpga.json and the table."""
    old = json.loads(PUBLISHED.read_text()) if PUBLISHED.exists() else []
    new = [json.loads(path.read_text()) for path in results.RESULTS.glob("fpga-*.json")]
    rows = merged(old, new)
    PUBLISHED.write_text(json.dumps(rows, indent=1) + "\n")
    table.put(table.PAGE, "boards", markdown(rows))
    print(f"boards: {len(rows)} rows in docs/results.md and docs/data/fpga.json, {len(new)} new")


if __name__ == "__main__":
    main()
