"""The area plot: LUTs against Fmax, ours and the peers'."""

import statistics
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

OURS, THEIRS = "#1f6f8b", "#c0562f"


def draw(rows: list[dict], peers: list[dict], path: Path) -> None:
    """One bar for the area and one dot with its spread for the speed of each block."""
    names = [f"{r['unit']} ({r['config']})" for r in rows] + [p["block"] for p in peers]
    luts = [r["lut4"] + r["carry"] + r["ram"] for r in rows] + [p["lut4"] for p in peers]
    speeds = [list(r["fmax"]["by_seed"].values()) for r in rows] + [p["fmax"] for p in peers]
    colours = [OURS] * len(rows) + [THEIRS] * len(peers)
    places = range(len(names))
    matplotlib.rcParams["svg.hashsalt"] = "granule"
    figure, (area, speed) = plt.subplots(
        1, 2, sharey=True, figsize=(10, 0.36 * len(names) + 1.4), constrained_layout=True
    )
    area.barh(places, luts, color=colours)
    area.set_yticks(places, names)
    area.invert_yaxis()
    area.set_xlabel("LUTs on an ECP5 (logic, carry, RAM)")
    for place, mhz, colour in zip(places, speeds, colours, strict=True):
        speed.plot([min(mhz), max(mhz)], [place, place], color=colour, linewidth=2)
        speed.plot(statistics.median(mhz), place, "o", color=colour)
    speed.set_xlabel("Fmax in MHz, three seeds (dot: median)")
    speed.set_xlim(left=0)
    for axes in (area, speed):
        axes.grid(axis="x", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle("Area and speed, ours (blue) and measured peers (orange)")
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
