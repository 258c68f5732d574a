"""The page-based virtual memory of the RISC-V privileged architecture as data: Sv32, Sv39 and Sv48
(10.3 to 10.5), with Svnapot for the last two and without Svpbmt. Levels are numbered as Arm does:
pages are at level 3, so that a PTE of the manual's level i is at level 3 - i."""

from dataclasses import dataclass

from .bits import align_down, bit, field, mask, sign_extend
from .descriptor import Leaf, Table, Type
from .geometry import SV32, SV39, SV48, Geometry


@dataclass(frozen=True)
class Pte:
    """The format of an entry. The field `zero` must be zero, and of a table U, A, D and N too;
    napot: bit N exists. What Arm's formats have beside is not there."""

    ppn_bits: int
    zero: tuple[int, int] | None = None
    napot: bool = False

    wide = False
    reserved = None
    sh = None

    def address(self, entry: int, low: int) -> int:
        return align_down(field(entry, 9 + self.ppn_bits, 10) << 12, low)

    def reserved_set(self, entry: int) -> bool:
        return False

    def in_group(self, entry: int) -> bool:
        return self.napot and bool(bit(entry, 63))

    def classify(self, entry: int, level: int, g: Geometry, blocks: frozenset[int]) -> Type:
        """Whatever is reserved is invalid: W without R; bits that must be zero; a table at the last
        level; a superpage that is not aligned; N but for 16 pages."""
        v, r, w, x = (bit(entry, n) for n in range(4))
        if not v or (w and not r) or (self.zero and field(entry, *self.zero)):
            return Type.INVALID
        if not (r or x):
            wrong = level == 3 or field(entry, 7, 6) or bit(entry, 4) or self.in_group(entry)
            return Type.INVALID if wrong else Type.TABLE
        ppn = field(entry, 9 + self.ppn_bits, 10)
        if self.in_group(entry):
            pages = g.contiguous_log2(level)
            right = pages and ppn & mask(pages) == 1 << pages - 1
        else:
            right = not ppn & mask(g.lsb(level) - g.granule)
        return Type.LEAF if right else Type.INVALID

    def skl(self, entry: int) -> int:
        return 0

    def table(self, entry: int, g: Geometry) -> Table:
        return Table(self.address(entry, g.granule))

    def leaf(self, entry: int, level: int, g: Geometry) -> Leaf:
        pages = g.contiguous_log2(level) if self.in_group(entry) else 0
        return Leaf(
            address=self.address(entry, g.lsb(level) + pages),
            af=bool(bit(entry, 6)),
            ng=not bit(entry, 5),
            contiguous=self.in_group(entry),
            not_dirty=not bit(entry, 7),
            rights=field(entry, 4, 1),
        )


@dataclass(frozen=True)
class Scheme:
    """What a value of satp.MODE selects; `mode` is satp with this field alone. `output`: the bits
    that a page number and an offset have."""

    name: str
    geometry: Geometry
    pte: Pte
    mode: int
    ppn: tuple[int, int]
    asid: tuple[int, int]

    def satp(self, asid: int, root: int) -> int:
        """The value that selects the scheme, for the table at `root`."""
        return self.mode | asid << self.asid[1] | root >> 12

    @property
    def output(self) -> int:
        return self.pte.ppn_bits + 12

    @property
    def signed(self) -> bool:
        """All bits from the topmost one on must be equal. Requesters of Sv32 have 32 bits."""
        return self.pte.ppn_bits == 44

    def canonical(self, va: int) -> bool:
        return not self.signed or va == sign_extend(va, self.geometry.input_size - 1)


PTE32 = Pte(22)
PTE64 = Pte(44, zero=(62, 54), napot=True)
SCHEMES = {
    "sv32": Scheme("sv32", SV32, PTE32, 1 << 31, ppn=(21, 0), asid=(30, 22)),
    "sv39": Scheme("sv39", SV39, PTE64, 8 << 60, ppn=(43, 0), asid=(59, 44)),
    "sv48": Scheme("sv48", SV48, PTE64, 9 << 60, ppn=(43, 0), asid=(59, 44)),
}


def mode_of(satp: int) -> str | None:
    """Which scheme satp selects; None is Bare. satp of RV32 has nothing above bit 31."""
    if satp < 1 << 32:
        return "sv32" if bit(satp, 31) else None
    return {8: "sv39", 9: "sv48"}.get(field(satp, 63, 60))
