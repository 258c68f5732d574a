"""Where every module of cocotb tests below tb/unit runs, and what shares a build."""

import importlib
from collections import defaultdict
from functools import cache

from support.on import On
from support.root import ROOT

# Units of one component, below 2,500 lines of Verilog. They share a build with the parts that tests
# of the same rooms have.
SMALL = ("counters", "invalidatesweep", "l1fetch", "l2_small", "l2_ways", "plic", "pmpcheck",
         "pmpcheck_16")  # fmt: skip
ROOMS = {"cache": "cache", "cpu": "machine", "pmu": "machine", "soc": "machine"}


@cache
def places() -> tuple[tuple[str, On], ...]:
    """Module and place, of each of its RUNS."""
    found = []
    for path in sorted((ROOT / "tb" / "unit").glob("*/cocotb_*.py")):
        module = ".".join(path.relative_to(ROOT / "tb").with_suffix("").parts)
        found += [(module, on) for on in getattr(importlib.import_module(module), "RUNS", [])]
    return tuple(found)


def build_of(module: str, on: On) -> str:
    """Its name: that of the unit, or of what shares one."""
    if not (on.part or on.unit.split(":")[0] in SMALL):
        return on.unit.replace(":", "_")
    rooms = ROOMS.get(module.split(".")[1], "mmu")
    return f"parts_{rooms}_rare" if on.rare else f"parts_{rooms}"


@cache
def builds() -> dict[str, list[On]]:
    """What each build is made of."""
    found = defaultdict(list)
    for module, on in places():
        alike = On(on.unit, on.part)
        if alike not in found[build_of(module, on)]:
            found[build_of(module, on)].append(alike)
    return dict(found)
