"""What nextpnr reports of a routed design: utilisation, every clock against its constraint, the
worst paths, and the delays to the pins."""

import re
from dataclasses import dataclass
from itertools import groupby

# What people look at, in this order; the rest of the device is not listed.
SHOWN = (
    *("TRELLIS_COMB", "TRELLIS_FF", "TRELLIS_RAMW", "DP16KD", "MULT18X18D", "EHXPLLL"),
    *("TRELLIS_IO", "LUT4", "DFF", "BSRAM", "RAM16SDP4", "IOB", "rPLL"),
)


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
    steps = path["path"]
    wires = [step for step in steps if step["type"] == "routing"]
    routing = sum(step["delay"] for step in wires)
    logic = sum(step["delay"] for step in steps) - routing
    names = [plain(step["net"]) for step in wires]
    return Path(
        start=plain(steps[0]["from"]["cell"]),
        end=plain(steps[-1]["to"]["cell"]),
        nanoseconds=round(logic + routing, 2),
        logic=round(logic, 2),
        routing=round(routing, 2),
        levels=sum(step["type"] == "logic" for step in steps),
        through=tuple(name for name, _ in groupby(filter(None, names))),
    )


def clock_paths(report: dict) -> list[Path]:
    """Worst path of every clock, slowest first; paths from and to pins are left out."""
    same = [p for p in report["critical_paths"] if p["from"] == p["to"] != "<async>"]
    return sorted(map(read_path, same), key=lambda p: -p.nanoseconds)


def worst_path(report: dict) -> Path:
    if not (paths := clock_paths(report)):
        raise ValueError("the timing report has no path between registers; is there a clock?")
    return paths[0]


@dataclass(frozen=True)
class Clock:
    """One clock: what was asked and what was reached, in MHz."""

    name: str
    achieved: float
    wanted: float

    @property
    def met(self) -> bool:
        return self.achieved >= self.wanted


@dataclass(frozen=True)
class Verdict:
    """Everything that the end of a build says."""

    clocks: list[Clock]
    used: dict[str, tuple[int, int]]
    paths: list[Path]
    pins: dict[str, float]

    @property
    def met(self) -> bool:
        return all(clock.met for clock in self.clocks)


def overfull(log: str) -> list[str]:
    """Kinds of cells of which the device has too few, by nextpnr's list of what it packed."""
    lines = re.findall(r"^Info:\s+(\w+): +(\d+)/ *(\d+) +\d+%", log, re.M)
    return [f"{name}: {used} of {there}" for name, used, there in lines if int(used) > int(there)]


def judge(report: dict, log: str) -> Verdict:
    """From nextpnr's JSON report and its log (which alone has the delays to and from the pins)."""
    clocks = [
        Clock(plain(name.replace("$glbnet$", "")), round(f["achieved"], 2), f["constraint"])
        for name, f in report["fmax"].items()
    ]
    cells = {name: report["utilization"].get(name, {"used": 0}) for name in SHOWN}
    used = {name: (n["used"], n["available"]) for name, n in cells.items() if n["used"]}
    delays = re.findall(r"^Info: Max delay (.*\S) +-> (.*?) *: ([\d.]+) ns", log, re.M)
    pins = {}
    for start, end, delay in delays:
        if "<async>" in (start, end):
            way = "from pins" if start == "<async>" else "to pins"
            pins[way] = max(pins.get(way, 0.0), float(delay))
    return Verdict(clocks, used, clock_paths(report), pins)
