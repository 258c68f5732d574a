"""Sv39, Sv48 and Svnapot by the rules of the RISC-V privileged architecture (10.3.2, 10.4, 10.5,
and "Svnapot"); 3.1.6 for MXR and SUM. The examples are worked out by hand: every table index, entry
and address below is written down, not computed by the model."""

from dataclasses import dataclass
from itertools import product

import pytest

from model import Access, Fault, FaultKind, Features, Kind, Memory, Registers, translate

V, R, W, X, U, G, A, D = (1 << n for n in range(8))
N = 1 << 63
FEATURES = Features(pamax=56, rv64=True)
ROOT = 0xA0_0000_1000_0000  # above 2^52: a PPN has 44 bits
TABLES = (0x80_1234_5678_9000, 0x00_0000_0000_2000, 0xFF_FFFF_FFFF_F000)
PAGE = 0xAB_CDEF_0123_4000
ASID = 0xBEEF


@dataclass(frozen=True)
class Scheme:
    """`va` has the VPNs `vpn`, the root's first, and the offset 0x678; its sign bit is set."""

    name: str
    mode: int
    va: int
    vpn: tuple[int, ...]

    @property
    def satp(self) -> int:
        return self.mode << 60 | ASID << 44 | ROOT >> 12

    @property
    def root_level(self) -> int:
        return 4 - len(self.vpn)

    def slots(self) -> list[int]:
        return [base + 8 * n for base, n in zip((ROOT, *TABLES), self.vpn, strict=False)]


SV39 = Scheme("Sv39", 8, 0xFFFF_FFE0_C0A0_5678, (0x183, 0x005, 0x005))
SV48 = Scheme("Sv48", 9, 0xFFFF_C860_C0A0_5678, (0x190, 0x183, 0x005, 0x005))
SCHEMES = (SV39, SV48)
every_scheme = pytest.mark.parametrize("scheme", SCHEMES, ids=lambda s: s.name)
EVERY_LEVEL = [(s, n) for s in SCHEMES for n in range(s.root_level, 4)]
NAMES = [f"{s.name}-level{n}" for s, n in EVERY_LEVEL]
every_level = pytest.mark.parametrize("scheme, level", EVERY_LEVEL, ids=NAMES)


def ppn(address: int) -> int:
    return address >> 12 << 10


def path(scheme: Scheme, leaf: int, level: int = 3, *, table: int = V) -> Memory:
    """Tables down to `level`, where `leaf` is; `table`: flags of the entry above it."""
    slots = scheme.slots()[: level - scheme.root_level + 1]
    above = [ppn(t) | V for t in TABLES[: len(slots) - 1]]
    if above:
        above[-1] = above[-1] & ~V | table
    return Memory(dict(zip(slots, [*above, leaf], strict=True)))


def run(scheme, memory, kind=Kind.READ, el=0, *, va=None, features=FEATURES, satp=None, **access):
    registers = Registers(0, sctlr=0, satp=scheme.satp if satp is None else satp)
    access = Access(scheme.va if va is None else va, kind, el, **access)
    return translate(registers, features, memory, access)


def fault(outcome) -> tuple[FaultKind, int] | None:
    return (outcome.kind, outcome.level) if isinstance(outcome, Fault) else None


def page_fault(level: int) -> tuple[FaultKind, int]:
    return (FaultKind.TRANSLATION, level)


ALL = V | R | W | X | U | A | D


@every_scheme
def test_page(scheme):
    got = run(scheme, path(scheme, ppn(PAGE) | ALL), Kind.WRITE)
    assert (got.pa, got.level, got.span) == (0xAB_CDEF_0123_4678, 3, 12)
    assert got.reads == tuple(scheme.slots())
    assert (got.asid, got.ng) == (ASID, True)


def test_reads_of_sv39():
    got = run(SV39, path(SV39, ppn(PAGE) | ALL))
    assert got.reads == (0xA0_0000_1000_0C18, 0x80_1234_5678_9028, 0x2028)


def test_reads_of_sv48():
    got = run(SV48, path(SV48, ppn(PAGE) | ALL))
    assert got.reads == (0xA0_0000_1000_0C80, 0x80_1234_5678_9C18, 0x2028, 0xFF_FFFF_FFFF_F028)


@every_scheme
def test_lower_half(scheme):
    """The other half is in the same table; the sign bit is the topmost bit of the root's index."""
    *tables, last = (ROOT, *TABLES)[: len(scheme.vpn)]
    words = {table: ppn(below) | V for table, below in zip(tables, TABLES, strict=False)}
    words[last + 8 * 3] = ppn(PAGE) | ALL
    assert run(scheme, Memory(words), va=0x3321).pa == 0xAB_CDEF_0123_4321


@every_scheme
def test_global_page(scheme):
    assert not run(scheme, path(scheme, ppn(PAGE) | ALL | G)).ng


SUPERPAGES = {
    (SV39, 1): (30, 0x80_0000_4000_0000, 0x80_0000_40A0_5678),
    (SV39, 2): (21, 0x80_0000_4020_0000, 0x80_0000_4020_5678),
    (SV48, 0): (39, 0xAA_8000_0000_0000, 0xAA_8060_C0A0_5678),
    (SV48, 1): (30, 0x80_0000_4000_0000, 0x80_0000_40A0_5678),
    (SV48, 2): (21, 0x80_0000_4020_0000, 0x80_0000_4020_5678),
}


@pytest.mark.parametrize("scheme, level", SUPERPAGES, ids=lambda p: getattr(p, "name", p))
def test_superpage(scheme, level):
    """1 GiB, 2 MiB and, of Sv48, 512 GiB."""
    span, base, pa = SUPERPAGES[scheme, level]
    got = run(scheme, path(scheme, ppn(base) | ALL, level))
    assert (got.span, got.level, got.pa) == (span, level, pa)
    assert len(got.reads) == level - scheme.root_level + 1


@pytest.mark.parametrize("scheme, level", SUPERPAGES, ids=lambda p: getattr(p, "name", p))
def test_misaligned_superpage(scheme, level):
    """Each bit of the page number inside of the superpage, the lowest and the highest."""
    span, base, _ = SUPERPAGES[scheme, level]
    for wrong in (12, span - 1):
        memory = path(scheme, ppn(base | 1 << wrong) | ALL, level)
        assert fault(run(scheme, memory)) == page_fault(level)


@every_level
@pytest.mark.parametrize("flags", [0, ALL & ~V, V | W | A | D | U, V | W | X | U | A | D])
def test_invalid_and_reserved_rights(scheme, level, flags):
    """V = 0, and W without R."""
    assert fault(run(scheme, path(scheme, flags, level))) == page_fault(level)


@every_level
@pytest.mark.parametrize("bit", range(54, 63))
def test_bits_that_are_reserved_in_every_entry(scheme, level, bit):
    """Bits 60:54, and without Svpbmt 62:61, of a leaf and of a table."""
    leaf = path(scheme, ALL | 1 << bit, level)
    assert fault(run(scheme, leaf)) == page_fault(level)
    if level < 3:
        table = path(scheme, ppn(PAGE) | ALL, level + 1, table=V | 1 << bit)
        assert fault(run(scheme, table)) == page_fault(level)


@every_level
@pytest.mark.parametrize("bit", [U, A, D, N], ids=["U", "A", "D", "N"])
def test_bits_that_are_reserved_in_a_table(scheme, level, bit):
    if level == 3:
        assert fault(run(scheme, path(scheme, ppn(PAGE) | V | bit))) == page_fault(3)
        return
    base = 0  # aligned at every level
    memory = path(scheme, ppn(base) | ALL, level + 1, table=V | bit)
    assert fault(run(scheme, memory)) == page_fault(level)
    memory = path(scheme, ppn(base) | ALL, level + 1, table=V | G | 0b11 << 8)
    assert not fault(run(scheme, memory)), "G and RSW of a table may be set"


@every_scheme
def test_table_at_the_last_level(scheme):
    assert fault(run(scheme, path(scheme, ppn(PAGE) | V))) == page_fault(3)


@every_scheme
def test_software_bits_do_not_matter(scheme):
    got = run(scheme, path(scheme, ppn(PAGE) | ALL | 0b11 << 8))
    assert got.pa == 0xAB_CDEF_0123_4678


@every_scheme
def test_napot_group(scheme):
    """PPN[3:0] = 1000: 64 KiB, of which VA[15:12] = 5 is this page. It needs no group in a TLB."""
    leaf = ppn(0xAB_CDEF_0123_8000) | ALL | N
    for groups in (False, True):
        features = Features(pamax=56, rv64=True, use_contiguous=groups)
        got = run(scheme, path(scheme, leaf), features=features)
        assert (got.pa, got.level, got.span) == (0xAB_CDEF_0123_0000 | 0x5678, 3, 16)


@every_scheme
@pytest.mark.parametrize("low", [n for n in range(16) if n != 0b1000])
def test_napot_of_another_size_is_reserved(scheme, low):
    leaf = ppn(0xAB_CDEF_0123_0000 | low << 12) | ALL | N
    assert fault(run(scheme, path(scheme, leaf))) == page_fault(3)


@pytest.mark.parametrize("scheme, level", SUPERPAGES, ids=lambda p: getattr(p, "name", p))
@pytest.mark.parametrize("low", [0, 0b1000])
def test_napot_superpage_is_reserved(scheme, level, low):
    leaf = ppn(SUPERPAGES[scheme, level][1] | low << 12) | ALL | N
    assert fault(run(scheme, path(scheme, leaf, level))) == page_fault(level)


CANONICAL = {
    SV39: [(0x0000_003F_FFFF_FFFF, True), (0x0000_0040_0000_0000, False),
           (0xFFFF_FFC0_0000_0000, True), (0xFFFF_FFBF_FFFF_FFFF, False),
           (0x7FFF_FFE0_C0A0_5678, False), (0xFF7F_FFE0_C0A0_5678, False),
           (0x8000_0000_0000_0000, False), (0x0000_8000_0000_0000, False)],
    SV48: [(0x0000_7FFF_FFFF_FFFF, True), (0x0000_8000_0000_0000, False),
           (0xFFFF_8000_0000_0000, True), (0xFFFF_7FFF_FFFF_FFFF, False),
           (0x7FFF_C860_C0A0_5678, False), (0x0001_0000_0000_0000, False)],
}  # fmt: skip


@every_scheme
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
        got = run(scheme, path(scheme, flags | D, level), kind)
        assert fault(got) == (FaultKind.ACCESS_FLAG, level)
    for kind in (Kind.WRITE, Kind.ATOMIC):
        got = run(scheme, path(scheme, flags | A, level), kind)
        assert fault(got) == (FaultKind.PERMISSION, level)
        assert got.wnr and not got.dirty
    memory = path(scheme, flags | A, level)
    words = dict(memory.words)
    assert not fault(run(scheme, memory))
    registers = Registers(3 << 39, sctlr=1, satp=scheme.satp)  # TCR.HA, HD
    translate(registers, FEATURES, memory, Access(scheme.va, Kind.WRITE))
    assert memory.words == words


MODES = [(el, pan, mxr) for el, pan, mxr in product((0, 1), (False, True), (False, True))]


@every_scheme
@pytest.mark.parametrize("el, no_sum, mxr", MODES)
@pytest.mark.parametrize("flags", [f for f in range(0, 32, 2) if f & (R | X) and f & 6 != W])
def test_permissions(scheme, flags, el, no_sum, mxr):
    """U-mode needs U. S-mode reads and writes user pages with SUM only and never executes them.
    MXR makes executable pages readable."""
    user = bool(flags & U)
    data = user if el == 0 else not user or not no_sum
    want = {
        Kind.READ: data and bool(flags & R or mxr and flags & X),
        Kind.WRITE: data and bool(flags & W),
        Kind.EXECUTE: user == (el == 0) and bool(flags & X),
    }
    want[Kind.ATOMIC] = want[Kind.READ] and want[Kind.WRITE]
    for leaf in (ppn(PAGE), ppn(PAGE & ~0xFFFF | 0x8000) | N):
        memory = path(scheme, leaf | V | A | D | flags)
        for kind, allowed in want.items():
            got = run(scheme, memory, kind, el, pan=no_sum, mxr=mxr)
            assert fault(got) == (None if allowed else (FaultKind.PERMISSION, 3)), kind


@every_scheme
def test_order_of_faults(scheme):
    """Reserved, then A, then permission."""
    for leaf, want in ((1 << 54, FaultKind.TRANSLATION), (0, FaultKind.ACCESS_FLAG),
                       (A, FaultKind.PERMISSION)):  # fmt: skip
        assert fault(run(scheme, path(scheme, ppn(PAGE) | V | R | leaf))) == (want, 3)


@every_level
def test_bus_error(scheme, level):
    memory = path(scheme, ALL, level)
    memory.errors.add(scheme.slots()[level - scheme.root_level])
    assert fault(run(scheme, memory)) == (FaultKind.EXTERNAL_ABORT_ON_WALK, level)


@every_scheme
def test_other_modes_are_bare(scheme):
    """Here SCTLR.M = 0, and the address does not fit. So is a mode that is not built."""
    memory = path(scheme, ppn(PAGE) | ALL)
    off = (FaultKind.ADDRESS_SIZE, 0)
    for mode in {*range(16)} - {8, 9}:
        satp = scheme.satp & ~(0xF << 60) | mode << 60
        assert fault(run(scheme, memory, satp=satp)) == off, mode
    assert fault(run(scheme, memory, features=Features(pamax=48))) == off
    if scheme is SV48:
        assert fault(run(scheme, memory, features=Features(rv64=True, va_bits=39))) == off
