"""Lab 3: the mystery TLB and cache. A machine is the RTL behind a transformation of addresses that
the seed draws (programs/lab3_rtl.c); what a student's probes must find follows from both. They are
asked on two machines that differ from each other in everything, so that no written-down number is
right on both."""

from collections import namedtuple
from dataclasses import dataclass
from functools import cache, partial
from math import log2
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from labs import machine
from labs.lab import GRANULES as SHIFTS
from labs.lab import Check, Handin, Lab, Number, Prose, Sheet, Trouble, Word, expect
from labs.seed import Seed

SOURCE = "mystery.c"
MOST = 2_000_000  # cycles of all functions together
PAGES = {"4k": 256, "16k": 64, "64k": 32}  # of each home
LINE, ENTRIES = 64, 16
HALF = 11  # the address bit that is always hidden
LINE_BITS, SET_BITS = range(2, 6), range(6, HALF)
POLICIES = ("unknown", "lru", "fifo")
PROBES = (
    ("line", 1, "line_bytes() finds it on two other machines"),
    ("ways", 3, "ways()"),
    ("way", 2, "way_bytes()"),
    ("page", 3, "page_bytes()"),
    ("entries", 3, "entries()"),
    ("colours", 2, "colours()"),
)
GIVEN = """The questions are about your own machine: `make explore LAB=3` runs explore() on it.
`make grade` asks your functions on two other machines."""


Built = namedtuple("Built", "ways way_bytes")  # what a simulator has
SIMULATORS = {"granule-sim": Built(8, 4096), "granule-sim-ulx3s": Built(2, 16384)}


@dataclass(frozen=True)
class Machine:
    """`homes`: real places of a word; `hidden`: real address bits that are always 0."""

    simulator: str
    granule: str
    homes: int
    hidden: tuple[int, ...]

    @property
    def built(self) -> Built:
        return SIMULATORS[self.simulator]

    def visible(self, real: int) -> int:
        """Of so many bytes, from address 0 on."""
        return real >> sum(1 << bit < real for bit in self.hidden)

    @property
    def found(self) -> dict[str, int]:
        """What a probe should find, by the name under which the program prints it."""
        page = 1 << SHIFTS[self.granule]
        return {
            "line": self.visible(LINE),
            "ways": self.built.ways // self.homes,
            "way": self.visible(self.built.way_bytes),
            "page": self.visible(page),
            "entries": ENTRIES // self.homes,
            "colours": max(1, self.built.way_bytes // page),
        }

    @property
    def policies(self) -> dict[str, str]:
        """A set of one way has none."""
        return ({"cache": "lru"} if self.found["ways"] > 1 else {}) | {"tlb": "fifo"}

    @property
    def bytes(self) -> int:
        return self.visible(PAGES[self.granule] << SHIFTS[self.granule])

    @property
    def cases(self) -> str:
        found = self.found
        return machine.defines(
            PAGE_SHIFT=SHIFTS[self.granule], PAGES=PAGES[self.granule], HOMES=self.homes,
            HIDDEN=self.hidden, BYTES=self.bytes, CACHE_COUNT=found["ways"] + 1,
            CACHE_STEP=found["way"], TLB_COUNT=found["entries"] + 1, TLB_STEP=found["page"],
            TLB_ASIDE=found["line"],
        )  # fmt: skip


def drawn(draws: Random, simulator: str, granules: tuple[str, ...]) -> Machine:
    most = int(log2(SIMULATORS[simulator].ways))
    line_bits = draws.sample(LINE_BITS, draws.randrange(3))
    set_bits = draws.sample(SET_BITS, draws.randrange(2))
    return Machine(
        simulator,
        draws.choice(granules),
        draws.choice((1, 2, 4)[: most + 1]),
        tuple(sorted([*line_bits, *set_bits, HALF])),
    )


def of_sheet(seed: Seed) -> Machine:
    """The student's own."""
    draws = seed.draws("machine")
    return drawn(draws, draws.choice(tuple(SIMULATORS)), tuple(SHIFTS))


def others(seed: Seed) -> tuple[Machine, Machine]:
    """Those that the grader asks probes on. Only the second one has colours."""
    draws = seed.draws("others")
    while True:
        first = drawn(draws, "granule-sim", tuple(SHIFTS))
        second = drawn(draws, "granule-sim-ulx3s", ("4k",))
        if all(first.found[name] != second.found[name] for name in first.found):
            return first, second


def run(handin: Handin, on: Machine, names: str, most: int) -> machine.Output:
    elf = machine.for_simulator(handin, SOURCE, "lab3_rtl.c", on.cases)
    return machine.on_simulator(elf, f"{on.granule} {names}", most, on.simulator)


@cache
def run_all(text: str, on: Machine) -> machine.Output | None:
    """Of all functions of a source; None: one of them did not end."""
    with TemporaryDirectory() as folder:
        (Path(folder) / SOURCE).write_text(text)
        try:
            return run(Handin(Path(folder)), on, " ".join((*on.found, *on.policies)), MOST)
        except Trouble:
            return None


def answer(handin: Handin, on: Machine, name: str) -> int:
    """What one function says."""
    text = machine.source(handin, SOURCE).read_text(errors="replace")
    output = run_all(text, on)
    if not output or output.values("fault") or output.values("outside"):
        output = run(handin, on, name, machine.MOST_CYCLES)
    look_for_trouble(output)
    return output.value(name)


def look_for_trouble(output: machine.Output) -> None:
    output.look_for_faults()
    for (address,) in output.values("outside"):
        raise Trouble(f"your code loads {address:#x}: see memory_bytes() and load_under()")


def finds(seed: Seed, name: str, handin: Handin) -> None:
    for number, on in enumerate(others(seed), start=1):
        got = answer(handin, on, name)
        expect(got == on.found[name], f"{on.found[name]} on machine {number}", got)


def finds_policies(seed: Seed, handin: Handin) -> None:
    for number, on in enumerate(others(seed), start=1):
        for where, policy in on.policies.items():
            got = answer(handin, on, where)
            named = POLICIES[got] if got < len(POLICIES) else got
            of = "places of one set" if where == "cache" else "pages"
            expect(named == policy, f"{policy} for {of} on machine {number}", named)


def questions(on: Machine) -> list[Number | Word]:
    found = on.found
    return [
        Number("line", 1, "How many bytes has a line of the data cache?", found["line"]),
        Number("ways", 1, "How many ways has the data cache?", found["ways"]),
        Number("sets", 1, "How many sets?", found["way"] // found["line"]),
        Number("page", 1, "How many bytes does one entry of the data TLB translate?",
               found["page"]),
        Number("entries", 1, "How many entries has the data TLB?", found["entries"]),
        Number("reach", 1, "How many bytes does the data TLB reach?",
               found["page"] * found["entries"]),
        Number("colours", 1, "How many colours have pages in this cache?", found["colours"]),
        Word("tlb_policy", 1, "Which entry does the data TLB give away: that of the page that was "
             "used longest ago (lru), or that of the page that came first (fifo)?",
             on.policies["tlb"], POLICIES[1:]),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    any_machine = Machine("granule-sim", "4k", 1, (HALF,))
    parts = (
        machine.compiles(machine.for_simulator, SOURCE, "lab3_rtl.c", any_machine.cases),
        *(Check(f"finds_{name}", points, what, partial(finds, seed, name))
          for name, points, what in PROBES),
        Check("finds_policy", 3, "policy(), in a set of the cache and in the TLB",
              partial(finds_policies, seed)),
        *questions(of_sheet(seed)),
        Prose("why_apart", 2, "A load took longer than a hit. How do you know whether it was the "
              "TLB or the cache, before you know anything of either?"),
        Prose("why_round", 2, "Going round and round one place too many misses each time, with LRU "
              "and with FIFO. Why, and what does your policy() do differently?"),
    )  # fmt: skip
    return Sheet(GIVEN, parts)


def explore(seed: Seed, handin: Handin) -> str:
    output = run(handin, of_sheet(seed), "explore", MOST)
    look_for_trouble(output)
    return output.text.rstrip()


LAB = Lab(3, "the mystery TLB and cache", sheet, (SOURCE,), explore=explore)
