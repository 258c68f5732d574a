"""The slowest paths of a routed design, one for each register they end in, from nextpnr's SDF.

nextpnr reports the one slowest path; what comes after it is often another tree of the same wood.
This adds up the delays of cells and wires itself."""

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tools.pnr.verdict import Path as TimingPath
from tools.pnr.verdict import plain

INSTANCE = re.compile(r"\(INSTANCE (.*)\)")
WIRE = re.compile(r"\(INTERCONNECT (\S+)/(\S+) (\S+)/(\S+) \([^:]*:[^:]*:([^)]*)\)")
ARC = re.compile(r"\(IOPATH (?:\(\w+ )?(\S+?)\)? (\S+) \([^:]*:[^:]*:([^)]*)\)")
CHECK = re.compile(r"\(SETUPHOLD \(posedge (\S+)\) \(\w+ \S+\) \(([^)]*)\) \(([^)]*)\)\)")
PICO = 1000
Pin = tuple[str, str]  # cell and port


@dataclass
class Netlist:
    """Delays in picoseconds. `inputs`: of each pin, what it waits for, and how long; `wires`: sink
    pins, with their delay; `launch`: clock to output; `check`: setup."""

    inputs: dict[Pin, list] = field(default_factory=partial(defaultdict, list))
    wires: dict[Pin, int] = field(default_factory=dict)
    launch: dict[Pin, int] = field(default_factory=dict)
    check: dict[Pin, int] = field(default_factory=dict)


def read(sdf: Path) -> Netlist:
    """Reads what nextpnr writes, one statement a line."""
    netlist, cell = Netlist(), ""
    with sdf.open() as lines:
        for line in lines:
            if wire := WIRE.search(line):
                source, output, sink, port, delay = wire.groups()
                netlist.wires[sink, port] = int(delay)
                netlist.inputs[sink, port] = [((source, output), int(delay))]
            elif arc := ARC.search(line):
                start, output, delay = arc.groups()
                if "CLK" in start:
                    netlist.launch[cell, output] = int(delay)
                else:
                    netlist.inputs[cell, output].append(((cell, start), int(delay)))
            elif check := CHECK.search(line):
                port, *times = check.groups()
                netlist.check[cell, port] = max(int(t.split(":")[-1]) for t in times)
            elif instance := INSTANCE.search(line):
                cell = instance.group(1)
    return netlist


def arrivals(netlist: Netlist) -> tuple[dict, dict]:
    """For each pin when its value is there, and the pin before it on the slowest way.

    What comes from no register (constants, pins) is there always: minus infinity.
    """
    time, before, stack = {}, {}, list(netlist.check)
    while stack:
        pin = stack[-1]
        inputs = netlist.inputs.get(pin, [])
        if missing := [p for p, _ in inputs if p not in time]:
            stack += missing
            continue
        time[pin] = netlist.launch.get(pin, -math.inf)
        for source, delay in inputs:
            if time[source] + delay > time[pin]:
                time[pin], before[pin] = time[source] + delay, source
        stack.pop()
    return time, before


def name_of(pin: Pin) -> str:
    """The RTL name of what a cell drives, without the bit."""
    name = plain(pin[0].replace("\\", ""))
    return re.sub(r"(_\d+|\.\d+)+$", "", name.removeprefix("inner."))


def trace(netlist: Netlist, time: dict, before: dict, end: Pin) -> TimingPath:
    """The slowest way to `end`; `through` has each cell with the nanosecond it is passed."""
    pins = [end]
    while pins[-1] in before:
        pins.append(before[pins[-1]])
    pins.reverse()
    cells = [pin for pin in pins[1:] if pin not in netlist.wires]
    routing = sum(netlist.wires.get(pin, 0) for pin in pins[1:])
    total = time[end] + netlist.check[end]
    return TimingPath(
        start=name_of(pins[0]),
        end=name_of(end),
        nanoseconds=round(total / PICO, 2),
        logic=round((total - routing) / PICO, 2),
        routing=round(routing / PICO, 2),
        levels=len(cells),
        through=tuple(f"{name_of(pin)} {time[pin] / PICO:.1f}" for pin in cells),
    )


def worst(sdf: Path, count: int) -> list[TimingPath]:
    """The `count` slowest paths whose end registers differ by more than the bit."""
    netlist = read(sdf)
    time, before = arrivals(netlist)
    found: dict[str, TimingPath] = {}
    for end in sorted(netlist.check, key=lambda e: -(time[e] + netlist.check[e])):
        if len(found) < count:
            found.setdefault(name_of(end), trace(netlist, time, before, end))
    return list(found.values())
