"""Lab 7: the granule at boot. A student writes what follows from a page size; the golden model and
the RTL say whether it does, and the firmware what a fork costs."""

import re
from collections import namedtuple
from collections.abc import Callable, Iterable
from functools import cache, partial

from labs import lab2, machine
from labs.lab import GRANULES, Check, Handin, Lab, Number, Prose, Sheet, expect
from labs.seed import Seed
from model import Memory
from model.geometry import Geometry, geometry
from model.tables import Tables
from support.walk_cost import walk_cycles, warm_cycles

SOURCE, HEADER = "geometry.c", "lab7.h"
LARGEST = 16
VA_BITS = range(25, 49)
FORKED_KIB = 512
AREAS = 3  # that the RTL reads
SPREAD = 0.05
Area = tuple[int, int]  # first byte, bytes
Shape = tuple[int, int]  # granule, bits of an address
Ask = tuple[str, str, int]  # a call in C, as a person says it, and the right answer


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
def shapes(seed: Seed) -> list[Shape]:
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


def call(function: str, of: Shape, *more: object) -> str:
    """In C."""
    choice = f"&(struct choice){{{of[0]}, {of[1]}}}"
    return f"{function}({', '.join(map(str, (choice, *more)))})"


def in_c(areas: Iterable[Area]) -> str:
    return f"(struct area[]){{{', '.join(f'{{{start}, {count}}}' for start, count in areas)}}}"


def levels(seed: Seed, of: Shape) -> list[Ask]:
    return [(call("levels", of), "levels()", len(shape(*of).levels))]


def shifts(seed: Seed, of: Shape) -> list[Ask]:
    return [
        (call("index_shift", of, n), f"index_shift() of level {n}", shape(*of).lsb(n))
        for n in shape(*of).levels
    ]


def entries(seed: Seed, of: Shape) -> list[Ask]:
    known, first = shape(*of), shape(*of).start_level
    right = [0] * first + [known.first_entries] + [1 << known.stride] * (3 - first)
    return [
        (call("entries", of, n), f"entries() of level {n}", count) for n, count in enumerate(right)
    ]


def pages(seed: Seed, of: Shape) -> list[Ask]:
    return [
        (call("pages", of, in_c([area])), f"pages() of {area[1]} bytes from {area[0]:#x}",
         len(touched(of[0], area)))
        for area in [*drawn_areas(seed, of[1]), (1 << LARGEST, 1 << LARGEST)]
    ]  # fmt: skip


def waste(seed: Seed, of: Shape) -> list[Ask]:
    sizes = drawn_sizes(seed)
    listed = ", ".join(map(str, sizes))
    asked = call("waste", of, f"(uint64_t[]){{{listed}}}", len(sizes))
    return [(asked, f"waste() of {listed}", wasted(of[0], sizes))]


def tables(seed: Seed, of: Shape) -> list[Ask]:
    areas = drawn_areas(seed, of[1])
    told = f"tables() of {', '.join(f'{count} from {start:#x}' for start, count in areas)}"
    return [(call("tables", of, in_c(areas), len(areas)), told, tables_of(*of, areas))]


def on_host(
    seed: Seed, shapes: Iterable[Shape], asks: Callable[[Seed, Shape], list[Ask]], handin: Handin
) -> None:
    """What is asked of each shape."""
    asked = [(of, *ask) for of in shapes for ask in asks(seed, of)]
    answers = machine.answers(handin, SOURCE, HEADER, [of_c for _, of_c, *_ in asked])
    for ((granule, bits), _, told, right), got in zip(asked, answers, strict=True):
        where = f"pages of {1 << granule - 10} KiB, addresses of {bits} bits"
        expect(got == right, f"{right}: {told}, {where}", got)


def copied(seed: Seed, of: Shape) -> list[Ask]:
    """What each of three processes with page sizes of their own copies for the same writes."""
    areas = drawn_areas(seed, of[1])
    written = {page for area in areas for page in touched(of[0], area)}
    told = f"copied() of {', '.join(f'{count} from {start:#x}' for start, count in areas)}"
    asked = call("copied", of, in_c(areas), len(areas))
    return [(asked, told, len(written) << of[0])]


# ---- on the RTL ---------------------------------------------------------------------------------
def cases(seed: Seed) -> str:
    """Areas that are read, which begin and end inside a page."""
    draws = seed.draws("machine")
    areas = [
        f"{{{draws.randrange(1, 1 << 17)}, {draws.randrange(1 << 16, 3 << 18)}}}"
        for _ in range(AREAS)
    ]
    return machine.defines(AREAS=areas, TLB_ENTRIES=lab2.entries())


def run(seed: Seed, granule: str, handin: Handin) -> machine.Output:
    elf = machine.for_simulator(handin, SOURCE, "lab7_rtl.c", cases(seed))
    return machine.on_simulator(elf, granule)


def walks(seed: Seed, granule: str, handin: Handin) -> None:
    rows = run(seed, granule, handin).rows("walks", AREAS, width=4)
    for start, count, predicted, counted in rows:
        told = f"{counted} walks to read {count} bytes from {start:#x}"
        expect(predicted == counted, told, f"pages() is {predicted}")


def reaches(seed: Seed, handin: Handin) -> None:
    """What is reached has no walks any more, and a page more has some."""
    for granule, log2 in GRANULES.items():
        rows = run(seed, granule, handin).values("again")
        kib = lab2.entries() << log2 - 10
        got = ", ".join(f"{n} walks for {count} pages" for count, n in rows)
        told = f"{granule}: reach() of {lab2.entries()} entries is {kib} KiB"
        expect([bool(counted) for _, counted in rows] == [False, True], told,
               got or "more than the memory of this lab")  # fmt: skip


# ---- in the kernel ------------------------------------------------------------------------------
# What run=e003 says of a program of FORKED_KIB that are written: pages, and cycles.
Fork = namedtuple("Fork", "pages fork munmap table")


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
    drawn, any_bits = shapes(seed), [(granule, 31) for granule in GRANULES.values()]
    asked = (
        ("levels", 2, "levels() of every granule", levels, drawn),
        ("shifts", 1, "index_shift() of each level", shifts, drawn),
        ("entries", 2, "entries() of each level", entries, drawn),
        ("pages", 2, "pages() that an area touches", pages, any_bits),
        ("waste", 2, "waste() of mappings", waste, any_bits),
        ("tables", 3, "tables() that an address space needs", tables, drawn),
        ("copied", 2, "copied() after a fork, by processes of each page size", copied, any_bits),
    )
    every = [asks(seed, drawn[0])[0][0] for _, _, _, asks, _ in asked]
    every.append(call("reach", drawn[0], 1))
    parts = (
        *predictions(seed),
        machine.compiles(machine.for_host, SOURCE, "host.c", machine.asked(HEADER, every)),
        *(Check(name, points, what, partial(on_host, seed, of, asks))
          for name, points, what, asks, of in asked),
        *(Check(f"walks_{name}", 1, f"as many walks as pages(), pages of {name[:-1]} KiB",
                partial(walks, seed, name), ("pages",)) for name in GRANULES),
        Check("reach", 2, "reach() is what the RTL's TLB reaches", partial(reaches, seed)),
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
        lines.append(f"{granule:6}" + "".join(f"{number:12}" for number in forked(granule)))
    lines.append(f"the data TLB has {lab2.entries()} entries")
    return "\n".join(lines)


LAB = Lab(7, "the granule at boot", sheet, (SOURCE,), measure=measure)
