"""Geometries of the cache units (gen/Units.scala), by unit and configuration."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from support.on import On

# Under test; pytest, which reads only where modules run, may have any.
UNIT = os.environ.get("GRANULE_UNIT", "l1data:teaching")


@dataclass(frozen=True)
class Geometry:
    size: int
    ways: int
    line: int = 64
    policy: str = "lru"
    aliases: str = "one copy"  # or "copies", "physical"

    @property
    def way_bytes(self) -> int:
        return self.size // self.ways

    @property
    def sets(self) -> int:
        return self.way_bytes // self.line

    @property
    def colours(self) -> int:
        """Places in which a line can be, seen through pages of 4K."""
        return 1 if self.aliases == "physical" else max(1, self.way_bytes // 4096)

    @property
    def hit_latency(self) -> int:
        """Of a hit at most: a physical index may be known only after the first lookup."""
        return 3 if self.aliases == "physical" else 1


DATA = {  # those of `wide` answer the walker's accesses of 16 bytes
    "l1data:teaching": Geometry(32 << 10, 8),
    "l1data:ulx3s": Geometry(32 << 10, 2),
    "l1data:wide": Geometry(32 << 10, 8),
    "l1data_direct:teaching": Geometry(8 << 10, 1),
    "l1data_direct:wide": Geometry(8 << 10, 1),
    "l1data_plru:teaching": Geometry(64 << 10, 4, policy="plru"),
    "l1data_nru:teaching": Geometry(8 << 10, 8, 32, policy="nru"),
    "l1data_random:teaching": Geometry(8 << 10, 8, 128, policy="random"),
    "l1data_copies:teaching": Geometry(32 << 10, 2, aliases="copies"),
    "l1data_copies:wide": Geometry(32 << 10, 2, aliases="copies"),
    "l1data_physical:teaching": Geometry(32 << 10, 2, aliases="physical"),
}
# In `make test`: the caches of the machines, and each design of aliases.
OFTEN = ("l1data:teaching", "l1data:ulx3s", "l1data:wide", "l1data_copies:teaching",
         "l1data_physical:teaching")  # fmt: skip
FETCH = {
    "l1fetch:teaching": Geometry(32 << 10, 8),
    "l1fetch:ulx3s": Geometry(32 << 10, 2),
}

# Of `ulx3s_l2`: beside its data cache, and behind both.
FETCH_BEFORE_L2 = Geometry(64 << 10, 2)
L2 = Geometry(256 << 10, 8, policy="plru", aliases="physical")
SECOND = {
    "l2_small:teaching": Geometry(4 << 10, 2, policy="plru", aliases="physical"),
    "l2_ways:teaching": Geometry(8 << 10, 8, policy="plru", aliases="physical"),
    "l2:ulx3s_l2": L2,
}


def current() -> Geometry:
    """The geometry under test."""
    return (DATA | FETCH | SECOND)[UNIT]


def wide(name: str) -> bool:
    return name.endswith(":wide")


def data_caches(condition: Callable[[str], bool] = lambda _: True) -> list[On]:
    """Those that meet it; what is only a size or a policy more is rare."""
    return [On(name, rare=name not in OFTEN) for name in DATA if condition(name)]
