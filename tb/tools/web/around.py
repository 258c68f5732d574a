"""What the page shows of a machine that not every one has: the MMU's main TLB; around the MMU a
data cache and counters. `wanted`: signals; `reading`: how their words are read.

Tags and dirty bits are shown as the memories hold them, and what the cache is like, sizes and
colours, is read from their widths.
"""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from support.root import ROOT

EVENTS = ROOT / "build" / "include" / "granule_events.h"
EVENT = re.compile(r'X\((\w+), (\d+), "([^"]*)"\)')
FIXED = {0: ("cycle", "cycles"), 2: ("instret", "instructions")}
DATA = ("caches", "data")
ACCESS = """cpu_lookup cpu_known cpu_cacheable cpu_hit cpu_misses cpu_pa cpu_cmd_va walk_lookup
    walk_hit walk_misses walk_cmd_address lookupSet hits"""
ENGINE = """cmd_op cmd_inPlace cmd_line cmd_set set way wayLine seenSet hits seenDirty io_cmd_valid
    owes io_events_miss io_events_evict io_events_aliasMove"""
MAIN = """looked answers hit_known hit_number fresh_valid fresh_isLarge fresh_way sweep_clears
    sweep_s3_place_large sweep_s3_place_number io_walker_cmd_valid"""
MAIN_WAY = "ways_{i}_keys ways_{i}_mappings read_{i}_place c2_{i}_goes"

# The page's name of a signal, the instances that lead to it, its own name.
Wanted = list[tuple[str, tuple[str, ...], str]]


def of_unit(prefix: str, path: tuple[str, ...], names: Iterable[str]) -> Wanted:
    return [(prefix + name, path, name) for name in names]


def main_tlb(machine) -> tuple:
    """The unit, where it is, and how many ways it has; the last one has what is larger than a
    page."""
    path = (*machine.path, "main")
    module = machine.module(*path)
    return module, path, module.count(r"ways_\d+_keys")


def main_wanted(machine) -> Wanted:
    _, path, ways = main_tlb(machine)
    of_ways = [name for i in range(ways) for name in MAIN_WAY.format(i=i).split()]
    return of_unit("main.", path, (*MAIN.split(), *of_ways))


def main_reading(machine) -> dict:
    module, _, ways = main_tlb(machine)
    return {
        "main": {
            "ways": ways,
            "key": module.layout("read_0_key_", "ways_0_keys_spinal_port0"),
            "mapped": module.layout("read_0_mapped_", "ways_0_mappings_spinal_port0"),
        }
    }


def cache(machine) -> tuple:
    """Where the data cache is; the cache, its engine and its arrays; how many ways they have."""
    path = (*machine.system, *DATA)
    modules = [machine.module(*path, *below) for below in ((), ("engine",), ("arrays",))]
    return path, *modules, modules[-1].count(r"tag_\d+")


def system_wanted(machine) -> Wanted:
    path, _, engine, _, ways = cache(machine)
    each, inside = range(ways), (*path, "engine")
    return [
        *of_unit("cache.", path, ACCESS.split()),
        *of_unit("engine.", inside, (*ENGINE.split(), *(f"dirty_{i}" for i in each))),
        *of_unit("arrays.", (*path, "arrays"), (f"tag_{i}" for i in each)),
        *of_unit("counters.", counters_path(machine), (c["signal"] for c in counters(machine))),
        *of_unit("csr.", (*machine.system, "cpu_1", "csr_1"), ["event_second"]),
        ("engine.state", inside, engine.states()[0]),
    ]


def system_reading(machine) -> dict:
    _, data, engine, arrays, ways = cache(machine)
    pa = data.widths["cpu_pa"]
    offset, tag = pa - engine.widths["io_cmd_payload_line"], arrays.widths["io_tags_0_tag"]
    sets = arrays.widths["io_read_payload_set"]
    return {
        "cache": {
            "ways": ways,
            "setBits": sets,
            "offsetBits": offset,
            "colourBits": offset + sets - (pa - tag),
            "tag": arrays.layout("io_tags_0_", "tag_0_"),
            "states": engine.states()[1],
            "operations": data.codes("LineOp"),
        },
        "counters": [c | {"signal": f"counters.{c['signal']}"} for c in counters(machine)],
    }


def counters_path(machine) -> tuple[str, ...]:
    return (*machine.system, "counters_1")


def counters(machine) -> list[dict]:
    """Register, and name and meaning of what it counts, as the firmware's header numbers it; of
    some there is a second event."""
    first, second = (
        {int(number): (name, says) for name, number, says in EVENT.findall(part)}
        for part in EVENTS.read_text().split("GRANULE_STALLS(X)")
    )
    names = FIXED | {3 + number: event for number, event in first.items()}
    widths = machine.module(*counters_path(machine)).widths
    registers = re.findall(r"\bcounter_(\d+)\b", " ".join(widths))
    return [
        {"signal": f"counter_{index}", "event": index - 3, "name": names[index][0],
         "says": names[index][1], "second": second.get(index - 3)}
        for index in sorted(map(int, registers))
    ]  # fmt: skip


class Part(NamedTuple):
    is_there: Callable[..., bool]
    wanted: Callable[..., Wanted]
    reading: Callable[..., dict]


PARTS = (
    Part(lambda machine: "main" in machine.mmu.children, main_wanted, main_reading),
    Part(lambda machine: bool(machine.path), system_wanted, system_reading),
)
