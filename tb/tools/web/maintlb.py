"""What the page shows of the main TLB, where the MMU has one: memories, and what is asked of it.

Named signals as in signals.py. Its last way has what is larger than a page.
"""

import re

PATH = ("main",)
ASKED = [
    "looked",
    "io_answers",
    "io_known",
    "hit_number",
    "fresh_valid",
    "fresh_isLarge",
    "fresh_way",
    "io_sweep_clears",
    "io_sweep_cleared_large",
    "io_sweep_cleared_number",
]


def is_there(machine) -> bool:
    return PATH[0] in machine.mmu.children


def wanted(machine) -> list[tuple[str, tuple[str, ...], str]]:
    """As Machine.wanted."""
    of_ways = [
        name.format(i)
        for i in range(_ways(machine))
        for name in ("ways_{}_keys", "ways_{}_mappings", "read_{}_place", "c2_{}_goes")
    ]
    return [(f"main.{name}", (*machine.path, *PATH), name) for name in (*ASKED, *of_ways)]


def reading(machine) -> dict:
    """How the words are read."""
    module = machine.module(*machine.path, *PATH)
    return {
        "main": {
            "ways": _ways(machine),
            "key": module.layout("read_0_key_", "ways_0_keys_spinal_port0"),
            "mapped": module.layout("read_0_mapped_", "ways_0_mappings_spinal_port0"),
        }
    }


def _ways(machine) -> int:
    widths = machine.module(*machine.path, *PATH).widths
    return sum(1 for name in widths if re.fullmatch(r"ways_\d+_keys", name))
