"""What the page shows of the machine around the MMU: its data cache, and its counters.

Named signals as in signals.py. Tags and dirty bits are shown as the memories hold them, and what
the cache is like, sizes and colours, is read from their widths.
"""

import re

from support.root import ROOT

PORTS = ROOT / "rtl" / "src" / "granule" / "port"
EVENT = r'PerfEvent\("(\w+)", "([^"]*)"\)'
DATA = ("caches", "data")
COUNTERS = ("counters_1",)
CSR = ("cpu_1", "csr_1")
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
    "cmd_inPlace",
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


def is_there(machine) -> bool:
    return bool(machine.path)


def wanted(machine) -> Wanted:
    """As Machine.wanted."""
    ways = range(_ways(machine))
    parts = {
        ("cache", DATA): ACCESS,
        ("engine", (*DATA, "engine")): [*ENGINE, *(f"dirty_{i}" for i in ways)],
        ("arrays", (*DATA, "arrays")): [f"tag_{i}" for i in ways],
        ("counters", COUNTERS): [counter["signal"] for counter in _counters(machine)],
        ("csr", CSR): ["event_second"],
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
            "operations": machine.module(*machine.system, *DATA).codes("LineOp"),
        },
        "counters": [
            counter | {"signal": f"counters.{counter['signal']}"} for counter in _counters(machine)
        ],
    }


def _ways(machine) -> int:
    widths = machine.module(*machine.system, *DATA, "arrays").widths
    return sum(1 for name in widths if re.fullmatch(r"tag_\d+", name))


def _engine(machine) -> tuple[str, dict[int, str]]:
    return machine.module(*machine.system, *DATA, "engine").states()


def _counters(machine) -> list[dict]:
    """Register, and name and meaning of what it counts; of some there is a second event. Events are
    numbered as the RTL lists them, the second ones from `firstStall` on."""
    text = (PORTS / "Events.scala").read_text()
    listed = text.split("val all")[1].split("val firstStall")
    events = re.findall(EVENT, listed[0])
    first = [name for name, _ in events].index(re.search(r'indexOf\("(\w+)"\)', listed[1])[1])
    second = dict(enumerate(re.findall(EVENT, (PORTS / "Stall.scala").read_text()), first))
    names = FIXED | {3 + n: event for n, event in enumerate(events)}
    widths = machine.module(*machine.system, *COUNTERS).widths
    indices = sorted(int(name[8:]) for name in widths if re.fullmatch(r"counter_\d+", name))
    return [
        {"signal": f"counter_{index}", "event": index - 3, "name": names[index][0],
         "says": names[index][1], "second": second.get(index - 3)}
        for index in indices
    ]  # fmt: skip
