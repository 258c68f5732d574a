"""Lab 2: how far a TLB reaches, by pointer chasing. What is right is what the reference measures on
the same simulator."""

from dataclasses import dataclass
from functools import cache, partial

from labs import machine
from labs.lab import GRANULES as LOG2
from labs.lab import Check, Handin, Lab, Number, Prose, Sheet, Word, expect
from labs.seed import Seed
from support.root import ROOT

REFERENCE, STARTER = (ROOT / f"tb/labs/{kind}/lab2/reach.c" for kind in ("reference", "starter"))
GRANULES = {name: 1 << log2 - 10 for name, log2 in LOG2.items()}  # KiB
PROGRAM = ("reach.c", "lab2_rtl.c")
PAGES = 64
GROUP = 16  # pages of 4 KiB in a contiguous group
MOST = 5_000_000
FLAT, KNEE = 1.1, 1.5


@dataclass(frozen=True)
class Machine:
    """What the student's code is run on. `tried`: chains of so many pages."""

    granule: str
    tried: tuple[int, ...] = ()
    groups: bool = False
    find: bool = False

    @property
    def cases(self) -> str:
        pages = PAGES * GROUP // 2 if self.groups else PAGES
        return machine.defines(
            PAGES=pages, GROUPS=int(self.groups), FIND=int(self.find), TRIED=self.tried or 2
        )


def run(handin: Handin, on: Machine) -> machine.Output:
    elf = machine.for_simulator(handin, *PROGRAM, on.cases)
    output = machine.on_simulator(elf, on.granule, MOST)
    output.look_for_faults()
    return output


@cache
def reference(on: Machine) -> machine.Output:
    with machine.handed_in(REFERENCE) as handin:
        return run(handin, on)


def reach_of(output: machine.Output) -> int:
    return output.value("reach")


def entries() -> int:
    """Of the data TLB."""
    return reach_of(reference(Machine("4k", find=True)))


def costs(handin: Handin, granule: str, *pages: int) -> list[float]:
    """Cycles of an access in chains of so many pages."""
    found = run(handin, Machine(granule, pages)).rows("chase", len(pages), width=2)
    return [hundredths / 100 for _, hundredths in found]


def flat(granule: str, handin: Handin) -> None:
    """As long as the TLB knows all pages, an access costs the same, and no cache line is lost."""
    few, full = costs(handin, granule, 2, entries())
    told = f"{entries()} pages cost at most {FLAT} times what 2 pages cost ({few:.2f} cycles)"
    expect(0 < full <= FLAT * few, told, f"{full:.2f} cycles")


def knee(granule: str, handin: Handin) -> None:
    full, missing = costs(handin, granule, entries(), entries() + 1)
    told = f"one page more costs at least {KNEE} times as much ({full:.2f} cycles)"
    expect(missing >= KNEE * full > 0, told, f"{missing:.2f} cycles")


def finds(on: Machine, handin: Handin) -> None:
    got, want = reach_of(run(handin, on)), reach_of(reference(on))
    expect(got == want, f"{want} pages", f"{got} pages")


def sheet(seed: Seed) -> Sheet:
    granule = seed.draws("granule").choice(tuple(GRANULES))
    kib = seed.draws("working set").choice((48, 96, 384, 768))
    fitting = next((g for g, size in GRANULES.items() if size * entries() >= kib), "none")
    parts = (
        machine.compiles(machine.for_simulator, *PROGRAM, Machine("4k").cases),
        Check("flat", 3, f"chase() is flat within the reach, pages of {granule[:-1]} KiB",
              partial(flat, granule)),
        Check("knee", 2, f"chase() shows the end of the reach, pages of {granule[:-1]} KiB",
              partial(knee, granule)),
        *(Check(f"finds_{name}", 2, f"reach() finds it, pages of {size} KiB",
                partial(finds, Machine(name, find=True))) for name, size in GRANULES.items()),
        Check("finds_groups", 3, "reach() finds it in contiguous groups of 16 pages of 4 KiB",
              partial(finds, Machine("4k", groups=True, find=True)), ("finds_4k",)),
        *(Number(f"reach_{name}", 1, f"How many KiB does the data TLB reach, pages of {size} KiB?",
                 entries() * size) for name, size in GRANULES.items()),
        Word("smallest", 1, f"A loop uses {kib} KiB again and again. With which page size does the "
             "data TLB reach all of it? The smallest one.", fitting, (*GRANULES, "none")),
        Prose("why_lines", 3, "The starter visits the first word of each page, and finds an end "
              "that is not the TLB's. Whose is it, and why there?"),
    )  # fmt: skip
    return Sheet("The machine is the one of `make run`, configuration `teaching`.", parts)


def measure() -> str:
    """What an access costs, by pages in the chain: the reference's and the starter's."""
    count = entries()
    steps = (2, 4, 8, 9, count, count + 1, 2 * count)
    lines = ["cycles of an access in a chain of so many pages:"]
    lines.append(f"{'':10}" + "".join(f"{pages:8}" for pages in steps))
    tried = [(granule, granule, REFERENCE) for granule in GRANULES]
    for name, granule, source in (*tried, ("starter", "4k", STARTER)):
        with machine.handed_in(source) as handin:
            found = costs(handin, granule, *steps)
        lines.append(f"{name:10}" + "".join(f"{cost:8.2f}" for cost in found))
    groups = reach_of(reference(Machine("4k", groups=True, find=True)))
    lines.append(f"reach: {count} pages; in contiguous groups of 4 KiB pages: {groups} pages")
    return "\n".join(lines)


LAB = Lab(2, "how far a TLB reaches", sheet, ("reach.c",), measure=measure)
