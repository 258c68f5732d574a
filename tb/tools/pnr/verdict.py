"""Judges a routed design: utilisation, every clock against its constraint, paths to the pins."""

import re
from dataclasses import dataclass

from tools.pnr.timing import Path, clock_paths, plain

# What people look at, in this order; the rest of the device is not listed.
SHOWN = (
    "TRELLIS_COMB",
    "TRELLIS_FF",
    "TRELLIS_RAMW",
    "DP16KD",
    "MULT18X18D",
    "EHXPLLL",
    "TRELLIS_IO",
    "LUT4",
    "DFF",
    "BSRAM",
    "RAM16SDP4",
    "IOB",
    "rPLL",
)


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
    return [
        f"{name}: {used} of {available}"
        for name, used, available in lines
        if int(used) > int(available)
    ]


def judge(report: dict, log: str) -> Verdict:
    """From nextpnr's JSON report and its log (which alone has the delays to and from the pins)."""
    clocks = [
        Clock(plain(name.replace("$glbnet$", "")), round(f["achieved"], 2), f["constraint"])
        for name, f in report["fmax"].items()
    ]
    used = {
        name: (report["utilization"][name]["used"], report["utilization"][name]["available"])
        for name in SHOWN
        if report["utilization"].get(name, {}).get("used")
    }
    pins = {}
    for line in log.splitlines():
        delay = re.match(r"Info: Max delay (.*\S) +-> (.*?) *: ([0-9.]+) ns", line)
        if delay and "<async>" in (delay[1], delay[2]):
            way = "from pins" if delay[1] == "<async>" else "to pins"
            pins[way] = max(pins.get(way, 0.0), float(delay[3]))
    return Verdict(clocks, used, clock_paths(report), pins)
