"""Lab 7: the granule at boot. A student writes what follows from a page size; the golden model and
the RTL say whether it does, and the firmware what a fork costs."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from labs import lab2, machine
from labs.lab import Check, Handin, Lab, Prose, Sheet, Verdict
from labs.questions import Number
from labs.seed import Seed
from model import Memory
from model.geometry import Geometry, geometry
from model.tables import Tables
from support.walk_cost import walk_cycles, warm_cycles

GRANULES = {"4k": 12, "16k": 14, "64k": 16}
LARGEST = 16
VA_BITS = range(25, 49)
FORKED_KIB = 512
AREAS = 3  # that the RTL reads
SPREAD = 0.05
Area = tuple[int, int]  # first byte, bytes


@dataclass(frozen=True)
class Ask:
    """One question to the student's code, as lab7_host.c reads it, with its right answer."""

    command: str
    told: str
    answer: int


# ---- what is right: the golden model ------------------------------------------------------------
def shape(granule: int, bits: int) -> Geometry:
    return geometry(granule, 64 - bits)


def touched(granule: int, area: Area) -> range:
    """Pages that an area has bytes in."""
    start, count = area
    return range(start >> granule, (start + count - 1 >> granule) + 1)


def tables_of(granule: int, bits: int, areas: Iterable[Area]) -> int:
    """By building them."""
    size = 1 << granule
    built = Tables(Memory(), shape(granule, bits), size, 2 * size)
    for area in areas:
        for page in touched(granule, area):
            built.map(page << granule, 0)
    return 1 + len(built.allocated)


def wasted(granule: int, sizes: Iterable[int]) -> int:
    return sum(-size % (1 << granule) for size in sizes)


# ---- what is asked on this computer -------------------------------------------------------------
def shapes(seed: Seed) -> list[tuple[int, int]]:
    """Granules and address bits, the smallest and largest among them."""
    draws = seed.draws("shapes")
    return [
        (granule, bits)
        for granule in GRANULES.values()
        for bits in (VA_BITS[0], *sorted(draws.sample(VA_BITS[1:-1], 6)), VA_BITS[-1])
    ]


def drawn_areas(seed: Seed, bits: int) -> list[Area]:
    """In ascending order: neighbours, some that share a table and some far apart."""
    draws = seed.draws(f"areas {bits}")
    unit = bits - 4
    areas, at = [], 0
    for _ in range(6):
        at += draws.choice((1, draws.randrange(1, 1 << 15), draws.randrange(1, 1 << unit)))
        areas.append((at, draws.randrange(1, 3 << 19)))
        at += areas[-1][1]
    return areas


def drawn_sizes(seed: Seed) -> list[int]:
    """One fills pages of every size."""
    draws = seed.draws("sizes")
    whole = draws.randrange(1, 9) << LARGEST
    return [whole, 1, *(draws.randrange(100, 400_000) for _ in range(5))]


def joined(areas: Iterable[Area]) -> str:
    return " ".join(f"{start} {count}" for start, count in areas)


def levels(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    return {(g, b): [Ask("levels 0", "levels()", len(shape(g, b).levels))] for g, b in shapes(seed)}


def shifts(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    return {
        (g, b): [
            Ask(f"shift {level}", f"index_shift() of level {level}", shape(g, b).lsb(level))
            for level in shape(g, b).levels
        ]
        for g, b in shapes(seed)
    }


def entries(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    def of(g: int, b: int, level: int) -> int:
        here = shape(g, b)
        if level < here.start_level:
            return 0
        return here.first_entries if level == here.start_level else 1 << here.stride

    return {
        (g, b): [
            Ask(f"entries {level}", f"entries() of level {level}", of(g, b, level))
            for level in range(4)
        ]
        for g, b in shapes(seed)
    }


def pages(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    areas = [*drawn_areas(seed, 31), (1 << LARGEST, 1 << LARGEST)]
    return {
        (g, 31): [
            Ask(f"pages 1 {start} {count}", f"pages() of {count} bytes from {start:#x}",
                len(touched(g, (start, count))))
            for start, count in areas
        ]
        for g in GRANULES.values()
    }  # fmt: skip


def waste(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    sizes = drawn_sizes(seed)
    told = f"waste() of {', '.join(map(str, sizes))}"
    command = f"waste {len(sizes)} {' '.join(map(str, sizes))}"
    return {(g, 31): [Ask(command, told, wasted(g, sizes))] for g in GRANULES.values()}


def tables(seed: Seed) -> dict[tuple[int, int], list[Ask]]:
    found = {}
    for g, b in shapes(seed):
        areas = drawn_areas(seed, b)
        told = f"tables() of {', '.join(f'{count} from {start:#x}' for start, count in areas)}"
        found[g, b] = [Ask(f"tables {len(areas)} {joined(areas)}", told, tables_of(g, b, areas))]
    return found


def on_host(asked: dict[tuple[int, int], list[Ask]]) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        lines, expected = [], []
        for (granule, bits), asks in asked.items():
            lines.append(f"choice {granule} {bits}")
            lines += [ask.command for ask in asks]
            expected += [(granule, bits, ask) for ask in asks]
        output = machine.on_host(handin.folder / "build" / "lab7_host", "\n".join(lines))
        results = output.rows("result", len(expected), 10)
        for (granule, bits, ask), (got,) in zip(expected, results, strict=True):
            if got != ask.answer:
                where = f"pages of {1 << granule - 10} KiB, addresses of {bits} bits"
                return Verdict(False, f"{ask.answer}: {ask.told}, {where}", str(got))
        return Verdict(True)

    return judge


# ---- on the RTL ---------------------------------------------------------------------------------
def cases(seed: Seed) -> str:
    """Areas that are read, which begin and end inside a page."""
    draws = seed.draws("machine")
    areas = [(draws.randrange(1, 1 << 17), draws.randrange(1 << 16, 3 << 18)) for _ in range(AREAS)]
    return machine_cases(areas)


def machine_cases(areas: Iterable[Area]) -> str:
    rows = ", ".join(f"{{{start}, {count}}}" for start, count in areas)
    return f"#define AREAS {rows}\n#define TLB_ENTRIES {lab2.entries()}\n"


def run(handin: Handin, granule: str, text: str) -> machine.Output:
    elf = machine.for_simulator(handin, "geometry.c", "lab7_rtl.c", text)
    return machine.on_simulator(elf, granule)


def walks(seed: Seed, granule: str) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        rows = run(handin, granule, cases(seed)).rows("walks", AREAS, width=4)
        for start, count, predicted, counted in rows:
            if predicted != counted:
                return Verdict(
                    False, f"{counted} walks to read {count} bytes from {start:#x}",
                    f"pages() is {predicted}",
                )  # fmt: skip
        return Verdict(True)

    return judge


def reaches(seed: Seed) -> Callable[[Handin], Verdict]:
    """What is reached has no walks any more, and a page more has some."""

    def judge(handin: Handin) -> Verdict:
        for granule, log2 in GRANULES.items():
            rows = run(handin, granule, cases(seed)).values("again")
            if [bool(counted) for _, counted in rows] != [False, True]:
                kib = lab2.entries() << log2 - 10
                got = ", ".join(f"{n} walks for {count} pages" for count, n in rows)
                told = f"{granule}: reach() of {lab2.entries()} entries is {kib} KiB"
                return Verdict(False, told, got or "more than the memory of this lab")
        return Verdict(True)

    return judge


# ---- in the kernel ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Fork:
    """What run=e003 says of a program of FORKED_KIB that are written: cycles."""

    pages: int
    fork: int
    munmap: int
    table: int


@cache
def forked(granule: str) -> Fork:
    count = FORKED_KIB << 10 >> GRANULES[granule]
    text = machine.firmware(f"pagesize={granule} run=e003 forkpages={count}", "id=E-digest")
    rows = {name: int(cycles) for name, cycles in re.findall(r"^  (\w+) +(\d+) +\d", text, re.M)}
    (table,) = re.findall(r"id=E-table .* value=(\d+)", text)
    return Fork(count, rows["fork"], rows["munmap"], int(table))


# ---- the sheet ----------------------------------------------------------------------------------
def forked_granule(seed: Seed) -> str:
    return seed.draws("forks").choice(tuple(GRANULES))


def predictions(seed: Seed) -> list[Number]:
    draws = seed.draws("predictions")
    bits = draws.choice((39, 42, 47, 48))
    name = draws.choice(tuple(GRANULES))
    granule = GRANULES[name]
    sizes = drawn_sizes(seed)[2:]
    areas = [
        ((1 + 3 * i) << 30, draws.randrange(2, 90) << 20) for i in range(draws.randrange(3, 6))
    ]
    listed = ", ".join(f"{count >> 20} MiB" for _, count in areas)
    in_tables = tables_of(granule, bits, areas) << granule - 10
    return [
        *(Number(f"levels_{other}", 1, f"How many levels has a walk of an address of {bits} bits, "
                 f"pages of {other[:-1]} KiB?", len(shape(log2, bits).levels))
          for other, log2 in GRANULES.items()),
        Number("wasted", 1, f"Files of {', '.join(map(str, sizes))} bytes are mapped whole. How "
               f"many bytes do pages of {name[:-1]} KiB waste?", wasted(granule, sizes)),
        Number("table_kib", 2, f"A program has areas of {listed}, which begin at 1, 4, 7 ... "
               f"GiB, in an address space of {bits} bits. How many KiB are its tables, with pages "
               f"of {name[:-1]} KiB? A table takes a page.", in_tables),
    ]  # fmt: skip


def measurements(seed: Seed) -> list[Number]:
    draws = seed.draws("memory")
    latency, count = draws.randrange(7, 60), draws.randrange(2, 5)
    granule = forked_granule(seed)
    return [
        Number("walk_cycles", 2, f"How many cycles takes a walk of {count} levels, without walk "
               f"cache and protection, at a memory that answers after {latency} cycles?",
               walk_cycles(count, latency)),
        Number("warm_cycles", 1, "And how many if a walk cache knows its last table?",
               warm_cycles(latency)),
        Number("fork", 2, f"How many cycles takes a fork of a program with {FORKED_KIB} KiB of "
               f"written memory, pages of {granule[:-1]} KiB?", forked(granule).fork,
               spread=SPREAD),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    ready = ("compiles",)
    parts = (
        *predictions(seed),
        Check("compiles", 1, "geometry.c compiles",
              machine.compiles(machine.for_host, "geometry.c", "lab7_host.c")),
        Check("levels", 2, "levels() of every granule", on_host(levels(seed)), ready),
        Check("shifts", 1, "index_shift() of each level", on_host(shifts(seed)), ready),
        Check("entries", 2, "entries() of each level", on_host(entries(seed)), ready),
        Check("pages", 2, "pages() that an area touches", on_host(pages(seed)), ready),
        Check("waste", 2, "waste() of mappings", on_host(waste(seed)), ready),
        Check("tables", 3, "tables() that an address space needs", on_host(tables(seed)), ready),
        *(Check(f"walks_{name}", 1, f"as many walks as pages(), pages of {name[:-1]} KiB",
                walks(seed, name), ("pages",)) for name in GRANULES),
        Check("reach", 2, "reach() is what the RTL's TLB reaches", reaches(seed), ready),
        *measurements(seed),
        Prose("why_granule", 2, "The cycles of a walk do not depend on the granule. So what makes "
              "a larger one cheaper, and what dearer?"),
        Prose("why_blocks", 2, "With which granules does ptdump show blocks in the kernel, and for "
              "which ranges? Why not everywhere?"),
        Prose("why_fork", 2, f"A fork of {FORKED_KIB} KiB copies fewer entries with larger pages. "
              "What is most of its time spent on, at each granule?"),
    )  # fmt: skip
    return Sheet("The costs of a fork are those that `make measure LAB=7` prints.", parts)


def measure() -> str:
    """A program's memory of FORKED_KIB at each granule."""
    names = ("pages", "fork", "munmap", "a new table")
    lines = [f"{FORKED_KIB} KiB that a program has written, in cycles:"]
    lines.append(f"{'':6}" + "".join(f"{name:>12}" for name in names))
    for granule in GRANULES:
        of = forked(granule)
        numbers = (of.pages, of.fork, of.munmap, of.table)
        lines.append(f"{granule:6}" + "".join(f"{number:12}" for number in numbers))
    lines.append(f"the data TLB has {lab2.entries()} entries")
    return "\n".join(lines)


LAB = Lab(7, "the granule at boot", sheet, ("geometry.c",), simulator=True, measure=measure)
