"""Sv32, Sv39, Sv48 and Svnapot by the rules of the RISC-V privileged architecture (10.3.2, 10.4,
10.5, and "Svnapot"); 3.1.6 for MXR and SUM. The examples are worked out by hand: every table index,
entry and address below is written down, not computed by the model."""

from dataclasses import dataclass
from itertools import product

import pytest

from model import Access, Fault, FaultKind, Features, Kind, Memory, Registers, translate

V, R, W, X, U, G, A, D = (1 << n for n in range(8))
N = 1 << 63
ALL = V | R | W | X | U | A | D
RV64 = Features(pamax=56, rv64=True)


@dataclass(frozen=True)
class Scheme:
    """`va` has the VPNs `vpn`, the root's first, and the offset 0x678; its sign bit is set. An
    entry has `size` bytes."""

    name: str
    satp: int
    asid: int
    va: int
    vpn: tuple[int, ...]
    tables: tuple[int, ...]  # the root's first
    page: int
    size: int
    features: Features

    @property
    def wide(self) -> bool:
        return self.size == 8

    @property
    def root_level(self) -> int:
        return 4 - len(self.vpn)

    def slots(self) -> list[int]:
        return [base + self.size * n for base, n in zip(self.tables, self.vpn, strict=False)]

    def memory(self, entries: dict[int, int]) -> Memory:
        return Memory({slot & -8: entry << 8 * (slot & 4) for slot, entry in entries.items()})

    def path(self, leaf: int, level: int = 3, *, table: int = V) -> Memory:
        """Tables down to `level`, where `leaf` is; `table`: flags of the entry above it."""
        slots = self.slots()[: level - self.root_level + 1]
        above = [ppn(t) | V for t in self.tables[1 : len(slots)]]
        if above:
            above[-1] = above[-1] & ~V | table
        return self.memory(dict(zip(slots, [*above, leaf], strict=True)))


# Page numbers have 22 and 44 bits: tables lie above 2^32 and above 2^52.
ROOT = 0xA0_0000_1000_0000
TABLES = (ROOT, 0x80_1234_5678_9000, 0x00_0000_0000_2000, 0xFF_FFFF_FFFF_F000)
SV32 = Scheme(
    "Sv32", 1 << 31 | 0x15A << 22 | 0x3_0000_1000 >> 12, 0x15A, 0xFFFF_FFFF_C040_5678,
    (0x301, 0x005), (0x3_0000_1000, 0x3_FFFF_F000), 0x2_8765_4000, 4, Features(sv32=True),
)  # fmt: skip
SV39 = Scheme(
    "Sv39", 8 << 60 | 0xBEEF << 44 | ROOT >> 12, 0xBEEF, 0xFFFF_FFE0_C0A0_5678,
    (0x183, 0x005, 0x005), TABLES, 0xAB_CDEF_0123_4000, 8, RV64,
)  # fmt: skip
SV48 = Scheme(
    "Sv48", 9 << 60 | 0xBEEF << 44 | ROOT >> 12, 0xBEEF, 0xFFFF_C860_C0A0_5678,
    (0x190, 0x183, 0x005, 0x005), TABLES, 0xAB_CDEF_0123_4000, 8, RV64,
)  # fmt: skip


def schemes(*chosen: Scheme):
    return pytest.mark.parametrize("scheme", chosen, ids=lambda s: s.name)


every_scheme, every_wide = schemes(SV32, SV39, SV48), schemes(SV39, SV48)
EVERY_LEVEL = [(s, n) for s in (SV32, SV39, SV48) for n in range(s.root_level, 4)]
every_level = pytest.mark.parametrize(
    "scheme, level", EVERY_LEVEL, ids=[f"{s.name}-level{n}" for s, n in EVERY_LEVEL]
)


def ppn(address: int) -> int:
    return address >> 12 << 10


def run(scheme, memory, kind=Kind.READ, el=0, *, va=None, features=None, satp=None, **access):
    registers = Registers(0, sctlr=0, satp=scheme.satp if satp is None else satp)
    access = Access(scheme.va if va is None else va, kind, el, **access)
    return translate(registers, features or scheme.features, memory, access)


def fault(outcome) -> tuple[FaultKind, int] | None:
    return (outcome.kind, outcome.level) if isinstance(outcome, Fault) else None


def page_fault(level: int) -> tuple[FaultKind, int]:
    return (FaultKind.TRANSLATION, level)


READS = {
    "Sv32": (0x3_0000_1C04, 0x3_FFFF_F014),
    "Sv39": (0xA0_0000_1000_0C18, 0x80_1234_5678_9028, 0x2028),
    "Sv48": (0xA0_0000_1000_0C80, 0x80_1234_5678_9C18, 0x2028, 0xFF_FFFF_FFFF_F028),
}


@every_scheme
def test_page(scheme):
    """Bits for software, and G of a page, change nothing else."""
    for flags in (0, 0b11 << 8, G):
        got = run(scheme, scheme.path(ppn(scheme.page) | ALL | flags), Kind.WRITE)
        assert (got.pa, got.level, got.span) == (scheme.page | 0x678, 3, 12)
        assert got.reads == READS[scheme.name]
        assert (got.asid, got.ng) == (scheme.asid, flags != G)


@every_scheme
def test_lower_half(scheme):
    """The other half is in the same table; the sign bit is the topmost bit of the root's index."""
    *tables, last = scheme.tables[: len(scheme.vpn)]
    words = {t: ppn(below) | V for t, below in zip(tables, scheme.tables[1:], strict=False)}
    words[last + scheme.size * 3] = ppn(scheme.page) | ALL
    assert run(scheme, scheme.memory(words), va=0x3321).pa == scheme.page | 0x321


SUPERPAGES = {
    (SV32, 2): (22, 0x1_4040_0000, 0x1_4040_5678),
    (SV39, 1): (30, 0x80_0000_4000_0000, 0x80_0000_40A0_5678),
    (SV39, 2): (21, 0x80_0000_4020_0000, 0x80_0000_4020_5678),
    (SV48, 0): (39, 0xAA_8000_0000_0000, 0xAA_8060_C0A0_5678),
    (SV48, 1): (30, 0x80_0000_4000_0000, 0x80_0000_40A0_5678),
    (SV48, 2): (21, 0x80_0000_4020_0000, 0x80_0000_4020_5678),
}
every_superpage = pytest.mark.parametrize(
    "scheme, level", SUPERPAGES, ids=lambda p: getattr(p, "name", p)
)


@every_superpage
def test_superpage(scheme, level):
    """4 MiB of Sv32; 1 GiB, 2 MiB and, of Sv48, 512 GiB."""
    span, base, pa = SUPERPAGES[scheme, level]
    got = run(scheme, scheme.path(ppn(base) | ALL, level))
    assert (got.span, got.level, got.pa) == (span, level, pa)
    assert got.reads == READS[scheme.name][: level - scheme.root_level + 1]


@every_superpage
def test_misaligned_superpage(scheme, level):
    """Each bit of the page number inside of the superpage, the lowest and the highest; N of a
    superpage is reserved, too."""
    span, base, _ = SUPERPAGES[scheme, level]
    leaves = [ppn(base | 1 << wrong) | ALL for wrong in (12, span - 1)]
    leaves += [ppn(base | low << 12) | ALL | N for low in (0, 0b1000) if scheme.wide]
    for leaf in leaves:
        assert fault(run(scheme, scheme.path(leaf, level))) == page_fault(level), hex(leaf)


@every_level
@pytest.mark.parametrize(
    "flags", [0, ALL & ~V, V | W | A | D, V | W | A | D | U, V | W | X | U | A | D]
)
def test_invalid_and_reserved_rights(scheme, level, flags):
    """V = 0, and W without R."""
    for el in (0, 1):
        assert fault(run(scheme, scheme.path(flags, level), el=el)) == page_fault(level)


@every_level
def test_bits_that_are_reserved_in_every_entry(scheme, level):
    """Bits 60:54, and without Svpbmt 62:61, of a leaf and of a table. An entry of Sv32 has none."""
    for bit in range(54, 63) if scheme.wide else ():
        leaf = scheme.path(ALL | 1 << bit, level)
        assert fault(run(scheme, leaf)) == page_fault(level), bit
        if level < 3:
            table = scheme.path(ppn(scheme.page) | ALL, level + 1, table=V | 1 << bit)
            assert fault(run(scheme, table)) == page_fault(level), bit


@every_level
def test_bits_that_are_reserved_in_a_table(scheme, level):
    """And a table at the last level, whatever its bits."""
    for bit in (U, A, D, *[N] * scheme.wide):
        if level == 3:
            memory = scheme.path(ppn(scheme.page) | V | bit)
        else:
            memory = scheme.path(ALL, level + 1, table=V | bit)
        assert fault(run(scheme, memory)) == page_fault(level), hex(bit)
    if level == 3:
        assert fault(run(scheme, scheme.path(ppn(scheme.page) | V))) == page_fault(3)
    else:
        memory = scheme.path(ALL, level + 1, table=V | G | 0b11 << 8)
        assert not fault(run(scheme, memory)), "G and RSW of a table may be set"


@every_wide
def test_napot_group(scheme):
    """PPN[3:0] = 1000: 64 KiB, of which VA[15:12] = 5 is this page. It needs no group in a TLB."""
    leaf = ppn(0xAB_CDEF_0123_8000) | ALL | N
    for groups in (False, True):
        features = Features(pamax=56, rv64=True, use_contiguous=groups)
        got = run(scheme, scheme.path(leaf), features=features)
        assert (got.pa, got.level, got.span) == (0xAB_CDEF_0123_0000 | 0x5678, 3, 16)


@every_wide
@pytest.mark.parametrize("low", [n for n in range(16) if n != 0b1000])
def test_napot_of_another_size_is_reserved(scheme, low):
    leaf = ppn(0xAB_CDEF_0123_0000 | low << 12) | ALL | N
    assert fault(run(scheme, scheme.path(leaf))) == page_fault(3)


CANONICAL = {
    SV39: [(0x0000_003F_FFFF_FFFF, True), (0x0000_0040_0000_0000, False),
           (0xFFFF_FFC0_0000_0000, True), (0xFFFF_FFBF_FFFF_FFFF, False),
           (0x7FFF_FFE0_C0A0_5678, False), (0xFF7F_FFE0_C0A0_5678, False),
           (0x8000_0000_0000_0000, False), (0x0000_8000_0000_0000, False)],
    SV48: [(0x0000_7FFF_FFFF_FFFF, True), (0x0000_8000_0000_0000, False),
           (0xFFFF_8000_0000_0000, True), (0xFFFF_7FFF_FFFF_FFFF, False),
           (0x7FFF_C860_C0A0_5678, False), (0x0001_0000_0000_0000, False)],
}  # fmt: skip


@every_wide
def test_bits_above_the_address_are_copies_of_its_sign(scheme):
    """An address that is not one reads nothing."""
    for va, good in CANONICAL[scheme]:
        got = run(scheme, Memory({}), va=va)
        assert fault(got) == page_fault(scheme.root_level if good else 0), hex(va)
        assert len(got.reads) == int(good)


@every_level
def test_no_hardware_update(scheme, level):
    """Svade: A = 0 faults for every access, D = 0 for those that write."""
    flags = V | R | W | X | U
    for kind in (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC):
        got = run(scheme, scheme.path(flags | D, level), kind)
        assert fault(got) == (FaultKind.ACCESS_FLAG, level)
    for kind in (Kind.WRITE, Kind.ATOMIC):
        got = run(scheme, scheme.path(flags | A, level), kind)
        assert fault(got) == (FaultKind.PERMISSION, level)
        assert got.wnr and not got.dirty
    memory = scheme.path(flags | A, level)
    words = dict(memory.words)
    assert not fault(run(scheme, memory))
    registers = Registers(3 << 39, sctlr=1, satp=scheme.satp)  # TCR.HA, HD
    translate(registers, scheme.features, memory, Access(scheme.va, Kind.WRITE))
    assert memory.words == words


@every_scheme
@pytest.mark.parametrize("el, no_sum, mxr", [*product((0, 1), (False, True), (False, True))])
@pytest.mark.parametrize("flags", [f for f in range(0, 32, 2) if f & (R | X) and f & 6 != W])
def test_permissions(scheme, flags, el, no_sum, mxr):
    """U-mode needs U. S-mode reads and writes user pages with SUM only and never executes them.
    MXR makes executable pages readable. Of an atomic the fault says which half may not."""
    user = bool(flags & U)
    data = user if el == 0 else not user or not no_sum
    want = {
        Kind.READ: data and bool(flags & R or mxr and flags & X),
        Kind.WRITE: data and bool(flags & W),
        Kind.EXECUTE: user == (el == 0) and bool(flags & X),
    }
    want[Kind.ATOMIC] = want[Kind.READ] and want[Kind.WRITE]
    leaves = [ppn(scheme.page)] + [ppn(scheme.page & ~0xFFFF | 0x8000) | N] * scheme.wide
    for leaf, (kind, allowed) in product(leaves, want.items()):
        got = run(scheme, scheme.path(leaf | V | A | D | flags), kind, el, pan=no_sum, mxr=mxr)
        assert fault(got) == (None if allowed else (FaultKind.PERMISSION, 3)), kind
        if kind is Kind.ATOMIC and not allowed:
            assert got.wnr == want[Kind.READ]


@every_scheme
def test_order_of_faults(scheme):
    """Reserved, then A, then permission."""
    rows = [(W, FaultKind.TRANSLATION), (R, FaultKind.ACCESS_FLAG), (R | A, FaultKind.PERMISSION)]
    rows += [(R | 1 << 54, FaultKind.TRANSLATION)] * scheme.wide
    for flags, want in rows:
        assert fault(run(scheme, scheme.path(ppn(scheme.page) | V | flags))) == (want, 3)


@every_level
def test_bus_error(scheme, level):
    memory = scheme.path(ALL, level)
    memory.errors.add(scheme.slots()[level - scheme.root_level] & -8)
    assert fault(run(scheme, memory)) == (FaultKind.EXTERNAL_ABORT_ON_WALK, level)


@every_scheme
def test_other_modes_are_bare(scheme):
    """Here SCTLR.M = 0, and the address does not fit. So is a mode that is not built."""
    memory = scheme.path(ppn(scheme.page) | ALL)
    bare = [scheme.satp & ~(1 << 31)]
    if scheme.wide:
        bare = [scheme.satp & ~(0xF << 60) | mode << 60 for mode in {*range(16)} - {8, 9}]
    unbuilt = [Features(pamax=48)] + [Features(rv64=True, va_bits=39)] * (scheme is SV48)
    outcomes = [run(scheme, memory, satp=satp) for satp in bare]
    outcomes += [run(scheme, memory, features=features) for features in unbuilt]
    assert {fault(got) for got in outcomes} == {(FaultKind.ADDRESS_SIZE, 0)}
