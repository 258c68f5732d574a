"""Sv32, Sv39, Sv48 and Svnapot by the rules of the RISC-V privileged architecture (10.3.2, 10.4,
10.5, and "Svnapot"). Sv39 and Sv48 are Spike's, in vectors (test_vectors.py): rights, reserved
bits, superpages, groups, and addresses that are none. Here is what those do not have: Sv32, worked
out by hand; syndromes; modes and features that are not there."""

import pytest

from model import Access, Fault, FaultKind, Features, Kind, Memory, Registers, translate
from model.riscv import SCHEMES

V, R, W, X, U, G, A, D = (1 << n for n in range(8))
N = 1 << 63
ALL = V | R | W | X | U | A | D
SV32, RV64 = Features(sv32=True), Features(pamax=56, rv64=True)
# An address with the VPNs 0x301 and 5 and the offset 0x678; its sign bit is set. Page numbers have
# 22 bits: tables and pages lie above 2^32.
VA, ROOT, TABLE, PAGE = 0xFFFF_FFFF_C040_5678, 0x3_0000_1000, 0x3_FFFF_F000, 0x2_8765_4000
SATP = 1 << 31 | 0x15A << 22 | ROOT >> 12
READS = (0x3_0000_1C04, 0x3_FFFF_F014)


def ppn(address: int) -> int:
    return address >> 12 << 10


def memory(leaf: int, level: int = 3, *, table: int = ppn(TABLE) | V) -> Memory:
    entries = [leaf] if level == 2 else [table, leaf]
    words = zip(READS, entries, strict=False)
    return Memory({slot & -8: entry << 8 * (slot & 4) for slot, entry in words})


def run(held, kind=Kind.READ, el=0, *, va=VA, satp=SATP, features=SV32):
    return translate(Registers(0, sctlr=0, satp=satp), features, held, Access(va, kind, el))


def fault(outcome) -> tuple[FaultKind, int] | None:
    return (outcome.kind, outcome.level) if isinstance(outcome, Fault) else None


def test_page():
    """Bits for software, and G of a page, change nothing else."""
    for flags in (0, 0b11 << 8, G):
        got = run(memory(ppn(PAGE) | ALL | flags), Kind.WRITE)
        assert (got.pa, got.level, got.span, got.reads) == (PAGE | 0x678, 3, 12, READS)
        assert (got.asid, got.ng) == (0x15A, flags != G)


def test_lower_half():
    """The other half is in the same table; the sign bit is the topmost bit of the root's index."""
    words = {ROOT: ppn(TABLE) | V, TABLE + 8: (ppn(PAGE) | ALL) << 32}
    assert run(Memory(words), va=0x3321).pa == PAGE | 0x321


def test_superpage():
    """4 MiB. Each bit of the page number inside of it must be zero."""
    got = run(memory(ppn(0x1_4040_0000) | ALL, 2))
    assert (got.span, got.level, got.pa, got.reads) == (22, 2, 0x1_4040_5678, READS[:1])
    for wrong in (12, 21):
        got = run(memory(ppn(0x1_4040_0000 | 1 << wrong) | ALL, 2))
        assert fault(got) == (FaultKind.TRANSLATION, 2)


RESERVED = [0, ALL & ~V, V | W | A | D, V | W | A | D | U, V | W | X | U | A | D]


@pytest.mark.parametrize("entry", [*RESERVED, *(V | bit for bit in (U, A, D))])
def test_reserved(entry):
    """V = 0; W without R; bits of a leaf in a table; and a table at the last level."""
    assert fault(run(memory(ALL, table=ppn(TABLE) | entry))) == (FaultKind.TRANSLATION, 2)
    assert fault(run(memory(ppn(PAGE) | entry))) == (FaultKind.TRANSLATION, 3)
    assert fault(run(memory(ppn(PAGE) | V))) == (FaultKind.TRANSLATION, 3)
    assert not fault(run(memory(ppn(PAGE) | ALL, table=ppn(TABLE) | V | G | 0b11 << 8)))


@pytest.mark.parametrize("level", [2, 3])
def test_no_hardware_update(level):
    """Svade: A = 0 faults for every access, D = 0 for those that write, whatever TCR.HA and HD say.
    Reserved comes before A, and A before permission."""
    for kind in (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC):
        assert fault(run(memory(V | R | D, level), kind)) == (FaultKind.ACCESS_FLAG, level)
    held = memory(ALL & ~D, level)
    before = dict(held.words)
    for kind in (Kind.WRITE, Kind.ATOMIC):
        got = translate(Registers(3 << 39, sctlr=1, satp=SATP), SV32, held, Access(VA, kind))
        assert fault(got) == (FaultKind.PERMISSION, level) and got.wnr and not got.dirty
    assert held.words == before


def test_an_atomic_says_which_half_may_not():
    for rights, wnr in ((X, False), (R, True)):
        got = run(memory(V | U | A | D | rights), Kind.ATOMIC)
        assert fault(got) == (FaultKind.PERMISSION, 3) and got.wnr == wnr


def test_what_may_be_done_with_user_pages():
    """MXR, SUM and U are asked of Sv39 and Sv48; here that Sv32 has its bits where they have."""
    for el, user in ((0, False), (1, True)):
        leaf = memory(ppn(PAGE) | V | A | D | R | X | U * user)
        assert fault(run(leaf, Kind.EXECUTE, el)) == (FaultKind.PERMISSION, 3)
        assert bool(fault(run(leaf, Kind.READ, el))) == (not user)


def test_bus_error():
    for level, slot in ((2, READS[0]), (3, READS[1])):
        held = memory(ALL)
        held.errors.add(slot & -8)
        assert fault(run(held)) == (FaultKind.EXTERNAL_ABORT_ON_WALK, level)


def test_a_group_needs_none_in_a_tlb():
    """PPN[3:0] = 1000: 64 KiB, of which VA[15:12] = 5 is this page."""
    words = {0x1000: ppn(0x2000) | V, 0x2000: ppn(0x3000) | V}
    words[0x3000 + 8 * 5] = ppn(0xAB_CDEF_0123_8000) | ALL | N
    for groups in (False, True):
        features = Features(pamax=56, rv64=True, use_contiguous=groups)
        got = run(Memory(words), va=0x5678, satp=8 << 60 | 1, features=features)
        assert (got.pa, got.level, got.span) == (0xAB_CDEF_0123_5678, 3, 16)


@pytest.mark.parametrize("name", SCHEMES)
def test_other_modes_are_bare(name):
    """SCTLR.M = 0, and the address does not fit. So is a mode that is not built."""
    chosen, features = SCHEMES[name].satp(0, ROOT), SV32 if name == "sv32" else RV64
    bare = [(chosen & ~(1 << 31), features)]
    if name != "sv32":
        clear = chosen & ~(0xF << 60)
        bare = [(clear | mode << 60, features) for mode in {*range(16)} - {8, 9}]
    bare.append((chosen, Features(pamax=48)))
    bare += [(chosen, Features(rv64=True, va_bits=39))] * (name == "sv48")
    outcomes = [run(Memory({}), satp=satp, features=there) for satp, there in bare]
    assert {fault(got) for got in outcomes} == {(FaultKind.ADDRESS_SIZE, 0)}
    assert fault(run(Memory({}), va=0, satp=chosen, features=features))[0] is FaultKind.TRANSLATION
