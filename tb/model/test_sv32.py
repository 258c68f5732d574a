"""Sv32 by the rules of the RISC-V privileged architecture (10.3.2, and 3.1.6 for MXR and SUM)."""

from itertools import product

import pytest

from model import Access, Fault, FaultKind, Features, Kind, Memory, Registers, translate

V, R, W, X, U, G, A, D = (1 << n for n in range(8))
ROOT, TABLE = 0x3_0000_1000, 0x3_FFFF_F000  # above 2^32: a PPN has 22 bits
VA = 0xFFFF_FFFF_C040_5678  # sign-extended; VPN[1] = 0x301, VPN[0] = 5
ROOT_SLOT, LEAF_SLOT = ROOT + 4 * 0x301, TABLE + 4 * 5
PAGE = 0x2_8765_4000
SATP = 1 << 31 | 0x15A << 22 | ROOT >> 12


def ppn(address: int) -> int:
    return address >> 12 << 10


def word(slot: int, value: int) -> dict[int, int]:
    return {slot & ~7: value << 8 * (slot & 4)}


def page(flags: int, table: int = V) -> Memory:
    return Memory(word(ROOT_SLOT, ppn(TABLE) | table) | word(LEAF_SLOT, ppn(PAGE) | flags))


def superpage(flags: int, address: int = 0x1_4040_0000) -> Memory:
    return Memory(word(ROOT_SLOT, ppn(address) | flags))


def run(memory: Memory, kind=Kind.READ, el=0, *, satp=SATP, **access):
    return translate(Registers(0, sctlr=0, satp=satp), Features(sv32=True), memory,
                     Access(VA, kind, el, **access))  # fmt: skip


def test_page():
    got = run(page(V | R | W | X | U | A | D), Kind.WRITE)
    assert (got.pa, got.level, got.span) == (PAGE | 0x678, 3, 12)
    assert got.reads == (ROOT_SLOT, LEAF_SLOT)
    assert (got.asid, got.ng) == (0x15A, True)


def test_global_page():
    assert not run(page(V | R | U | A | G)).ng


def test_superpage():
    got = run(superpage(V | R | U | A))
    assert (got.pa, got.level, got.span) == (0x1_4040_0000 | 0x5678, 2, 22)
    assert got.reads == (ROOT_SLOT,)


def test_bare_mode_leaves_it_to_the_other_registers():
    """Here SCTLR.M = 0, and the address does not fit."""
    assert fault(run(page(V | R | U | A), satp=SATP & ~(1 << 31))) == (FaultKind.ADDRESS_SIZE, 0)


def fault(outcome) -> tuple[FaultKind, int] | None:
    return (outcome.kind, outcome.level) if isinstance(outcome, Fault) else None


@pytest.mark.parametrize("flags", [0, R | W | X | U | A | D, V | W | A | D, V | W | X | U | A | D])
@pytest.mark.parametrize("el", [0, 1])
def test_invalid_and_reserved(flags, el):
    """V = 0, and W without R, at both levels."""
    assert fault(run(page(flags), el=el)) == (FaultKind.TRANSLATION, 3)
    assert fault(run(superpage(flags), el=el)) == (FaultKind.TRANSLATION, 2)


def test_table_at_the_last_level():
    assert fault(run(page(V | A | U))) == (FaultKind.TRANSLATION, 3)


@pytest.mark.parametrize("bit", [U, A, D])
def test_reserved_bits_of_a_table(bit):
    """U, A and D of a table are reserved and must be zero."""
    assert fault(run(page(V | R | U | A, table=V | bit))) == (FaultKind.TRANSLATION, 2)
    assert not fault(run(page(V | R | U | A, table=V | G)))


@pytest.mark.parametrize("wrong", [1 << 12, 1 << 21])
def test_misaligned_superpage(wrong):
    memory = superpage(V | R | W | X | U | A | D, 0x1_4000_0000 | wrong)
    assert fault(run(memory)) == (FaultKind.TRANSLATION, 2)


@pytest.mark.parametrize("leaf, level", [(page, 3), (superpage, 2)])
def test_no_hardware_update(leaf, level):
    """Svade: A = 0 faults for every access, D = 0 for those that write."""
    assert fault(run(leaf(V | R | W | U | D))) == (FaultKind.ACCESS_FLAG, level)
    clean = leaf(V | R | W | U | A)
    assert fault(run(clean)) is None
    for kind in (Kind.WRITE, Kind.ATOMIC):
        assert fault(run(clean, kind)) == (FaultKind.PERMISSION, level)
    words = dict(clean.words)
    registers = Registers(3 << 39, sctlr=1, satp=SATP)  # TCR.HA, HD
    translate(registers, Features(hafdbs=2, sv32=True), clean, Access(VA, Kind.WRITE))
    assert clean.words == words


MODES = [(el, pan, mxr) for el, pan, mxr in product((0, 1), (False, True), (False, True))]


@pytest.mark.parametrize("el, no_sum, mxr", MODES)
@pytest.mark.parametrize("flags", [f for f in range(0, 32, 2) if f & (R | X) and f & 6 != W])
def test_permissions(flags, el, no_sum, mxr):
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
    for kind, allowed in want.items():
        got = run(page(V | A | D | flags), kind, el, pan=no_sum, mxr=mxr)
        assert fault(got) == (None if allowed else (FaultKind.PERMISSION, 3)), kind


def test_fault_of_an_atomic_says_which_half():
    read_only, unreadable = page(V | R | U | A | D), page(V | X | U | A | D)
    assert run(read_only, Kind.ATOMIC).wnr
    assert not run(unreadable, Kind.ATOMIC).wnr


def test_bus_error():
    memory = page(V | R | U | A)
    memory.errors.add(LEAF_SLOT & ~7)
    assert fault(run(memory)) == (FaultKind.EXTERNAL_ABORT_ON_WALK, 3)


def test_order_of_faults():
    """Reserved, then A, then permission."""
    assert fault(run(page(V | W))) == (FaultKind.TRANSLATION, 3)
    assert fault(run(page(V | R))) == (FaultKind.ACCESS_FLAG, 3)
    assert fault(run(page(V | R | A))) == (FaultKind.PERMISSION, 3)
