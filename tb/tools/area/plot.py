"""The area plot: LUTs against Fmax, ours and the peers'."""

import statistics
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(frozen=True)
class Bar:
    """One block of the plot. Carry chains and RAM of the peers were not counted, so that only
    LUT4 compare."""

    name: str
    lut4: int
    mhz: list[float]
    colour: str

    @staticmethod
    def of_row(row: dict) -> "Bar":
        colour = SAME if row["flow"].startswith("synth") else OWN
        speeds = list(row["fmax"]["by_seed"].values())
        return Bar(f"{row['unit']} ({row['config']})", row["lut4"], speeds, colour)

    @staticmethod
    def of_peer(peer: dict) -> "Bar":
        return Bar(peer["block"], peer["lut4"], peer["fmax"], THEIRS)


def draw(recorded: dict, path: Path) -> None:
    """One bar for the area and one dot with its spread for the speed of each block."""
    bars = [*map(Bar.of_row, recorded["figures"]), *map(Bar.of_peer, peers())]
    places = range(len(bars))
    figure, (area, speed) = panels(1, 2, sharey=True, figsize=(10, 0.36 * len(bars) + 1.8))
    area.barh(places, [bar.lut4 for bar in bars], color=[bar.colour for bar in bars])
    area.set_yticks(places, [bar.name for bar in bars])
    area.invert_yaxis()
    area.set_xlabel("LUT4 on an ECP5 (logic only)")
    for place, bar in zip(places, bars, strict=True):
        speed.plot([min(bar.mhz), max(bar.mhz)], [place, place], color=bar.colour, linewidth=2)
        speed.plot(statistics.median(bar.mhz), place, "o", color=bar.colour)
    speed.set_xlabel("Fmax in MHz (dot: median of the seeds)")
    speed.set_xlim(left=0)
    for axes in (area, speed):
        plain(axes, "x")
    save(figure, path, [Patch(color=colour, label=text) for colour, text in LEGEND.items()])
