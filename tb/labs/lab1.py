"""Lab 1: fill a page table in C. The golden model reads the tables that the student's code made,
and then the RTL uses them."""

import random
from collections import namedtuple
from dataclasses import dataclass
from functools import partial

from labs import machine
from labs.lab import GRANULES as LOG2
from labs.lab import Check, Handin, Lab, Number, Prose, Sheet, Wrong, expect
from labs.seed import Seed
from model import Access, Fault, Features, Kind, Memory, Registers, Translation, translate
from model.explain import FAULTS, size
from model.geometry import GRANULES, Geometry, geometry
from model.registers import TG0
from model.tables import AF, NG, Tables, ap

NAMES = {log2: name for name, log2 in LOG2.items()}
VA_BITS = {12: (39, 42, 48), 14: (39, 42, 47), 16: (42, 46, 48)}
MACHINE_BITS = 31  # what an RV32 program can reach
FEATURES = Features(pamax=48)
ROOT = 0x40000000
PXN, UXN, SHARED = 1 << 53, 1 << 54, 3 << 8
KERNEL = AF | SHARED | PXN | UXN | ap(0b00)
READ_ONLY = AF | SHARED | PXN | UXN | ap(0b10)
USER = AF | SHARED | NG | PXN | UXN | ap(0b01)
CODE = AF | SHARED | NG | PXN | ap(0b11)
ENOMEM, EEXIST, EINVAL = -12, -17, -22
MANY = 1000  # tables
FREE_LOWMEM, LAST_LOWMEM = 0x80A00000, 0x80FFFF00


Page = namedtuple("Page", "va pa bits")


@dataclass(frozen=True)
class Space:
    """What one granule is tried with."""

    granule: int
    bits: int
    pages: tuple[Page, ...]

    @property
    def name(self) -> str:
        return NAMES[self.granule]

    @property
    def geometry(self) -> Geometry:
        return geometry(self.granule, 64 - self.bits)

    def built(self, level: int = 3) -> Tables:
        """As the golden model makes them, with pages of this level."""
        tables = Tables(Memory(), self.geometry, ROOT, ROOT + (1 << self.granule))
        for page in self.pages:
            tables.map(page.va, page.pa, level, page.bits)
        return tables

    @property
    def tables(self) -> int:
        """How many are needed beside the first one."""
        return len(self.built().allocated)

    @property
    def unmapped(self) -> list[int]:
        """Addresses beside the pages, which nothing maps."""
        mapped = {page.va for page in self.pages}
        beside = {page.va ^ 2 << self.granule for page in self.pages} | {0}
        return sorted(beside - mapped)

    def registers(self) -> Registers:
        tcr = 64 - self.bits | TG0[self.granule] << 14 | 5 << 32
        return Registers(tcr=tcr, ttbr0=ROOT, mair=0xFF)

    def translated(self, memory: Memory, access: Access) -> Translation | Fault:
        return translate(self.registers(), FEATURES, memory, access)


def places(draws: random.Random, granule: int, bits: int) -> list[int]:
    """Pages beside each other, in a table beside theirs, and far away."""
    table = granule + geometry(granule, 64 - bits).stride
    low = 1 << bits - 2 | draws.getrandbits(bits - 2) >> granule << granule
    inside = low & ~(3 << granule)  # so that its neighbours are in its table
    far = 1 << bits - 1 | draws.getrandbits(bits - 2) >> granule << granule
    near = (inside ^ 1 << table) if table < bits else inside ^ 4 << granule
    return [inside, inside | 1 << granule, near, far & ~(3 << granule)]


def space(seed: Seed, granule: int) -> Space:
    draws = seed.draws(f"space {granule}")
    bits = draws.choice(VA_BITS[granule])
    rights = [KERNEL, READ_ONLY, USER, CODE]
    draws.shuffle(rights)
    pages = tuple(
        Page(va, draws.getrandbits(47) >> granule << granule, kind)
        for va, kind in zip(places(draws, granule, bits), rights, strict=True)
    )
    return Space(granule, bits, pages)


def small_space(seed: Seed, granule: int) -> Space:
    """One that fits the simulated machine and its memory."""
    draws = seed.draws(f"machine {granule}")
    frames = draws.sample(range((LAST_LOWMEM - FREE_LOWMEM) >> 16), 4)
    pages = tuple(
        Page(va, FREE_LOWMEM + (frame << 16), kind)
        for va, frame, kind in zip(
            places(draws, granule, MACHINE_BITS), frames, (KERNEL, READ_ONLY, USER, USER),
            strict=True,
        )
    )  # fmt: skip
    return Space(granule, MACHINE_BITS, pages)


# ---- on this computer: the golden model reads the tables ----------------------------------------
def mapped(
    handin: Handin, of: Space, *pages: Page, tables: int = MANY, kind: str = "page"
) -> tuple[list[int], Memory]:
    """What the student's code says of these pages, and the tables that it made."""
    commands = [f"space {ROOT:x} {of.granule} {of.bits} {tables}"]
    commands += [f"{kind} {page.va:x} {page.pa:x} {page.bits:x}" for page in pages]
    output = machine.on_host(handin.folder / "build/lab1_host", "\n".join([*commands, "dump\n"]))
    results = [result for (result,) in output.rows("result", len(pages), 10)]
    return results, Memory({address: word for address, word in output.values("word")})


def filled(handin: Handin, of: Space, kind: str = "page") -> Memory:
    """The tables after all pages were mapped."""
    results, memory = mapped(handin, of, *of.pages, kind=kind)
    for page, result in zip(of.pages, results, strict=True):
        expect(not result, f"map_{kind}({page.va:#x}) gives 0", result)
    return memory


def told(outcome: Translation | Fault) -> str:
    """In one line."""
    if isinstance(outcome, Translation):
        return f"{outcome.pa:#x}"
    return f"{FAULTS[outcome.kind.value]}, level {outcome.level}"


def maps(of: Space, handin: Handin, kind: str = "page") -> None:
    """Each page leads to its place, at its first and last byte; beside it nothing is mapped."""
    memory = filled(handin, of, kind)
    span = (1 << of.granule) if kind == "page" else 1 << of.geometry.lsb(2)
    for page in of.pages:
        for offset in (0, span - 8):
            access = Access(page.va + offset, Kind.AT_READ, el=1)
            outcome = of.translated(memory, access)
            expect(getattr(outcome, "pa", None) == page.pa + offset,
                   f"{access.va:#x} leads to {page.pa + offset:#x}", told(outcome))  # fmt: skip
    for va in of.unmapped if kind == "page" else ():
        outcome = of.translated(memory, Access(va, Kind.READ, el=1))
        if isinstance(outcome, Translation):
            raise Wrong(f"{va:#x} is not mapped", f"it leads to {outcome.pa:#x}")


def rights(spaces: list[Space], handin: Handin) -> None:
    """The attributes are those that were asked for, whoever accesses."""
    accesses = [(kind, el) for kind in (Kind.READ, Kind.WRITE, Kind.EXECUTE) for el in (0, 1)]
    for of in spaces:
        memory, asked = filled(handin, of), of.built().memory
        for page in of.pages:
            for kind, el in accesses:
                access = Access(page.va, kind, el)
                want, got = (told(of.translated(tables, access)) for tables in (asked, memory))
                expect(got == want, f"{kind.name.lower()} of {page.va:#x} at EL{el}: {want}", got)


def thrifty(spaces: list[Space], handin: Handin) -> None:
    for of in spaces:
        results, _ = mapped(handin, of, *of.pages, tables=of.tables)
        expect(not any(results), f"{of.name}: {of.tables} new tables are enough", "more")


def refuses(of: Space, handin: Handin) -> None:
    """Errors, and that they change nothing."""
    page = of.pages[0]
    wrong = (
        ("again at the same address", page, EEXIST),
        ("at an address that is no page's first", page._replace(va=page.va + 8), EINVAL),
        ("at a pa that is no page's first", Page(of.unmapped[0], page.pa + 8, page.bits), EINVAL),
        ("at an address with too many bits", page._replace(va=1 << of.bits), EINVAL),
    )
    for what, other, error in wrong:
        _, before = mapped(handin, of, page)
        (_, result), after = mapped(handin, of, page, other)
        expect(result == error, f"map_page {what} gives {error}", result)
        expect(after.words == before.words, f"map_page {what} changes no table", "it did")


def runs_out(of: Space, handin: Handin) -> None:
    for tables in range(of.geometry.levels.stop - of.geometry.start_level - 1):
        (result,), _ = mapped(handin, of, of.pages[0], tables=tables)
        expect(result == ENOMEM, f"with memory for {tables} tables: {ENOMEM}", result)


# ---- on the RTL ---------------------------------------------------------------------------------
WORDS = {
    "result": ("map_page({where:#x}) gives 0", "{got:#x}"),
    "crash": ("map_page({where:#x}) makes no exception", "{got:#x}"),
    "status": ("a read of {where:#x} makes no fault", "{got:#x}"),
    "data": ("a read of {where:#x} gives {expected:#x}", "{got:#x}"),
    "store": ("a write to {where:#x} has status {expected:#x}", "{got:#x}"),
    "stored": ("a write arrives at {where:#x}", "{got:#x}"),
    "unmapped": ("a read of {where:#x}, which is not mapped, has status {expected:#x}", "{got:#x}"),
}


def c_page(page: Page, of: Space, *, block: bool = False) -> str:
    span = 1 << (of.geometry.lsb(2) if block else of.granule)
    first = max(page.pa, FREE_LOWMEM) - page.pa if block else 0
    last = min(span - 4, LAST_LOWMEM - page.pa)
    store = 0x0C + (2 if block else 3) if page.bits & ap(0b10) else 0
    return (f"{{{page.va:#x}, {page.pa:#x}, {page.bits:#x}ull, {first:#x}, {last:#x}, {store:#x}, "
            f"{int(block)}}}")  # fmt: skip


def cases(of: Space, *, block: bool = False) -> str:
    """cases.h; where nothing is mapped, the model says how far the walk comes."""
    memory = of.built(2 if block else 3).memory
    unmapped = [
        f"{{{va:#x}, {of.translated(memory, Access(va, el=1)).status:#x}}}"
        for va in (of.unmapped[:1] if block else of.unmapped)
    ]
    pages = [c_page(page, of, block=block) for page in of.pages]
    return machine.defines(PAGES=pages, UNMAPPED=unmapped)


def on_rtl(of: Space, handin: Handin, *, block: bool = False) -> None:
    elf = machine.for_simulator(handin, "map.c", "lab1_rtl.c", cases(of, block=block))
    machine.on_simulator(elf, of.name).complain(WORDS)


def blocks(of: Space) -> Space:
    """One block of level 2, which on the machine begins at or before its free memory."""
    span = 1 << of.geometry.lsb(2)
    pa = FREE_LOWMEM // span * span
    return Space(of.granule, of.bits, (Page(span, pa, KERNEL),))


def maps_blocks(seed: Seed, handin: Handin) -> None:
    for granule in GRANULES:
        of = blocks(small_space(seed, granule))
        maps(of, handin, "block")
        on_rtl(of, handin, block=True)


# ---- the sheet ----------------------------------------------------------------------------------
def given(spaces: list[Space]) -> str:
    lines = []
    for of in spaces:
        lines.append(f"granule {size(of.granule)}, addresses of {of.bits} bits, pages at:")
        lines += [f"  {page.va:#x}" for page in of.pages]
    return "\n".join(lines)


def sheet(seed: Seed) -> Sheet:
    spaces = [space(seed, granule) for granule in GRANULES]
    all_map = tuple(f"maps_{of.name}" for of in spaces)
    parts = (
        *(Number(f"tables_{of.name}", 1, "How many tables, the first one included, map these pages "
                 f"of {size(of.granule)}?", of.tables + 1) for of in spaces),
        machine.compiles(machine.for_host, "map.c", "lab1_host.c"),
        *(Check(f"maps_{of.name}", 2, f"pages of {size(of.granule)} lead to their places",
                partial(maps, of)) for of in spaces),
        Check("rights", 2, "attributes arrive in the last descriptor", partial(rights, spaces),
              all_map),
        Check("tables", 1, "no table is made twice", partial(thrifty, spaces), all_map),
        Check("errors", 2, "what cannot be mapped is refused",
              partial(refuses, small_space(seed, 12)), ("maps_4k",)),
        Check("memory", 1, "it survives the end of memory", partial(runs_out, spaces[0]),
              ("maps_4k",)),
        *(Check(f"rtl_{of.name}", 3, f"the RTL uses the tables, pages of {size(of.granule)}",
                partial(on_rtl, small_space(seed, of.granule)), (f"maps_{of.name}",))
          for of in spaces),
        Check("block", 3, "blocks of level 2, at every granule", partial(maps_blocks, seed),
              bonus=True),
        Prose("why_loop", 3, "Your code is a loop over levels, or should be. Which three numbers "
              "differ from one granule to another, and what would a kernel gain if they were "
              "constants?"),
    )  # fmt: skip
    return Sheet(given(spaces), parts)


LAB = Lab(1, "fill a page table", sheet, ("map.c",))
