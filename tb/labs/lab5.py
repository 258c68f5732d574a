"""Lab 5: colours and zero pages (document 002). The student's code chooses zero pages for caches
that the seed draws, and for those of two simulators, where misses are counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from random import Random

from labs import machine
from labs.lab import GRANULES, Check, Handin, Lab, Number, Prose, Sheet, Trouble, expect
from labs.seed import Seed
from model.fields import TCR
from support.root import ROOT

SOURCE, HEADER = "zero.c", "lab5.h"
REFERENCE = ROOT / "tb/labs/reference/lab5/zero.c"
SIMULATORS = {"teaching": "granule-sim", "ulx3s": "granule-sim-ulx3s"}
ADDRESSES, RANDOM_CACHES = 12, 8
PASSES = 50
MOST_ZERO = 32  # zero pages that lab5_rtl.c has memory for
LINES, UNTOUCHED = (2, 3, 8, 9, 10), (1, 2, 4, 5, 8, 9)  # what is measured
MEASURED = (("teaching", "4k"), ("ulx3s", "4k"), ("ulx3s", "16k"), ("ulx3s", "64k"))
GIVEN = """The machines are those of the handout: `teaching` has a data cache of 32 KiB with 8 ways,
`ulx3s` one of 32 KiB with 2 ways. Each loop begins with an empty cache and with all translations in
the TLB, and reads one word of each line or page."""


@dataclass(frozen=True)
class Cache:
    """Of a machine that exists on paper."""

    line: int
    ways: int
    sets: int
    granule: str

    @property
    def shift(self) -> int:
        return GRANULES[self.granule]

    @property
    def colours(self) -> int:
        return max(1, self.sets * self.line >> self.shift)

    def set_of(self, va: int) -> int:
        return va // self.line % self.sets

    def colour_of(self, va: int) -> int:
        return (va >> self.shift) % self.colours

    def call(self, function: str, *va: int) -> str:
        """Its call, in C."""
        line_code = self.line.bit_length() - 5
        ccsidr = line_code | self.ways - 1 << 3 | self.sets - 1 << 32
        machine = f"&(struct machine){{{ccsidr:#x}, {TCR(TG0=self.granule, T0SZ=16):#x}}}"
        return f"{function}({', '.join((machine, *map(hex, va)))})"

    def __str__(self) -> str:
        kib = self.line * self.ways * self.sets / 1024
        return (
            f"a cache of {kib:g} KiB, {self.ways} ways, lines of {self.line} bytes, with pages of "
            f"{self.granule[:-1]} KiB"
        )


FIXED = [
    Cache(64, 8, 64, "4k"),  # a way is a page
    Cache(64, 2, 256, "4k"),
    Cache(64, 2, 256, "64k"),
    Cache(128, 12, 512, "16k"),  # ways that are no power of two
    Cache(16, 1, 16, "4k"),  # a way smaller than any page
    Cache(32, 4, 1 << 16, "64k"),
]


def drawn(draws: Random, least: int = 4, most: int = 12) -> Cache:
    return Cache(
        draws.choice((16, 32, 64, 128)),
        draws.choice((1, 2, 3, 4, 8, 12, 16)),
        1 << draws.randrange(least, most),
        draws.choice(tuple(GRANULES)),
    )


def caches(seed: Seed) -> list[Cache]:
    draws = seed.draws("caches")
    return FIXED + [drawn(draws) for _ in range(RANDOM_CACHES)]


def addresses(seed: Seed, of: Cache) -> list[int]:
    """Some pages in a row, and some anywhere in 48 bits."""
    draws = seed.draws(f"addresses of {of}")
    first = draws.getrandbits(48 - of.shift) << of.shift
    near = [first + (i << of.shift) & (1 << 48) - 1 for i in range(ADDRESSES // 2)]
    return near + [draws.getrandbits(48) for _ in range(ADDRESSES // 2)]


def answers(handin: Handin, calls: Sequence[str]) -> list[int]:
    return machine.answers(handin, SOURCE, HEADER, calls)


def sets(seed: Seed, handin: Handin) -> None:
    asked = [(of, va) for of in caches(seed) for va in addresses(seed, of)]
    said = answers(handin, [of.call("set_of", va) for of, va in asked])
    for (of, va), got in zip(asked, said, strict=True):
        expect(got == of.set_of(va), f"{of}:\n{va:#x} selects set {of.set_of(va)}", got)


def colours(seed: Seed, handin: Handin) -> None:
    asked = caches(seed)
    for of, got in zip(asked, answers(handin, [of.call("colours") for of in asked]), strict=True):
        expect(got == of.colours, f"{of}:\n{of.colours} colours", got)


def zero_pages(count: int) -> str:
    return f"{count} zero page{'' if count == 1 else 's'}"


def zero(seed: Seed, handin: Handin) -> None:
    """Which number a colour has is the student's choice."""
    asked = [(of, va) for of in caches(seed) for va in addresses(seed, of)]
    said = iter(answers(handin, [of.call("zero_page", va) for of, va in asked]))
    for of in caches(seed):
        got = {va: next(said) for va in addresses(seed, of)}
        for va, number in got.items():
            told = f"{of}:\n{va:#x} gets one of {of.colours} zero pages, from 0 on"
            expect(number < of.colours, told, f"number {number}")
        for one, other in combinations(got, 2):
            same = of.colour_of(one) == of.colour_of(other)
            told = f"{of}:\n{one:#x} and {other:#x} get {zero_pages(1 if same else 2)}"
            numbers = f"numbers {got[one]} and {got[other]}"
            expect((got[one] == got[other]) == same, told, numbers)


@dataclass(frozen=True)
class Loop:
    """What is counted on the RTL: `mapped` is a word of lab5_rtl.c."""

    config: str
    granule: str
    mapped: str
    places: int
    passes: int = PASSES

    def __str__(self) -> str:
        return f"{self.config}, pages of {self.granule[:-1]} KiB"


def counted(handin: Handin, loop: Loop) -> tuple[int, int]:
    """Misses, and zero pages."""
    cases = machine.defines(PLACES=loop.places, PASSES=loop.passes)
    elf = machine.for_simulator(handin, SOURCE, "lab5_rtl.c", cases)
    append, simulator = f"{loop.granule} {loop.mapped}", SIMULATORS[loop.config]
    output = machine.on_simulator(elf, append, name=simulator)
    for (number,) in output.values("outside"):
        raise Trouble(f"{loop}: zero_page() says {number}, and there is memory for {MOST_ZERO}")
    output.look_for_faults(f"{loop}: ")
    return output.value("misses"), sum(pages for (pages,) in output.values("pages"))


@cache
def reference(loop: Loop) -> tuple[int, int]:
    with machine.handed_in(REFERENCE) as handin:
        return counted(handin, loop)


def misses(config: str, granule: str, mapped: str, places: int, passes: int = PASSES) -> int:
    return reference(Loop(config, granule, mapped, places, passes))[0]


def spares(seed: Seed, machines: Iterable[tuple[str, str]], handin: Handin) -> None:
    """As few misses as the reference has, with as few zero pages."""
    places = seed.draws("untouched pages").randrange(6, 13)
    for config, granule in machines:
        loop = Loop(config, granule, "student", places)
        (most, few), (got, pages) = reference(loop), counted(handin, loop)
        told = f"{loop}: {places} untouched pages, {PASSES} passes:\n"
        expect(got <= most and pages <= few, f"{told}{most} misses with {zero_pages(few)}",
               f"{got} misses with {zero_pages(pages)}")  # fmt: skip


def on_paper(seed: Seed) -> list[Number]:
    draws = seed.draws("paper")
    of = drawn(draws, 6, 11)
    while of.colours == 1 or of.ways == 1:
        of = drawn(draws, 6, 11)
    va = draws.getrandbits(40)
    kib = of.colours << of.shift - 10
    return [
        Number("paper_set", 1, f"Take {of}, that is indexed by virtual address. Which set does "
               f"{va:#x} select?", of.set_of(va)),
        Number("paper_colours", 1, "How many colours have its pages?", of.colours),
        Number("paper_kib", 1, "How many KiB do zero pages take there, one a colour?", kib),
    ]  # fmt: skip


def on_machines(seed: Seed) -> list[Number]:
    draws = seed.draws("loops")
    passes, more = draws.randrange(20, 90), draws.randrange(9, 13)
    pages = draws.choice((5, 6, 7, 9, 10, 11))
    large = draws.choice(("16k", "64k"))
    return [
        Number("lines_fit", 1, f"Machine `teaching`: a loop reads 8 lines of one set, {passes} "
               "times. How many misses?", misses("teaching", "4k", "lines", 8, passes)),
        Number("lines_over", 2, f"The same with {more} lines. How many misses?",
               misses("teaching", "4k", "lines", more, passes)),
        Number("zero_one", 2, f"Machine `ulx3s`: a loop reads the first word of {pages} untouched "
               f"pages of 4 KiB in a row, {passes} times. There is one zero page. How many misses? "
               "Look at the step from one pass to the next.",
               misses("ulx3s", "4k", "one", pages, passes)),
        Number("zero_colours", 1, "And with one zero page a colour?",
               misses("ulx3s", "4k", "student", pages, passes)),
        Number("zero_large", 1, f"The same with pages of {large[:-1]} KiB and one zero page. How "
               "many misses?", misses("ulx3s", large, "one", pages, passes)),
        Number("zero_teaching", 1, "And on `teaching`, with pages of 4 KiB and one zero page?",
               misses("teaching", "4k", "one", pages, passes)),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    one = FIXED[0]
    every = (one.call("set_of", 0), one.call("colours"), one.call("zero_page", 0))
    parts = (
        machine.compiles(machine.for_host, SOURCE, "host.c", machine.asked(HEADER, every)),
        Check("sets", 2, "set_of() on caches of many shapes", partial(sets, seed)),
        Check("colours", 3, "colours() on them", partial(colours, seed)),
        Check("zero", 3, "zero_page(): one for each colour", partial(zero, seed)),
        Check("rtl_colours", 3, "on the RTL, `ulx3s`, pages of 4 KiB: a miss a colour",
              partial(spares, seed, [("ulx3s", "4k")])),
        Check("rtl_plain", 2, "where a way is no larger than a page: one zero page, one miss",
              partial(spares, seed, [("teaching", "4k"), ("ulx3s", "16k"), ("ulx3s", "64k")])),
        *on_paper(seed),
        *on_machines(seed),
        Prose("why_all", 3, "One line more than there are ways: why do all of them miss, and not "
              "only one? What would FIFO do, and what random replacement?"),
        Prose("why_pages", 2, "Four zero pages instead of one cost three pages of memory. On which "
              "machines are they worth it, and on which are they only memory?"),
    )  # fmt: skip
    return Sheet(GIVEN, parts)


def row(name: str, numbers: Iterable[int]) -> str:
    return f"{name:>34}" + "".join(f"{number:6}" for number in numbers)


def measure() -> str:
    lines = [f"misses of a loop of {PASSES} passes over an empty cache", ""]
    lines.append(row("lines of one set", LINES))
    for config in SIMULATORS:
        lines.append(row(config, (misses(config, "4k", "lines", n) for n in LINES)))
    lines += ["", row("untouched pages", UNTOUCHED)]
    for config, granule in MEASURED:
        for mapped, name in (("one", "one zero page"), ("student", "one a colour")):
            found = (misses(config, granule, mapped, n) for n in UNTOUCHED)
            lines.append(row(f"{config}, {granule}, {name}", found))
    return "\n".join(lines)


LAB = Lab(5, "colours and zero pages", sheet, (SOURCE,), measure=measure)
