"""Lab 6: highmem. A student writes kmap; the RTL shows whether pages that no pointer reaches hold
what was written, and the firmware what page tables cost there."""

import re
from collections import namedtuple

from labs import machine
from labs.lab import GRANULES, Check, Lab, Number, Prose, Sheet
from labs.seed import Seed
from model.geometry import geometry

TRIED = tuple(GRANULES)
MOST = 1_000_000  # cycles of an experiment: five times what the longest needs
SPREAD = 0.05
MEASURED = ("kernel", "user", "maps", "slots", "tlbi", "dtlb")
WORDS = {
    "slot": ("slots {expected} and below are in the window", "slot {got}"),
    "null": ("kmap() has a slot for page {where}", "it gives 0"),
    "address": ("kmap() gives the first address of a slot, {expected:#x} or more", "{got:#x}"),
    "read": ("page {where} shows {expected:#x}", "{got:#x}"),
    "write": ("page {where} holds {expected:#x} after a write through its slot", "{got:#x}"),
    "same": ("a page that is mapped again is at {expected:#x}", "{got:#x}"),
    "full": ("kmap() gives 0 for page {where}: all slots have users", "a pointer"),
    "stale": ("slot {where} gets a new page after its old one was invalidated", "before"),
    "operations": ("at most {expected} invalidations for {where} pages", "{got}"),
    "again": ("a page whose slot is still there needs no store to a descriptor", "{got}"),
    "lowmem": ("kmap({where:#x}) is its own address, and takes no slot", "{got:#x}"),
    "result": ("set_entry() of entry {where} gives 0", "{got:#x}"),
    "no slot": ("set_entry() gives -1 when the window is full", "{got:#x}"),
    "entry": ("bits 31:0 of entry {where} of the table are {expected:#x}", "{got:#x}"),
    "gone": ("status {expected:#x} after entry {where} became 0", "status {got:#x}"),
}
PARTS = (
    ("maps", 2, "each page of a full window holds what was written", ("compiles",)),
    ("same", 2, "a page that is mapped twice has one slot, until its last use ends", ("maps",)),
    ("full", 2, "a full window says so, and goes on when a slot is free", ("maps",)),
    ("slots", 2, "all slots can be had again, however they were freed", ("maps",)),
    ("fresh", 3, "a slot that is used again shows its new page", ("maps",)),
    ("held", 2, "a page that is in use keeps its slot while others come and go", ("maps",)),
    ("few", 3, "one invalidation for a round of the window", ("fresh",)),
    ("lowmem", 1, "a page of lowmem needs no slot", ("maps",)),
    ("table", 3, "set_entry() writes a table that lies in highmem", ("maps",)),
)


def cases(seed: Seed) -> str:
    """The size of the window, and which frames."""
    draws = seed.draws("window")
    slots = draws.randrange(5, 10)
    return machine.defines(
        SLOTS=slots, VICTIM=draws.randrange(1, slots - 1), FIRST=draws.randrange(256),
        STRIDE=draws.randrange(1, 256, 2), INDEXES=draws.sample(range(1, 512), 3),
    )  # fmt: skip


# A row of run=e000: where tables are, cycles, and what was counted.
Arm = namedtuple("Arm", "tables kernel user total maps slots tlbi dtlb")


def arms(granule: str, more: str = "") -> list[Arm]:
    """Up to the first run of the task with its tables in lowmem."""
    text = machine.firmware(f"pagesize={granule} run=e000{more}", "  0/")
    rows = re.findall(r"^  (highmem|lowmem)((?: +\d+){7})  \d", text, re.M)
    return [Arm(name, *map(int, numbers.split())) for name, numbers in rows]


def table_mib(granule: str) -> int:
    """What one last-level table maps."""
    shape = geometry(GRANULES[granule], 33)
    return 1 << shape.lsb(2) - 20


def measured_granule(seed: Seed) -> str:
    return seed.draws("cost").choice(tuple(GRANULES))


def questions(seed: Seed) -> list[Number]:
    draws = seed.draws("tables")
    granule = draws.choice(tuple(GRANULES))
    tables = draws.randrange(3, 40)
    gib = 8 * draws.randrange(2, 12)
    measured = measured_granule(seed)
    high, low = arms(measured)
    more = high.kernel - low.kernel
    pages = f"pages of {measured[:-1]} KiB"
    return [
        Number("span", 1, f"How many MiB do {tables} last-level tables map, pages of "
               f"{granule[:-1]} KiB?", tables * table_mib(granule)),
        Number("lowmem_mib", 2, f"Programs have {gib} GiB mapped, in pages of 4 KiB. How many MiB "
               "do their last-level tables take?", gib << 10 >> geometry(12, 33).stride),
        Number("slots_more", 1, f"How many slots more does the task of run=e000 need with its "
               f"tables in highmem, {pages}?", high.slots - low.slots),
        Number("slot_cost", 2, f"How many cycles of the kernel does such a slot cost, {pages}?",
               round(more / (high.slots - low.slots)), spread=SPREAD),
        Number("slower", 1, f"How many cycles does highmem add to 1,000 of the kernel, {pages}?",
               round(1000 * more / low.kernel), spread=2 * SPREAD),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    tried = machine.tried("lab6_rtl.elf", WORDS, TRIED, MOST)
    parts = (
        machine.compiles(machine.for_simulator, "kmap.c", "lab6_rtl.c", cases(seed)),
        *(Check(name, points, what, tried(name), needs) for name, points, what, needs in PARTS),
        Check("unused", 2, "what nobody used needs no invalidation", tried("unused"), ("few",),
              bonus=True),
        *questions(seed),
        Prose("why_cost", 2, "What is a temporary mapping's cost made of? Use the columns tlbi and "
              "dtlb, and what your own kmap() and kunmap() do."),
        Prose("why_granule", 2, "The costs of different granules are not comparable, and neither "
              "are the slots. Why? See e000_size_task in sw/experiments/e000_parts.c."),
    )  # fmt: skip
    return Sheet("The costs are those that `make measure LAB=6` prints.", parts)


def row(granule: str, boot: str, arm: Arm) -> str:
    numbers = "".join(f"{getattr(arm, name):9}" for name in MEASURED)
    return f"{granule:6}{boot:16}{arm.tables:9}{numbers}"


def measure() -> str:
    """The first rows of run=e000, as it boots by itself and with userpte=nohigh."""
    lines = [f"{'':6}{'boot argument':16}{'tables':9}{''.join(f'{name:>9}' for name in MEASURED)}"]
    for granule in GRANULES:
        lines += [row(granule, "", arm) for arm in arms(granule)]
        lines += [row(granule, "userpte=nohigh", arm) for arm in arms(granule, " userpte=nohigh")]
    return "\n".join(lines)


LAB = Lab(6, "memory that no pointer reaches", sheet, ("kmap.c",), measure=measure)
