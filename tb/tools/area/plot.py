"""The area plot: LUTs against Fmax, ours and the peers'."""

import statistics
from pathlib import Path
from typing import NamedTuple

from matplotlib.patches import Patch

from figures.plot import panels, plain, save
from tools.area.table import peers

# Ours mapped as the peers, ours with the mapping of this project, and the peers.
SAME, OWN, THEIRS = "#1f6f8b", "#8fc1d4", "#c0562f"
LEGEND = {
    SAME: "ours, mapped as the peers",
    OWN: "ours, with the mapping of docs/decisions.md",
    THEIRS: "measured peers",
}


class Bar(NamedTuple):
    """One block of the plot. Carry chains and RAM of the peers were not counted, so that only
    LUT4 compare."""

    name: str
    lut4: int
    mhz: list[float]
    colour: str


def bars(rows: list[dict]) -> list[Bar]:
    """Ours, then the peers'."""
    found = []
    for row in rows:
        colour = SAME if row["flow"].startswith("synth") else OWN
        speeds = list(row["fmax"]["by_seed"].values())
        found.append(Bar(f"{row['unit']} ({row['config']})", row["lut4"], speeds, colour))
    return found + [Bar(peer["block"], peer["lut4"], peer["fmax"], THEIRS) for peer in peers()]


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
