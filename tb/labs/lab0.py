"""Lab 0: walks by hand. Every answer comes out of the golden model.

There are SHEETS sheets, and a name chooses one, so that a page without Python can have all of them
in it (tb/tools/web/lab0.py) and still show what `make lab` prints.
"""

import random
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from labs import machine
from labs.lab import GRANULES as LOG2
from labs.lab import Lab, Number, Part, Prose, Sheet, Word
from labs.seed import Seed
from model import Access, Fault, Features, Kind, Memory, Registers, Translation, translate
from model.explain import size
from model.geometry import GRANULES, Geometry, geometry
from model.registers import HA, HD, TG0
from model.tables import AF, NG, VALID_PAGE, VALID_TABLE, Tables, ap
from support.root import ROOT

FEATURES = Features(pamax=48)
PXN, UXN, DBM = 1 << 53, 1 << 54, 1 << 51
OUTPUT_48_BITS = 5 << 32
WRITE_BACK = 0xFF
# Sizes of the address space, by granule, with which a walk has three levels.
THREE_LEVELS = {12: range(31, 40), 14: range(37, 48), 16: range(43, 49)}
FAULTS = {"Translation": "translation", "AccessFlag": "access flag", "Permission": "permission"}
YES_NO = ("yes", "no")
SHEETS = 256
PAGE = "build/web/lab0.html"
LEVELS = (
    "Take the bits of the offset away: 12, 14 or 16. A level translates 9, 11 or 13 of the others; "
    "count levels until none is left."
)
INDEX = (
    "The offset has 12, 14 or 16 bits, and each level above it 9, 11 or 13; the first table gets "
    "what is left of the address. Write the address in binary and count from the right."
)
ENTRY = "The address of a descriptor is that of its table plus 8 times the index."
FIRST = " The first table is where TTBR0 says."
NEXT = " The table is in bits 47:n of the descriptor before it; n is the number of offset bits."
Asked = tuple["Walk", list[Part]]
Address = partial(Number, hexadecimal=True)


@dataclass
class Walk:
    """One walk that is asked about: registers, tables and an access."""

    geometry: Geometry
    registers: Registers
    memory: Memory
    access: Access

    @property
    def outcome(self) -> Translation | Fault:
        return self.of(self.access)

    def of(self, access: Access) -> Translation | Fault:
        """In a copy of the tables, as a walk may change entries."""
        return translate(self.registers, FEATURES, Memory(self.memory.words), access)

    @property
    def may_write(self) -> bool:
        access = Access(self.access.va, Kind.WRITE, self.access.el)
        return isinstance(self.of(access), Translation)

    def given(self) -> str:
        """What the student is told: no index, no level."""
        verb = {Kind.READ: "reads", Kind.WRITE: "writes"}[self.access.kind]
        lines = [
            f"granule {size(self.geometry.granule)}, T0SZ = {self.geometry.tnsz} (addresses of "
            f"{self.geometry.input_size} bits), TTBR0 = {self.registers.ttbr0:#x}",
            f"a program (EL0) {verb} {self.access.va:#x}",
            "memory, words that are not listed are 0:",
        ]
        lines += [f"  {at:#x}: {word:#018x}" for at, word in sorted(self.memory.words.items())]
        return "\n".join(lines)


def page_bits(draws: random.Random, *, writable: bool) -> int:
    """A page of a program's data or code."""
    code = not writable and draws.random() < 0.5
    return AF | NG | PXN | (0 if code else UXN) | ap(0b01 if writable else 0b11)


def new_walk(
    draws: random.Random, granule: int, bits: int, *, level: int = 3, leaf: int, kind: Kind, tcr=0
) -> Walk:
    """A walk that ends at `level`, in tables with more entries than it needs."""
    g = geometry(granule, 64 - bits)
    # Top bits are set, so that an index or an offset taken from too few bits is wrong.
    va = 1 << bits - 1 | draws.getrandbits(bits - 1) & -8 | 1 << granule - 1
    root = 0x40000000 + draws.randrange(64) * 0x100000
    tables = Tables(Memory(), g, root, root + 0x1000000 + draws.randrange(64) * 0x10000)
    output = 0x80000000 | draws.getrandbits(30)
    tables.map(va, output, level, leaf)
    decoys(draws, tables, va, level)
    registers = Registers(
        tcr=g.tnsz | TG0[granule] << 14 | OUTPUT_48_BITS | tcr, ttbr0=root, mair=WRITE_BACK
    )
    return Walk(g, registers, tables.memory, Access(va, kind, el=0))


def decoys(draws: random.Random, tables: Tables, va: int, last: int) -> None:
    """Entries beside those of the walk, so that a wrong index finds something else."""
    g, words = tables.geometry, tables.memory.words
    for level in range(g.start_level, last + 1):
        right = tables.slot(va, level)
        for step in (-8, 8, 16):
            beside = right + step
            inside = beside & -(1 << g.granule) == right & -(1 << g.granule)
            if inside and beside not in words and draws.random() < 0.8:
                address = 0x40000000 + (draws.getrandbits(14) << g.granule)
                bits = VALID_TABLE if level < 3 else VALID_PAGE | AF | NG | UXN | PXN | ap(0b01)
                words[beside] = address | bits


def predict(seed: Seed) -> list[Part]:
    """Levels and sizes, before any walk."""
    draws = seed.draws("predict")
    bits = draws.choice((36, 39, 42, 44, 48))
    one = draws.choice(GRANULES)
    return [
        *(Number(f"levels_{name}", 1, f"Addresses have {bits} bits. How many levels has a walk for "
                 f"pages of {size(granule)}?", len(geometry(granule, 64 - bits).levels),
                 hint=LEVELS)
          for name, granule in LOG2.items()),
        Number("first_entries", 1, f"How many entries has the first table with pages of "
               f"{size(one)}?", geometry(one, 64 - bits).first_entries,
               hint="The first table translates the bits that the other levels leave over: with n "
               "bits left it has 2 to the power of n entries."),
    ]  # fmt: skip


def page_walk(seed: Seed) -> Asked:
    """Walk A: every step of a walk of three levels."""
    draws = seed.draws("page")
    granule = draws.choice(GRANULES)
    writable = draws.random() < 0.5
    walk = new_walk(draws, granule, draws.choice(THREE_LEVELS[granule]),
                    leaf=page_bits(draws, writable=writable), kind=Kind.READ)  # fmt: skip
    g, va, outcome = walk.geometry, walk.access.va, walk.outcome
    parts: list[Part] = []
    for step, (level, address) in enumerate(zip(g.levels, outcome.reads, strict=True), 1):
        index = g.index(va, level) if step > 1 else g.first_index(va)
        parts += [
            Number(f"a_index_{step}", 1, f"Walk A: which index does table {step} of the walk get?",
                   index, hint=INDEX),
            Address(f"a_entry_{step}", 1, "Walk A: at which address is the descriptor that is read "
                    f"from table {step}?", address, hint=ENTRY + (NEXT if step > 1 else FIRST)),
        ]  # fmt: skip
    parts += [
        Address("a_page", 1, "Walk A: where in memory does the page begin?",
                outcome.pa >> granule << granule, hint="Take bits 47:n of the last descriptor; n "
                "is the number of offset bits. What lies below is 0."),
        Address("a_address", 2, "Walk A: which physical address is read?", outcome.pa,
                hint="Add the offset of the virtual address to the start of the page."),
        Word("a_write", 1, "Walk A: may the program write there?",
             YES_NO[not walk.may_write], YES_NO, hint="AP[2], bit 7, forbids to write."),
        Word("a_execute", 1, "Walk A: may the program execute what is there?",
             YES_NO[not outcome.rights.x], YES_NO,
             hint="UXN, bit 54, forbids a program to execute."),
    ]  # fmt: skip
    return walk, parts


def block_walk(seed: Seed) -> Asked:
    """Walk B: it ends a level earlier."""
    draws = seed.draws("block")
    granule = draws.choice(GRANULES)
    walk = new_walk(draws, granule, draws.choice(THREE_LEVELS[granule]), level=2,
                    leaf=page_bits(draws, writable=True), kind=Kind.READ)  # fmt: skip
    outcome = walk.outcome
    return walk, [
        Number("b_reads", 1, "Walk B: how many descriptors does the walk read?",
               len(outcome.reads), hint="A descriptor that ends in 01 above level 3 maps a block: "
               "the walk ends there."),
        Address("b_size", 1, "Walk B: how many bytes does its last descriptor map?",
                1 << outcome.span, hint="A block maps what a whole table of the next level would: "
                "entries of a table times the size of a page."),
        Address("b_address", 2, "Walk B: which physical address is read?", outcome.pa,
                hint="Below a block the offset has the bits of level 3's index too."),
    ]  # fmt: skip


def fault_walk(seed: Seed) -> Asked:
    """Walk C: it ends in a fault."""
    draws = seed.draws("fault")
    granule = draws.choice(GRANULES)
    why = draws.choice(tuple(FAULTS))
    leaf = page_bits(draws, writable=why != "Permission")
    if why == "AccessFlag":
        leaf &= ~AF
    walk = new_walk(draws, granule, draws.choice(THREE_LEVELS[granule]),
                    leaf=leaf, kind=Kind.WRITE)  # fmt: skip
    if why == "Translation":
        g, words = walk.geometry, walk.memory.words
        at = walk.outcome.reads[draws.choice(g.levels) - g.start_level]
        words[at] &= ~1  # bit 0 clear: whatever else it says, it is not valid
    outcome = walk.outcome
    return walk, [
        Word("c_fault", 1, "Walk C: which fault is it?", FAULTS[outcome.kind.value],
             tuple(FAULTS.values()), hint="Check in this order: is each descriptor valid, is AF "
             "set, may the program do this?"),
        Number("c_level", 1, "Walk C: at which level (0 to 3) does it come about?", outcome.level,
               hint="The last level is always 3. The fault comes about where the walk ends."),
        Address("c_status", 1, "Walk C: which status code does the syndrome report?",
                outcome.status, hint="0x04, 0x08 or 0x0c, plus the level."),
    ]  # fmt: skip


def updating_walk(seed: Seed) -> Asked:
    """Walk D: hardware manages access flag and dirty state."""
    draws = seed.draws("update")
    granule = draws.choice(GRANULES)
    kind = draws.choice((Kind.READ, Kind.WRITE))
    leaf = NG | PXN | UXN | DBM | ap(0b11)
    walk = new_walk(draws, granule, draws.choice(THREE_LEVELS[granule]),
                    leaf=leaf, kind=kind, tcr=HA | HD)  # fmt: skip
    ((_, value),) = walk.outcome.changed
    return walk, [
        Address("d_entry", 2, "Walk D: what does the last descriptor say after this walk?", value,
                hint="HA sets AF, bit 10. For a write HD clears AP[2], bit 7, too, where DBM is "
                "set. All other bits stay."),
    ]  # fmt: skip


UPDATES = "TCR_EL1.HA = 1 and TCR_EL1.HD = 1 for this walk; they are 0 for A, B and C."
WHY = (
    Prose("why_levels", 2, "Why does a larger granule need fewer levels? There are two reasons; "
          "give both."),
    Prose("why_first", 2, "Why does the first table often have fewer entries than all others, and "
          "how many bytes does software save by that?\n"
          "Take the first table that you counted above as the example."),
)  # fmt: skip


def sheet_number(name: str) -> int:
    """Which sheet a name gets. FNV-1a, which docs/web/lab0-sheet.js has too."""
    value = 0x811C9DC5
    for byte in name.lower().encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return (value ^ value >> 16) % SHEETS


def drawn(number: int) -> tuple[list[Part], dict[str, Asked]]:
    """Questions and walks of a sheet."""
    seed = Seed(f"sheet {number}", 0)
    walks = zip("ABCD", (page_walk, block_walk, fault_walk, updating_walk), strict=True)
    return predict(seed), {letter: walk(seed) for letter, walk in walks}


def link(seed: Seed) -> str:
    """The same sheet in a browser."""
    return f"{PAGE}#name={quote(seed.name)}"


def browser(seed: Seed) -> str:
    """What a student is told of the page: it is there, or a checkout can make it."""
    if (ROOT / PAGE).exists():
        return f"The same in a browser, where the hardware does each walk too: {link(seed)}"
    if machine.checkout():
        return f"`make web` makes a page for the same in a browser: {link(seed)}"
    return ""


def sheet(seed: Seed) -> Sheet:
    parts, walks = drawn(sheet_number(seed.name))
    given = [f"Walk {name}: {walk.given()}" for name, (walk, _) in walks.items()]
    given[-1] += f"\n{UPDATES}"
    for _, asked in walks.values():
        parts += asked
    return Sheet("\n\n".join(filter(None, (browser(seed), *given))), (*parts, *WHY))


LAB = Lab(0, "a walk by hand", sheet, browser=browser)
