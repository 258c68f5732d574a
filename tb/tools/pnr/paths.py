"""The slowest paths of a routed design, one for each register they end in, from nextpnr's SDF.

nextpnr reports the one slowest path; what comes after it is often another tree of the same wood.
This adds up the delays of cells and wires itself:
`.venv/bin/python tb/tools/pnr/paths.py FILE.sdf --count 10`.
"""

import math
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.pnr.timing import Path as TimingPath  # noqa: E402
from tools.pnr.timing import plain  # noqa: E402

INSTANCE = re.compile(r"\(INSTANCE (.*)\)")
WIRE = re.compile(r"\(INTERCONNECT (\S+)/(\S+) (\S+)/(\S+) \([^:]*:[^:]*:([^)]*)\)")
ARC = re.compile(r"\(IOPATH (?:\(\w+ )?(\S+?)\)? (\S+) \([^:]*:[^:]*:([^)]*)\)")
CHECK = re.compile(r"\(SETUPHOLD \(posedge (\S+)\) \(\w+ \S+\) \(([^)]*)\) \(([^)]*)\)\)")
PICO = 1000


@dataclass
class Netlist:
    """Delays in picoseconds; a pin is (cell, port). `launch`: clock to output; `check`: setup."""

    wires: dict = field(default_factory=dict)  # sink pin: (driver pin, delay)
    arcs: dict = field(default_factory=lambda: defaultdict(list))  # output: [(input, delay)]
    launch: dict = field(default_factory=dict)
    check: dict = field(default_factory=dict)


def read(sdf: Path) -> Netlist:
    """Reads what nextpnr writes, one statement a line."""
    netlist, cell = Netlist(), ""
    with sdf.open() as lines:
        for line in lines:
            if wire := WIRE.search(line):
                source, output, sink, port, delay = wire.groups()
                netlist.wires[sink, port] = ((source, output), int(delay))
            elif arc := ARC.search(line):
                start, output, delay = arc.groups()
                if "CLK" in start:
                    netlist.launch[cell, output] = int(delay)
                else:
                    netlist.arcs[cell, output].append(((cell, start), int(delay)))
            elif check := CHECK.search(line):
                port, *times = check.groups()
                worst = max(int(t.split(":")[-1]) for t in times)
                netlist.check[cell, port] = worst
            elif instance := INSTANCE.search(line):
                cell = instance.group(1)
    return netlist


def arrivals(netlist: Netlist) -> tuple[dict, dict]:
    """For each pin when its value is there, and the pin before it on the slowest way.

    What comes from no register (constants, pins) is there always: minus infinity.
    """
    time, before = {}, {}
    for end in netlist.check:
        stack = [end]
        while stack:
            pin = stack[-1]
            if pin in time:
                stack.pop()
                continue
            wire = netlist.wires.get(pin)
            inputs = [wire] if wire else netlist.arcs.get(pin, [])
            missing = [p for p, _ in inputs if p not in time]
            if missing:
                stack += missing
                continue
            time[pin] = netlist.launch.get(pin, -math.inf)
            for source, delay in inputs:
                if time[source] + delay > time[pin]:
                    time[pin], before[pin] = time[source] + delay, source
            stack.pop()
    return time, before


def name_of(pin: tuple[str, str]) -> str:
    """The RTL name of what a cell drives, without the bit."""
    name = plain(pin[0].replace("\\", ""))
    return re.sub(r"(_\d+|\.\d+)+$", "", name.removeprefix("inner."))


def trace(netlist: Netlist, time: dict, before: dict, end: tuple[str, str]) -> TimingPath:
    """The slowest way to `end`; `through` has each cell with the nanosecond it is passed."""
    pins = [end]
    while pins[-1] in before:
        pins.append(before[pins[-1]])
    pins.reverse()
    routing, levels, through = 0, 0, []
    for pin in pins[1:]:
        if pin in netlist.wires:
            routing += netlist.wires[pin][1]
        else:
            levels += 1
            through.append(f"{name_of(pin)} {time[pin] / PICO:.1f}")
    total = time[end] + netlist.check[end]
    return TimingPath(
        start=name_of(pins[0]),
        end=name_of(end),
        nanoseconds=round(total / PICO, 2),
        logic=round((total - routing) / PICO, 2),
        routing=round(routing / PICO, 2),
        levels=levels,
        through=tuple(through),
    )


def worst(sdf: Path, count: int) -> list[TimingPath]:
    """The `count` slowest paths whose end registers differ by more than the bit."""
    netlist = read(sdf)
    time, before = arrivals(netlist)
    found, seen = [], set()
    for end in sorted(netlist.check, key=lambda e: -(time[e] + netlist.check[e])):
        path = trace(netlist, time, before, end)
        if path.end not in seen:
            seen.add(path.end)
            found.append(path)
        if len(found) == count:
            break
    return found


@click.command()
@click.argument("sdf", type=click.Path(exists=True, path_type=Path))
@click.option("--count", default=10, show_default=True, help="how many paths")
def main(sdf: Path, count: int) -> None:
    """Lists the slowest paths by the register they end in."""
    for path in worst(sdf, count):
        click.echo(path.text())
        click.echo(f"    through {', '.join(path.through)}")


if __name__ == "__main__":
    main()
