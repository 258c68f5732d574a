"""Lab 1: fill a page table in C. The golden model reads the tables that the student's code made,
and then the RTL uses them."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from labs import complaints, machine
from labs.lab import Check, Handin, Lab, Prose, Sheet, Verdict
from labs.questions import Number
from labs.seed import Seed
from model import Access, Features, Kind, Memory, Registers, Translation, translate
from model.explain import FAULTS, size
from model.geometry import GRANULES, Geometry, geometry
from model.registers import TG0
from model.tables import AF, NG, Tables, ap

NAMES = {12: "4k", 14: "16k", 16: "64k"}
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
LOWMEM, FREE_LOWMEM, LAST_LOWMEM = 0x80000000, 0x80A00000, 0x80FFFF00


@dataclass(frozen=True)
class Page:
    va: int
    pa: int
    bits: int


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

    @property
    def tables(self) -> int:
        """How many are needed beside the first one."""
        built = Tables(Memory(), self.geometry, ROOT, ROOT + (1 << self.granule))
        for page in self.pages:
            built.map(page.va, page.pa, 3, page.bits)
        return len(built.allocated)

    @property
    def unmapped(self) -> list[int]:
        """Addresses beside the pages, which nothing maps."""
        mapped = {page.va for page in self.pages}
        beside = {page.va ^ 2 << self.granule for page in self.pages} | {0}
        return sorted(beside - mapped)

    def registers(self) -> Registers:
        tcr = 64 - self.bits | TG0[self.granule] << 14 | 5 << 32
        return Registers(tcr=tcr, ttbr0=ROOT, mair=0xFF)

    def commands(self, tables: int = MANY) -> str:
        return f"space {ROOT:x} {self.granule} {self.bits} {tables}\n"


def page_command(page: Page, kind: str = "page") -> str:
    return f"{kind} {page.va:x} {page.pa:x} {page.bits:x}\n"


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
def filled(handin: Handin, of: Space, kind: str = "page") -> Memory | Verdict:
    """The tables after all pages were mapped; or what was wrong already."""
    commands = of.commands() + "".join(page_command(page, kind) for page in of.pages) + "dump\n"
    output = machine.on_host(handin.folder / "build" / "lab1_host", commands)
    for page, (result,) in zip(of.pages, output.rows("result", len(of.pages), 10), strict=True):
        if result:
            return Verdict(False, f"map_{kind}({page.va:#x}) gives 0", str(result))
    return Memory({address: word for address, word in output.values("word")})


def told(outcome) -> str:
    """A translation or a fault, in one line."""
    if isinstance(outcome, Translation):
        return f"{outcome.pa:#x}"
    return f"{FAULTS[outcome.kind.value]}, level {outcome.level}"


def maps(of: Space, kind: str = "page") -> Callable[[Handin], Verdict]:
    """Each page leads to its place, at its first and last byte; beside it nothing is mapped."""

    def judge(handin: Handin) -> Verdict:
        memory = filled(handin, of, kind)
        if isinstance(memory, Verdict):
            return memory
        span = (1 << of.granule) if kind == "page" else 1 << of.geometry.lsb(2)
        for page in of.pages:
            for offset in (0, span - 8):
                access = Access(page.va + offset, Kind.AT_READ, el=1)
                outcome = translate(of.registers(), FEATURES, memory, access)
                if getattr(outcome, "pa", None) != page.pa + offset:
                    return Verdict(False, f"{access.va:#x} leads to {page.pa + offset:#x}",
                                   told(outcome))  # fmt: skip
        for va in of.unmapped if kind == "page" else ():
            outcome = translate(of.registers(), FEATURES, memory, Access(va, Kind.READ, el=1))
            if isinstance(outcome, Translation):
                return Verdict(False, f"{va:#x} is not mapped", f"it leads to {outcome.pa:#x}")
        return Verdict(True)

    return judge


def rights(spaces: list[Space]) -> Callable[[Handin], Verdict]:
    """The attributes are those that were asked for, whoever accesses."""

    def judge(handin: Handin) -> Verdict:
        for of in spaces:
            memory = filled(handin, of)
            if isinstance(memory, Verdict):
                return memory
            asked = Tables(Memory(), of.geometry, ROOT, ROOT + (1 << of.granule))
            for page in of.pages:
                asked.map(page.va, page.pa, 3, page.bits)
            for page in of.pages:
                for kind, el in ((k, e) for k in (Kind.READ, Kind.WRITE, Kind.EXECUTE)
                                 for e in (0, 1)):  # fmt: skip
                    access = Access(page.va, kind, el)
                    want = translate(of.registers(), FEATURES, asked.memory, access)
                    got = translate(of.registers(), FEATURES, memory, access)
                    if told(want) != told(got):
                        what = f"{kind.name.lower()} of {page.va:#x} at EL{el}: {told(want)}"
                        return Verdict(False, what, told(got))
        return Verdict(True)

    return judge


def enough(of: Space, handin: Handin, tables: int) -> bool:
    commands = of.commands(tables) + "".join(map(page_command, of.pages))
    output = machine.on_host(handin.folder / "build" / "lab1_host", commands)
    return not any(result for (result,) in output.rows("result", len(of.pages), 10))


def thrifty(spaces: list[Space]) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        for of in spaces:
            if not enough(of, handin, of.tables):
                return Verdict(False, f"{of.name}: {of.tables} new tables are enough", "more")
        return Verdict(True)

    return judge


def refuses(of: Space) -> Callable[[Handin], Verdict]:
    """Errors, and that they change nothing."""
    page = of.pages[0]
    byte, beyond = Page(page.va + 8, page.pa, page.bits), Page(1 << of.bits, page.pa, page.bits)
    wrong = (
        ("again at the same address", page, EEXIST),
        ("at an address that is no page's first", byte, EINVAL),
        ("at a pa that is no page's first", Page(of.unmapped[0], page.pa + 8, page.bits), EINVAL),
        ("at an address with too many bits", beyond, EINVAL),
    )

    def judge(handin: Handin) -> Verdict:
        program = handin.folder / "build" / "lab1_host"
        for what, other, error in wrong:
            commands = of.commands() + page_command(page) + "dump\n"
            before = machine.on_host(program, commands)
            after = machine.on_host(program, of.commands() + page_command(page)
                                    + page_command(other) + "dump\n")  # fmt: skip
            result = after.rows("result", 2, 10)[-1][0]
            if result != error:
                return Verdict(False, f"map_page {what} gives {error}", str(result))
            if before.values("word") != after.values("word"):
                return Verdict(False, f"map_page {what} changes no table", "it did")
        return Verdict(True)

    return judge


def runs_out(of: Space) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        needed = of.geometry.levels.stop - of.geometry.start_level - 1
        for tables in range(needed):
            output = machine.on_host(handin.folder / "build" / "lab1_host",
                                     of.commands(tables) + page_command(of.pages[0]))  # fmt: skip
            ((result,),) = output.rows("result", 1, 10)
            if result != ENOMEM:
                return Verdict(False, f"with memory for {tables} tables: {ENOMEM}", str(result))
        return Verdict(True)

    return judge


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
    built = Tables(Memory(), of.geometry, ROOT, ROOT + (1 << of.granule))
    for page in of.pages:
        built.map(page.va, page.pa, 2 if block else 3, page.bits)
    unmapped = []
    for va in of.unmapped[:1] if block else of.unmapped:
        outcome = translate(of.registers(), FEATURES, built.memory, Access(va, el=1))
        unmapped.append(f"{{{va:#x}, {outcome.status:#x}}}")
    pages = ",\n".join(c_page(page, of, block=block) for page in of.pages)
    return (
        '#include "lab1_cases.h"\n'
        f"#define COUNT {len(of.pages)}\n"
        f"static const struct page pages[COUNT] = {{\n{pages}}};\n"
        f"static const struct unmapped unmapped[] = {{{', '.join(unmapped)}}};\n"
    )


def on_rtl(of: Space, *, block: bool = False) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        elf = machine.for_simulator(handin, "map.c", "lab1_rtl.c", cases(of, block=block))
        return complaints.verdict(machine.on_simulator(elf, of.name), WORDS)

    return judge


def blocks(of: Space) -> Space:
    """One block of level 2, which on the machine begins at or before its free memory."""
    span = 1 << of.geometry.lsb(2)
    pa = FREE_LOWMEM // span * span
    return Space(of.granule, of.bits, (Page(span, pa, KERNEL),))


def maps_blocks(seed: Seed) -> Callable[[Handin], Verdict]:
    def judge(handin: Handin) -> Verdict:
        for granule in GRANULES:
            of = blocks(small_space(seed, granule))
            for run in (maps(of, "block"), on_rtl(of, block=True)):
                verdict = run(handin)
                if not verdict.passed:
                    return verdict
        return Verdict(True)

    return judge


# ---- the sheet ----------------------------------------------------------------------------------
def given(spaces: list[Space]) -> str:
    lines = []
    for of in spaces:
        lines.append(f"granule {size(of.granule)}, addresses of {of.bits} bits, pages at:")
        lines += [f"  {page.va:#x}" for page in of.pages]
    return "\n".join(lines)


def sheet(seed: Seed) -> Sheet:
    spaces = [space(seed, granule) for granule in GRANULES]
    predict = [
        Number(
            f"tables_{of.name}", 1,
            f"How many tables, the first one included, map these pages of {size(of.granule)}?",
            of.tables + 1,
        )
        for of in spaces
    ]  # fmt: skip
    host = [
        Check(f"maps_{of.name}", 2, f"pages of {size(of.granule)} lead to their places",
              maps(of), ("compiles",))
        for of in spaces
    ]  # fmt: skip
    all_map = tuple(part.id for part in host)
    rtl = [
        Check(f"rtl_{of.name}", 3, f"the RTL uses the tables, pages of {size(of.granule)}",
              on_rtl(small_space(seed, of.granule)), (f"maps_{of.name}",))
        for of in spaces
    ]  # fmt: skip
    small = small_space(seed, 12)
    parts = (
        *predict,
        Check("compiles", 1, "map.c compiles",
              machine.compiles(machine.for_host, "map.c", "lab1_host.c")),
        *host,
        Check("rights", 2, "attributes arrive in the last descriptor", rights(spaces), all_map),
        Check("tables", 1, "no table is made twice", thrifty(spaces), all_map),
        Check("errors", 2, "what cannot be mapped is refused", refuses(small), ("maps_4k",)),
        Check("memory", 1, "it survives the end of memory", runs_out(spaces[0]), ("maps_4k",)),
        *rtl,
        Check("block", 3, "blocks of level 2, at every granule", maps_blocks(seed),
              ("compiles",), bonus=True),
        Prose("why_loop", 3, "Your code is a loop over levels, or should be. Which three numbers "
              "differ from one granule to another, and what would a kernel gain if they were "
              "constants?"),
    )  # fmt: skip
    return Sheet(given(spaces), parts)


LAB = Lab(1, "fill a page table", sheet, files=("map.c",), simulator=True)
