"""The tables of `make area` in docs/results.md, and its plot: LUTs against Fmax, ours and the
peers'."""

import json
import statistics
from pathlib import Path
from typing import NamedTuple

from matplotlib.patches import Patch

from figures.page import table
from figures.plot import panels, plain, save
from tools.area.measure import PLAIN, SYSTEM, TIMING
from tools.pnr.ecp5 import TIMING_FIRST

PEERS = Path(__file__).with_name("peers.json")
CHOSEN = "runtime"  # the configuration whose granule is chosen at run time
NOT_YET = "Not measured yet."
# Ours mapped as the peers, ours with the mapping of this project, and the peers.
SAME, OWN, THEIRS = "#1f6f8b", "#8fc1d4", "#c0562f"
LEGEND = {
    SAME: "ours, mapped as the peers",
    OWN: "ours, with the mapping of docs/decisions.md",
    THEIRS: "measured peers",
}


def peers() -> list[dict]:
    """Measured rows of other open designs; their carry and RAM LUTs were not published."""
    return json.loads(PEERS.read_text())["rows"]


def place(row: dict) -> tuple[str, str]:
    return f"`{row['unit']}`", f"`{row['config']}`"


def speeds(row: dict) -> list[float]:
    """In MHz, of ours or a peer."""
    return row["fmax"] if "block" in row else list(row["fmax"]["by_seed"].values())


def cells(row: dict) -> tuple:
    name = (row["block"], row["features"]) if "block" in row else place(row)
    used = (row.get(kind, "") for kind in ("lut4", "carry", "ram", "ff", "dp16kd", "mult"))
    mhz = speeds(row)
    middle = round(statistics.median(mhz), 1)
    return (*name, *used, f"{min(mhz)} / **{middle}** / {max(mhz)} ({len(mhz)})")


def path_cells(row: dict) -> tuple:
    path = row["critical"]
    share = f"{100 * path['routing'] / path['nanoseconds']:.0f} %"
    ends = (f"`{path['start']}`", f"`{path['end']}`")
    return (*place(row), *ends, path["nanoseconds"], path["levels"], share)


def flows(rows: list[dict]) -> str:
    """Every flow that rows were made with, and which rows if there is more than one."""
    by_flow: dict[str, list[str]] = {}
    for row in rows:
        by_flow.setdefault(row["flow"], []).append(f"{row['unit']}:{row['config']}")
    if len(by_flow) == 1:
        return f"Flow: `{rows[0]['flow']}`"
    return "Flows: " + "; ".join(f"`{flow}` ({', '.join(of)})" for flow, of in by_flow.items())


def section(recorded: dict) -> str:
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
    shown = table(blocks, map(cells, [*rows, *peers()]), "llrrrrrrl", tight=True)
    worst = table(paths, map(path_cells, rows), "llllr", tight=True)
    return "\n\n".join([shown, text, "Worst path of the median seed:", worst])


def worst_paths(recorded: dict) -> str:
    """The slowest paths of the system in the configuration of the board, each to another end."""
    found = (r for r in recorded["figures"] if (r["unit"], r["config"]) == (SYSTEM, "ulx3s"))
    paths = next(found, {}).get("worst")
    return "\n".join(f"{n}. `{path}`" for n, path in enumerate(paths, 1)) if paths else NOT_YET


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
    return table(head, lines, "llr", tight=True) if lines else NOT_YET


class Bar(NamedTuple):
    """One block of the plot. Carry chains and RAM of the peers were not counted, so that only
    LUT4 compare."""

    name: str
    lut4: int
    mhz: list[float]
    colour: str


def bars(rows: list[dict]) -> list[Bar]:
    ours = [
        Bar(f"{row['unit']} ({row['config']})", row["lut4"], speeds(row),
            SAME if row["flow"].startswith("synth") else OWN)
        for row in rows
    ]  # fmt: skip
    return ours + [Bar(row["block"], row["lut4"], speeds(row), THEIRS) for row in peers()]


def draw(recorded: dict, path: Path) -> None:
    """One bar for the area and one dot with its spread for the speed of each block."""
    drawn = bars(recorded["figures"])
    places = range(len(drawn))
    figure, (area, speed) = panels(1, 2, sharey=True, figsize=(10, 0.36 * len(drawn) + 1.8))
    area.barh(places, [bar.lut4 for bar in drawn], color=[bar.colour for bar in drawn])
    area.set_yticks(places, [bar.name for bar in drawn])
    area.invert_yaxis()
    area.set_xlabel("LUT4 on an ECP5 (logic only)")
    for place, bar in zip(places, drawn, strict=True):
        speed.plot([min(bar.mhz), max(bar.mhz)], [place, place], color=bar.colour, linewidth=2)
        speed.plot(statistics.median(bar.mhz), place, "o", color=bar.colour)
    speed.set_xlabel("Fmax in MHz (dot: median of the seeds)")
    speed.set_xlim(left=0)
    for axes in (area, speed):
        plain(axes, "x")
    save(figure, path, [Patch(color=colour, label=text) for colour, text in LEGEND.items()])
