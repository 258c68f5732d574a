"""One world of each kind: what `make test` plays, and what defects are held against."""

from campaigns.changes.play import MODES, Result
from campaigns.changes.run import Bench
from campaigns.changes.worlds import World, worlds

# What `make test` plays of a unit: a world, and of its changes those of these names; in which mode,
# and in how many runs an access waits while a register changes.
SHORT = [
    ("mmu:teaching", "closes 24", ["PMP"], 0, 101),
    ("mmu:teaching", "reshapes", ["PMP"], 0, 101),
    ("mmu:teaching", "vmsa 12 14", ["SCTLR.M", "TTBR0", "MAIR", "PMP"], 0, 101),
    ("mmu:teaching", "sv32 off", ["satp.MODE"], 0, 94),
    ("mmu:vmsa48_main", "vmsa 14 12", ["context", "TCR.TG0", "satp.MODE"], 4, 101),
    ("mmu:wide", "d128", ["TCR2.D128", "PIR", "context"], 0, 101),
    ("mmuip:teaching", "vmsa 12 14", ["SCTLR.M", "TTBR0"], 0, 101),
    ("mmuip:teaching", "sv32 off", ["satp.MODE"], 0, 6),
]


def world_of(bench: Bench, name: str, changes: list[str]) -> World:
    world = next(w for w in worlds(bench.machine) if w.name == name)
    world.changes = [change for change in world.changes if change.name in changes]
    return world


def play_short(bench: Bench, name: str, changes: list[str], mode: int) -> Result:
    return bench.play(world_of(bench, name, changes), (MODES[mode],))
