"""Writes the area table into docs/results.md, between its markers."""

import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support.run import ROOT  # noqa: E402
from tools.area.measure import PLAIN, SYSTEM, TIMING  # noqa: E402
from tools.pnr.ecp5 import TIMING_FIRST  # noqa: E402

PAGE = ROOT / "docs" / "results.md"
PEERS = ROOT / "tb" / "tools" / "area" / "peers.json"


class MarkerMissing(ValueError):
    """The page has no place for the text."""


def put(page: Path, marker: str, text: str) -> None:
    """Replaces what stands between `<!-- MARKER begin ... -->` and `<!-- MARKER end -->`."""
    old = page.read_text()
    begin, end = f"<!-- {marker} begin", f"<!-- {marker} end -->"
    if begin not in old or end not in old:
        raise MarkerMissing(f"{page.name} has no markers '{begin} -->' and '{end}'; add them")
    head, rest = old.split(begin, 1)
    comment, rest = rest.split("-->", 1)
    page.write_text(f"{head}{begin}{comment}-->\n{text}\n{end}{rest.split(end, 1)[1]}")


def peers() -> list[dict]:
    """Measured rows of other open designs."""
    return json.loads(PEERS.read_text())["rows"]


def our_row(row: dict) -> str:
    """One Markdown row of ours."""
    fmax = row["fmax"]
    return (
        f"| `{row['unit']}` | `{row['config']}` | {row['lut4']} | {row['carry']} | {row['ram']} "
        f"| {row['ff']} | {row['dp16kd']} | {row['mult']} "
        f"| {fmax['min']} / **{fmax['median']}** / {fmax['max']} ({len(fmax['by_seed'])}) |"
    )


def peer_row(row: dict) -> str:
    """One Markdown row of a peer; carry and RAM LUTs were not published."""
    low, middle, high = min(row["fmax"]), statistics.median(row["fmax"]), max(row["fmax"])
    return (
        f"| {row['block']} | {row['features']} | {row['lut4']} | | | {row['ff']} | {row['dp16kd']} "
        f"| | {low} / **{middle}** / {high} ({len(row['fmax'])}) |"
    )


def flows(rows: list[dict]) -> str:
    """Every flow that rows were made with, and which rows if there is more than one."""
    by_flow: dict[str, list[str]] = {}
    for row in rows:
        by_flow.setdefault(row["flow"], []).append(f"{row['unit']}:{row['config']}")
    if len(by_flow) == 1:
        return f"Flow: `{rows[0]['flow']}`"
    return "Flows: " + "; ".join(f"`{flow}` ({', '.join(of)})" for flow, of in by_flow.items())


def markdown(rows: list[dict]) -> str:
    """Our rows, then the peers'."""
    lines = [
        "| block | configuration | LUT4 | carry | RAM | FF | DP16KD | MULT18 "
        "| Fmax in MHz: least / **median** / most (seeds) |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|",
        *map(our_row, rows),
        *map(peer_row, peers()),
        "",
        "LUT4 are logic LUTs; carry chains and distributed RAM occupy the LUTs of the two columns "
        "beside it (the peers' were not counted). The register harness is not in the areas. "
        f"`{PLAIN[1:]}`: synthesized as the peers, with the mapping of Yosys itself. "
        f"{SYSTEM} and `{TIMING[1:]}` are placed for timing first "
        f"({' '.join(TIMING_FIRST)}), as the boards are. "
        f"{flows(rows)}; {', '.join(rows[0]['tools'])}; commits "
        f"{', '.join(sorted({row['commit'] for row in rows}))}.",
        "",
        "Worst path of the median seed:",
        "",
        "| block | configuration | from | to | ns | levels | routing |",
        "|---|---|---|---|--:|--:|--:|",
    ]
    for row in rows:
        path = row["critical"]
        share = 100 * path["routing"] / path["nanoseconds"]
        lines.append(
            f"| `{row['unit']}` | `{row['config']}` | `{path['start']}` | `{path['end']}` "
            f"| {path['nanoseconds']} | {path['levels']} | {share:.0f} % |"
        )
    return "\n".join(lines)


def worst_paths(rows: list[dict]) -> str:
    """The slowest paths of the system in the configuration of the board, each to another end."""
    row = next((r for r in rows if (r["unit"], r["config"]) == (SYSTEM, "ulx3s")), None)
    if row is None or not row.get("worst"):
        return "Not measured yet."
    return "\n".join(f"{n}. `{path}`" for n, path in enumerate(row["worst"], 1))


CHOSEN = "runtime"


def granule_cost(rows: list[dict]) -> str:
    """What the choice of a granule at run time costs the MMU, against builds of one granule."""
    by_config = {row["config"]: row for row in rows if row["unit"] == "mmu"}
    lines = [
        "| mapping | built for | LUT4 | all three granules, LUT4 | share of the MMU "
        "| Fmax in MHz | all three granules, Fmax |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for mapping, mark in (("of `make area`", ""), ("of Yosys", PLAIN)):
        ours = by_config.get(CHOSEN + mark)
        for name, row in by_config.items():
            if not name.startswith("fixed") or name.endswith(PLAIN) != bool(mark) or ours is None:
                continue
            share = 100 * (1 - row["lut4"] / ours["lut4"])
            faster = 100 * (ours["fmax"]["median"] / row["fmax"]["median"] - 1)
            lines.append(
                f"| {mapping} | `{name.removesuffix(PLAIN)}` | {row['lut4']} | {ours['lut4']} "
                f"| {share:.1f} % | {row['fmax']['median']} "
                f"| {ours['fmax']['median']} ({faster:+.1f} %) |"
            )
    return "\n".join(lines) if len(lines) > 2 else "Not measured yet."
