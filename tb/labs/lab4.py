"""Lab 4: the missing invalidation. A student mends what changes mappings; the RTL shows what is
stale, and what was invalidated needlessly."""

from functools import cache

from labs import machine
from labs.lab import GRANULES, Check, Lab, Number, Prose, Sheet
from labs.seed import Seed
from model.linux_flush import plan

MOST = 5_000_000  # cycles of the table of costs
SPREAD = 0.05
WORDS = {
    "make": ("old mapping, invalidation, new mapping: in this order",
             "a new mapping while the old one may be in the TLB"),
    "read": ("a read of {where:#x} has status {expected:#x}", "status {got:#x}"),
    "write": ("a write to {where:#x} has status {expected:#x}", "status {got:#x}"),
    "data": ("a read of {where:#x} gives {expected:#x}", "{got:#x}"),
    "walks": ("pages beside the changed ones need no new walk", "{got} walks"),
    "other": ("the other address space needs no new walk", "{got} walks"),
    "operations": ("at most {expected} invalidations for {where} pages", "{got}"),
}  # fmt: skip


def cases(seed: Seed) -> str:
    """Which pages, and how many."""
    draws = seed.draws("pages")
    many = draws.randrange(100, 200)
    sizes = [1, 2, draws.randrange(3, 8), draws.randrange(9, 33), draws.randrange(33, 80)]
    first, operations = draws.randrange(8, 40), len(plan(0, many, 12))
    return machine.defines(FIRST=first, SIZES=sizes, MANY=many, OPERATIONS=operations)


@cache
def costs(granule: str) -> list[list[int]]:
    """Pages, and cycles: page by page, as ranges, all, walks that all brings."""
    with machine.handed_in() as nobody:
        (nobody.folder / "none.c").write_text("")
        elf = machine.for_simulator(nobody, "none.c", "lab4_cost.c", "")
        return machine.on_simulator(elf, granule, MOST).values("cost")


def first_cheaper(granule: str) -> int:
    """Pages from which on it is cheaper to invalidate all than page by page, with the walks."""
    rows = costs(granule)
    return next(row[0] for row in rows if row[3] + row[4] < row[1])


def questions(seed: Seed) -> list[Number]:
    draws = seed.draws("ranges")
    pages = draws.randrange(1000, 1 << 20)
    granule = draws.choice(tuple(GRANULES))
    log2 = GRANULES[granule]
    few = draws.randrange(12, 60)
    _, loop, ranges, _, _ = costs(granule)[few - 1]
    return [
        Number("split", 2, f"How many operations are the fewest for exactly {pages} pages? Ranges "
               "begin anywhere; a range has an even number of pages.", len(plan(0, pages, 12))),
        Number("singles", 1, f"How many single invalidations does one range of 16 MiB replace with "
               f"pages of {granule[:-1]} KiB?", 1 << 24 - log2),
        Number("cost_loop", 1, f"How many cycles take invalidations of {few} pages of "
               f"{granule[:-1]} KiB, one by one?", loop, spread=SPREAD),
        Number("cost_range", 1, "And how many as ranges?", ranges, spread=SPREAD),
        Number("even", 2, "Eight other pages are used again afterwards. From how many pages on is "
               "it cheaper to invalidate all than page by page, with pages of 4 KiB?",
               first_cheaper("4k")),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    tried = machine.tried("lab4_rtl.elf", WORDS, GRANULES)
    parts = (
        machine.compiles(machine.for_simulator, "flush.c", "lab4_rtl.c", cases(seed)),
        Check("unmap", 2, "nobody reads a page after unmap_page()", tried("unmap")),
        Check("protect", 2, "nobody writes to a page after protect_page()", tried("protect")),
        Check("remap", 3, "remap_page() breaks before it makes", tried("remap")),
        Check("range", 3, "nobody reads any page after unmap_pages()", tried("range")),
        Check("space", 2, "exit_space() forgets one address space and no other", tried("space")),
        Check("precise", 3, "pages that were not changed stay in the TLB", tried("precise"),
              ("unmap", "protect", "remap", "range")),
        Check("few", 2, "unmap_pages() needs few invalidations", tried("few"), ("range",)),
        *questions(seed),
        Prose("why_busy", 2, "protect_page() of the starter does both that is needed. Who puts the "
              "old translation back, and when?"),
        Prose("why_range", 2, "In this MMU a range costs as many cycles as one page. How can that "
              "be, and what would it cost in a TLB that looks up one set at a time?"),
    )  # fmt: skip
    return Sheet("The costs are those that `make measure LAB=4` prints.", parts)


def measure() -> str:
    lines = []
    for granule in GRANULES:
        lines.append(f"pages of {granule[:-1]} KiB, cycles to invalidate so many pages:")
        lines.append(f"{'pages':>8}{'page by page':>14}{'ranges':>8}{'all':>6}"
                     f"{'all, and 8 others again':>26}")  # fmt: skip
        for pages, loop, ranges, everything, again in costs(granule):
            lines.append(f"{pages:8}{loop:14}{ranges:8}{everything:6}{everything + again:26}")
    return "\n".join(lines)


LAB = Lab(4, "the missing invalidation", sheet, ("flush.c",), measure=measure)
