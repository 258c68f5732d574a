"""Controls by the numbers of their bits in the Arm ARM, and what an implementation leaves out."""

import pytest

from model import Access, FaultKind, Features, Kind, Memory, Registers, translate
from model.walk import Fault

ROOT, PAGE = 0x1000, 0x9000_0000
TCR = 39 | 39 << 16 | 2 << 30 | 5 << 32  # 25 bits of VA in both halves, so that level 2 begins
VALID_TABLE, READ_WRITE = 3, 0x743  # AF, inner shareable, AP = 01
LEVEL3 = 0x2000
LOWER, UPPER = 0x5000, 0xFFFF_FFFF_FFFF_FFFF & ~0x1FF_FFFF | 0x5000
TABLES = Memory({ROOT: LEVEL3 | VALID_TABLE, LEVEL3 + 8 * 5: PAGE | READ_WRITE})
D128 = Features(d128=True, pamax=56, lva=True, lva3=True)


def run(va=LOWER, *, features=D128, access=None, **registers):
    regs = Registers(TCR, ttbr0=ROOT, ttbr1=ROOT, mair=0xFF, **registers)
    return translate(regs, features, TABLES, access or Access(va, Kind.READ, 0))


@pytest.mark.parametrize(
    ("bit", "lower", "upper"),
    [(16, False, False), (17, True, False), (18, False, True)],
    ids=["A2", "FNG0", "FNG1"],
)
def test_bits_of_tcr2_that_make_entries_non_global(bit, lower, upper):
    """Spec 1.8: bit 16 is A2, which says nothing about nG."""
    assert run(LOWER, tcr2=1 << bit).ng is lower
    assert run(UPPER, tcr2=1 << bit).ng is upper


def test_registers_of_128_bit_descriptors_mean_nothing_without_them():
    """TCR2 and PIR are not there: neither PIE nor FNG act."""
    got = run(features=Features(), tcr2=1 << 1 | 3 << 17, pir=0, pire0=0)
    assert (got.pa, got.ng, got.rights.w) == (PAGE, False, True)
    assert run(tcr2=1 << 1, pir=0, pire0=0).kind is FaultKind.PERMISSION


@pytest.mark.parametrize("kind", [Kind.READ, Kind.WRITE, Kind.ATOMIC])
def test_unaligned_data_access_with_the_mmu_off(kind):
    """Data is Device memory then, which knows no unaligned access (spec 1.3)."""
    got = run(sctlr=0, access=Access(0x1001, kind, 1, aligned=False))
    assert isinstance(got, Fault)
    assert got.status == 0x21
    assert run(sctlr=0, access=Access(0x1000, kind, 1)).pa == 0x1000


def test_address_size_comes_before_alignment():
    got = run(sctlr=0, access=Access(1 << 56 | 1, Kind.READ, 1, aligned=False))
    assert (got.kind, got.level) == (FaultKind.ADDRESS_SIZE, 0)


@pytest.mark.parametrize("mair", [0x00, 0xFF])
def test_mair_says_nothing_under_sv32(mair):
    """Its pages are Normal memory, so that an unaligned access needs no alignment."""
    tables = Memory({ROOT: 0x2000 >> 12 << 10 | 1, 0x2000: PAGE >> 12 << 10 | 0xDF})
    registers = Registers(0, mair=mair, sctlr=0, satp=1 << 31 | ROOT >> 12)
    got = translate(registers, Features(sv32=True), tables, Access(1, aligned=False))
    assert got.pa == PAGE | 1
