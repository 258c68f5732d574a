"""The tables of `make area` in docs/results.md."""

import json
import statistics
from collections.abc import Collection

from figures.page import table
from support.root import ROOT
from tools.area.measure import PLAIN, SYSTEM, TIMING
from tools.pnr.ecp5 import TIMING_FIRST

PEERS = ROOT / "tb" / "tools" / "area" / "peers.json"


def peers() -> list[dict]:
    """Measured rows of other open designs."""
    return json.loads(PEERS.read_text())["rows"]


def speed(mhz: Collection[float]) -> str:
    return f"{min(mhz)} / **{round(statistics.median(mhz), 1)}** / {max(mhz)} ({len(mhz)})"


def our_row(row: dict) -> tuple:
    used = (row[kind] for kind in ("lut4", "carry", "ram", "ff", "dp16kd", "mult"))
    mhz = speed(row["fmax"]["by_seed"].values())
    return (f"`{row['unit']}`", f"`{row['config']}`", *used, mhz)


def peer_row(row: dict) -> tuple:
    """Of a peer; carry and RAM LUTs were not published."""
    used = (row["lut4"], "", "", row["ff"], row["dp16kd"], "")
    return (row["block"], row["features"], *used, speed(row["fmax"]))


def path_row(row: dict) -> tuple:
    path = row["critical"]
    share = f"{100 * path['routing'] / path['nanoseconds']:.0f} %"
    ends = (f"`{path['start']}`", f"`{path['end']}`")
    return (f"`{row['unit']}`", f"`{row['config']}`", *ends, path["nanoseconds"], path["levels"],
            share)  # fmt: skip


def flows(rows: list[dict]) -> str:
    """Every flow that rows were made with, and which rows if there is more than one."""
    by_flow: dict[str, list[str]] = {}
    for row in rows:
        by_flow.setdefault(row["flow"], []).append(f"{row['unit']}:{row['config']}")
    if len(by_flow) == 1:
        return f"Flow: `{rows[0]['flow']}`"
    return "Flows: " + "; ".join(f"`{flow}` ({', '.join(of)})" for flow, of in by_flow.items())


def section(recorded: dict) -> str:
    """Our rows, then the peers'."""
    rows = recorded["figures"]
    blocks = ("block", "configuration", "LUT4", "carry", "RAM", "FF", "DP16KD", "MULT18",
              "Fmax in MHz: least / **median** / most (seeds)")  # fmt: skip
    paths = ("block", "configuration", "from", "to", "ns", "levels", "routing")
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    text = (
        "LUT4 are logic LUTs; carry chains and distributed RAM occupy the LUTs of the two columns "
        "beside it (the peers' were not counted). The register harness is not in the areas. "
        f"`{PLAIN[1:]}`: synthesized as the peers, with the mapping of Yosys itself. "
        f"{SYSTEM} and `{TIMING[1:]}` are placed for timing first "
        f"({' '.join(TIMING_FIRST)}), as the boards are. "
        f"{flows(rows)}; {', '.join(rows[0]['tools'])}; commits {commits}."
    )
    cells = (*map(our_row, rows), *map(peer_row, peers()))
    worst = table(paths, map(path_row, rows), "llllr", tight=True)
    shown = table(blocks, cells, "llrrrrrrl", tight=True)
    return "\n\n".join([shown, text, "Worst path of the median seed:", worst])


def worst_paths(recorded: dict) -> str:
    """The slowest paths of the system in the configuration of the board, each to another end."""
    place = (SYSTEM, "ulx3s")
    row = next((r for r in recorded["figures"] if (r["unit"], r["config"]) == place), None)
    if row is None or not row.get("worst"):
        return "Not measured yet."
    return "\n".join(f"{n}. `{path}`" for n, path in enumerate(row["worst"], 1))


CHOSEN = "runtime"


def granule_cost(recorded: dict) -> str:
    """What the choice of a granule at run time costs the MMU, against builds of one granule."""
    by_config = {row["config"]: row for row in recorded["figures"] if row["unit"] == "mmu"}
    lines = []
    for mapping, mark in (("of `make area`", ""), ("of Yosys", PLAIN)):
        ours = by_config.get(CHOSEN + mark)
        for name, row in by_config.items():
            if not name.startswith("fixed") or name.endswith(PLAIN) != bool(mark) or ours is None:
                continue
            share = 100 * (1 - row["lut4"] / ours["lut4"])
            mhz, all_three = row["fmax"]["median"], ours["fmax"]["median"]
            faster = f"{all_three} ({100 * (all_three / mhz - 1):+.1f} %)"
            built, luts = f"`{name.removesuffix(PLAIN)}`", (row["lut4"], ours["lut4"])
            lines.append((mapping, built, *luts, f"{share:.1f} %", mhz, faster))
    head = ("mapping", "built for", "LUT4", "all three granules, LUT4", "share of the MMU",
            "Fmax in MHz", "all three granules, Fmax")  # fmt: skip
    return table(head, lines, "llr", tight=True) if lines else "Not measured yet."
