"""What the page shows of the machine around the MMU: its data cache, and its counters.

Named signals as in signals.py. Tags and dirty bits are shown as the memories hold them, and what the
cache is like, sizes and colours, is read from their widths.
"""

import re

from support.root import ROOT

EVENTS = ROOT / "rtl" / "src" / "granule" / "port" / "Events.scala"
DATA = ("caches", "data")
COUNTERS = ("counters_1",)
FIXED = {0: ("cycle", "cycles"), 2: ("instret", "instructions")}

ACCESS = [
    "cpu_lookup",
    "cpu_known",
    "cpu_cacheable",
    "cpu_hit",
    "cpu_misses",
    "cpu_pa",
    "cpu_cmd_va",
    "walk_lookup",
    "walk_hit",
    "walk_misses",
    "walk_cmd_address",
    "lookupSet",
    "hits",
]
ENGINE = [
    "cmd_op",
    "cmd_line",
    "cmd_set",
    "set",
    "way",
    "wayLine",
    "seenSet",
    "hits",
    "seenDirty",
    "io_cmd_valid",
    "io_events_miss",
    "io_events_evict",
    "io_events_aliasMove",
]
Wanted = list[tuple[str, tuple[str, ...], str]]


def wanted(machine) -> Wanted:
    """As Machine.wanted; `machine` is a whole one."""
    ways = range(_ways(machine))
    parts = {
        ("cache", DATA): ACCESS,
        ("engine", (*DATA, "engine")): [*ENGINE, *(f"dirty_{i}" for i in ways)],
        ("arrays", (*DATA, "arrays")): [f"tag_{i}" for i in ways],
        ("counters", COUNTERS): [signal for signal, _, _ in _counters(machine)],
    }
    found = [
        (f"{unit}.{name}", (*machine.system, *path), name)
        for (unit, path), names in parts.items()
        for name in names
    ]
    return [*found, ("engine.state", (*machine.system, *DATA, "engine"), _engine(machine)[0])]


def reading(machine) -> dict:
    """How the words are read."""
    arrays = machine.module(*machine.system, *DATA, "arrays")
    line = machine.module(*machine.system, *DATA, "engine").widths["io_cmd_payload_line"]
    pa = machine.module(*machine.system, *DATA).widths["cpu_pa"]
    offset, tag = pa - line, arrays.widths["io_tags_0_tag"]
    sets = arrays.widths["io_read_payload_set"]
    return {
        "cache": {
            "ways": _ways(machine),
            "setBits": sets,
            "offsetBits": offset,
            "colourBits": offset + sets - (pa - tag),
            "tag": arrays.layout("io_tags_0_", "tag_0_"),
            "states": _engine(machine)[1],
        },
        "counters": [
            {"signal": f"counters.{signal}", "name": name, "says": says}
            for signal, name, says in _counters(machine)
        ],
    }


def _ways(machine) -> int:
    widths = machine.module(*machine.system, *DATA, "arrays").widths
    return sum(1 for name in widths if re.fullmatch(r"tag_\d+", name))


def _engine(machine) -> tuple[str, dict[int, str]]:
    return machine.module(*machine.system, *DATA, "engine").states()


def _counters(machine) -> list[tuple[str, str, str]]:
    """Register, name and meaning of each counter; events are numbered as the RTL lists them."""
    text = EVENTS.read_text().split("val all")[1].split("val firstStall")[0]
    events = re.findall(r'PerfEvent\("(\w+)", "([^"]*)"\)', text)
    names = FIXED | {3 + i: event for i, event in enumerate(events)}
    widths = machine.module(*machine.system, *COUNTERS).widths
    indices = sorted(int(name[8:]) for name in widths if re.fullmatch(r"counter_\d+", name))
    return [(f"counter_{index}", *names[index]) for index in indices]
