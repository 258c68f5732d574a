"""Lab 10, of hardware: the walker's missing level. A student says in SpinalHDL where a walk begins
and which descriptor it reads; the golden model says what the MMU should do with that."""

from collections.abc import Callable
from dataclasses import dataclass

from labs.lab import GRANULES as LOG2
from labs.lab import Check, Handin, Lab, Number, Prose, Sheet, Wrong, expect
from labs.seed import Seed
from labs.student_rtl import Place, once
from model import Access, Fault, Memory, Registers, translate
from model.explain import size
from model.geometry import GRANULES, Geometry, geometry
from model.registers import TG0, TG1
from model.tables import Tables
from support.configurations import features_of

CONFIG = "small"
FEATURES = features_of(CONFIG)
BITS = range(25, 49)  # of an address; all that this MMU can have
STARTER = (12, 39)  # granule and bits of what the starter can do
ROOT, TABLES, PAGES = 0x4000_0000, 0x5000_0000, 0x8000_0000


def instead(name: str, parameters: str, result: str, body: str) -> tuple[str, str]:
    """The method has this body; the old one stays under another name."""
    head = f"def {name}({parameters}): {result} ="
    return head, f"{head} {body}\n\n  private def {name}OfTheRtl({parameters}): {result} ="


LEVELS = "_root_.granule.labs.Levels(s.granule.log2Bytes)"
PLACE = Place(
    student="Levels.scala",
    file="mmu/Geometry.scala",
    changes=(
        instead("startLevels", "tableFormat: Bits, tnsz: UInt", "Bits",
                f"select(tableFormat, layoutOf)(s => {LEVELS}.start(tnsz))"),
        instead("firstSize", "tableFormat: Bits, levels: Bits, tnsz: UInt", "UInt",
                f"select(tableFormat, layoutOf)(s => {LEVELS}.firstBits(tnsz).resize(sizeBits))"),
        instead("offset", "tableFormat: Bits, levels: Bits, va: Bits", "Bits",
                f"atLevel(levels)(l => select(tableFormat, layoutOf)(s => ({LEVELS}.index(va, l) "
                "## B(0, 3 bits)).resize(formats.offsetBits)))"),
    ),
    unit=f"mmu:{CONFIG}",
    top="mmu",
    player="labs.hardware.cocotb_walks",
)  # fmt: skip


@dataclass(frozen=True)
class Space:
    """Tables of an address space, and addresses whose walks are looked at."""

    granule: int
    bits: int
    memory: Memory
    addresses: tuple[int, ...]

    @property
    def registers(self) -> Registers:
        """Both halves have the same tables."""
        tnsz = 64 - self.bits
        halves = tnsz | TG0[self.granule] << 14 | tnsz << 16 | TG1[self.granule] << 30
        return Registers(tcr=halves | 5 << 32, ttbr0=ROOT, ttbr1=ROOT, mair=0xFF)

    def step(self) -> dict:
        """For the player."""
        names = ("tcr", "ttbr0", "ttbr1", "mair")
        registers = {name: getattr(self.registers, name) for name in names}
        return {"words": self.memory.words, "registers": registers, "addresses": self.addresses}


def space(seed: Seed, granule: int, bits: int) -> Space:
    """Two pages, and an address for each level at which a walk may end without one. Every other one
    is in the upper half, where what a first table leaves out is not 0."""
    draws = seed.draws(f"space {granule} {bits}")
    shape = geometry(granule, 64 - bits)
    built = Tables(Memory(), shape, ROOT, TABLES)
    mapped = []
    for _ in range(2):
        va = draws.getrandbits(bits) >> granule << granule
        if va not in mapped:
            built.map(va, PAGES + (draws.getrandbits(12) << 16))
            mapped.append(va)
    addresses = [va | draws.getrandbits(granule) & ~7 for va in mapped]
    addresses += [mapped[0] ^ 1 << shape.lsb(level) for level in shape.levels]
    for number in range(1, len(addresses), 2):
        addresses[number] |= (1 << 64) - (1 << bits)
    return Space(granule, bits, built.memory, tuple(addresses))


def chain(reads: list[int]) -> str:
    return "reads of " + (", ".join(f"{read:#x}" for read in reads) or "nothing")


def judged(of: Space, va: int, noted: list | None) -> None:
    """The addresses of the descriptors, and what came of the walk."""
    outcome = translate(of.registers, FEATURES, of.memory, Access(va))
    shape, want = geometry(of.granule, 64 - of.bits), [*outcome.reads]
    where = f"pages of {size(of.granule)}, addresses of {of.bits} bits, VA {va:#x}"
    if noted is None:
        raise Wrong(f"{where}: {len(want)} reads", "the walk does not end")
    status, pa, reads = noted
    expect(reads == want, f"{where}: begins at level {shape.start_level}, {chain(want)}",
           chain(reads))  # fmt: skip
    if isinstance(outcome, Fault):
        expect(status == outcome.status, f"{where}: fault {outcome.status:#x}",
               "no fault" if status is None else f"fault {status:#x}")  # fmt: skip
    else:
        expect((status, pa) == (None, outcome.pa), f"{where}: leads to {outcome.pa:#x}",
               f"{pa:#x}" if status is None else f"fault {status:#x}")  # fmt: skip


def tried(seed: Seed) -> Callable[[Callable[[int, int], bool]], Callable[[Handin], None]]:
    """One simulation walks in all spaces; a part looks at those that it is about."""
    spaces = [space(seed, granule, bits) for granule in GRANULES for bits in BITS]
    spaces.sort(key=lambda of: (of.granule, of.bits) != STARTER)
    play = once(lambda handin: PLACE.play(handin, [of.step() for of in spaces]))

    def part(concerns: Callable[[int, int], bool]) -> Callable[[Handin], None]:
        def judge(handin: Handin) -> None:
            noted = iter(play(handin))
            for of in spaces:
                for va in of.addresses:
                    found = next(noted, None)
                    if concerns(of.granule, of.bits):
                        judged(of, va, found)

        return judge

    return part


def questions(seed: Seed) -> list[Number]:
    draws = seed.draws("questions")
    granule = draws.choice(GRANULES)
    bits = draws.choice([b for b in BITS if b not in (39, 48)])
    shape: Geometry = geometry(granule, 64 - bits)
    va = draws.getrandbits(bits)
    space = f"pages of {size(granule)} and addresses of {bits} bits"
    return [
        Number("tnsz", 1, f"What is TnSZ for addresses of {bits} bits?", 64 - bits),
        Number("start", 1, f"At which level does a walk begin with {space}?", shape.start_level),
        Number("entries", 1, "How many descriptors does the first table have then?",
               shape.first_entries),
        Number("offset", 2, f"How many bytes from the begin of that table is the first descriptor "
               f"that a walk of {va:#x} reads?", 8 * shape.first_index(va), hexadecimal=True),
    ]  # fmt: skip


def sheet(seed: Seed) -> Sheet:
    part = tried(seed)
    parts = (
        *questions(seed),
        *PLACE.built("the MMU is generated with it"),
        Check("keeps", 1, "pages of 4 KiB, 39 bits", part(lambda g, b: (g, b) == STARTER),
              ("verilog",)),
        Check("levels", 3, "48 bits with each page size: four levels, four, and three",
              part(lambda g, b: b == 48), ("verilog",)),
        *(Check(f"walks_{name}", 4, f"all sizes of address spaces with pages of {size(log2)}",
                part(lambda g, b, log2=log2: g == log2), ("verilog",))
          for name, log2 in LOG2.items()),
        Prose("why_int", 3, "In your file the granule is an Int of Scala, and TnSZ is a UInt of "
              "hardware. Which of your lines became gates, which became wires, and what would "
              "change if the granule were a UInt too?"),
    )  # fmt: skip
    return Sheet("Spaces of 25 to 48 address bits, with pages of 4, 16 and 64 KiB.", parts)


LAB = Lab(10, "the walker's missing level (hardware)", sheet, ("Levels.scala",))
