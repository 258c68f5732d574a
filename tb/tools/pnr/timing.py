"""Reads the timing report of nextpnr (`--report`)."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Path:
    """One register-to-register path.

    `levels` counts LUTs, carries and RAMs between the registers; `through` are the named nets
    on the way, in order.
    """

    start: str
    end: str
    nanoseconds: float
    logic: float
    routing: float
    levels: int
    through: tuple[str, ...]

    def text(self) -> str:
        """One line for people."""
        share = 100 * self.routing / self.nanoseconds if self.nanoseconds else 0
        return (
            f"{self.start} -> {self.end}: {self.nanoseconds:.1f} ns, {self.levels} levels, "
            f"{share:.0f} % routing"
        )


def plain(name: str) -> str:
    """The RTL name inside the name of a cell or net that synthesis made."""
    name = re.split(r"_(?:LUT4|CCU2C|PFUMX|L6MUX21|TRELLIS_\w+|DP16KD)(?:_|$|\.)", name)[0]
    return re.sub(r"\$\w+$", "", name).replace("inner_unit.", "").replace("inner_unit_", "")


def read_path(path: dict) -> Path:
    """One entry of `critical_paths`."""
    steps = path["path"]
    of = {"logic": 0.0, "routing": 0.0}
    levels, through = 0, []
    for step in steps:
        kind = "routing" if step["type"] == "routing" else "logic"
        of[kind] += step["delay"]
        levels += step["type"] == "logic"
        if step["type"] == "routing":
            name = plain(step["net"])
            if name and (not through or through[-1] != name):
                through.append(name)
    return Path(
        start=f"{plain(steps[0]['from']['cell'])}",
        end=f"{plain(steps[-1]['to']['cell'])}",
        nanoseconds=round(of["logic"] + of["routing"], 2),
        logic=round(of["logic"], 2),
        routing=round(of["routing"], 2),
        levels=levels,
        through=tuple(through),
    )


def clock_paths(report: dict) -> list[Path]:
    """Worst path of every clock, slowest first; paths from and to pins are left out."""
    same = [p for p in report["critical_paths"] if p["from"] == p["to"] != "<async>"]
    return sorted(map(read_path, same), key=lambda p: -p.nanoseconds)


def worst_path(report: dict) -> Path:
    """The path that limits the (only) clock."""
    paths = clock_paths(report)
    if not paths:
        raise ValueError("the timing report has no path between registers; is there a clock?")
    return paths[0]
