"""The golden model of physical memory protection against the text of the specification (RISC-V
privileged ISA 1.12, 3.7)."""

import random

import pytest

from model.bits import mask
from model.pmp import ADDRESS, CONFIG, EXECUTE, LOCKED, NA4, NAPOT, OFF, OPEN, READ, TOR, Pmp


def with_entries(*entries: tuple[int, int]) -> Pmp:
    return Pmp.of(entries)


@pytest.mark.parametrize(
    ("kind", "address", "region"),
    [
        (OFF, 0x1234, range(0)),
        (NA4, 0x1234, range(0x48D0, 0x48D4)),
        (NAPOT, 0b0111_0000, range(0x1C0, 0x1C8)),  # yyyy...yyy0: 8 bytes
        (NAPOT, 0b0111_0001, range(0x1C0, 0x1D0)),  # yyyy...yy01: 16 bytes
        (NAPOT, 0b0111_0011, range(0x1C0, 0x1E0)),  # yyyy...y011: 32 bytes
        (NAPOT, mask(31), range(1 << 34)),  # 0111...1111: 2^(XLEN + 2) bytes
        (NAPOT, mask(32), range(1 << 64)),  # 1111...1111: 2^(XLEN + 3), here all
        (TOR, 0x1000, range(0x4000)),
    ],
)
def test_table_of_napot_ranges(kind, address, region):
    """Table 3.11."""
    assert with_entries((kind | OPEN, address)).region(0) == region


def test_tor_begins_at_the_entry_before_whatever_that_is():
    pmp = with_entries((OFF, 0x100), (TOR | READ, 0x200), (TOR | OPEN, 0x180))
    assert pmp.region(1) == range(0x400, 0x800)
    assert not pmp.region(2), "pmpaddr[i-1] >= pmpaddr[i] matches nothing"
    assert pmp.rights(0x700, 4) == READ and pmp.rights(0x3FC, 4) == 0


def test_the_lowest_entry_decides():
    pmp = with_entries((NA4 | READ, 0x40), (NAPOT | OPEN, 0x7F))
    assert pmp.rights(0x100, 4) == READ
    assert pmp.rights(0x104, 4) == OPEN


def test_an_access_that_matches_in_part_fails_irrespective_of_rights():
    """The text's own example: [0xC--0xF] matches an 8-byte access to 0x8 in part."""
    pmp = with_entries((NA4 | OPEN, 3), (NAPOT | OPEN, mask(32)))
    assert pmp.rights(8, 8) == 0 and pmp.rights(8, 8, machine=True) == 0
    assert pmp.rights(8, 4) == OPEN and pmp.rights(12, 4) == OPEN


def test_no_match():
    pmp = with_entries((NA4 | OPEN, 0x40))
    assert pmp.rights(0x200, 4) == 0, "S- and U-mode fail if an entry is implemented"
    assert pmp.rights(0x200, 4, machine=True) == OPEN
    assert Pmp(0).rights(0x200, 4) == OPEN


def test_m_mode_is_bound_by_locked_entries_alone():
    pmp = with_entries((NA4 | READ, 0x40), (NA4 | READ | LOCKED, 0x41))
    assert pmp.rights(0x100, 4, machine=True) == OPEN
    assert pmp.rights(0x104, 4, machine=True) == READ
    assert pmp.binds_machine()
    assert not with_entries((OFF | LOCKED, 0x40)).binds_machine()


def test_locked_entries_keep_their_values():
    pmp = with_entries((OFF, 0x100), (TOR | LOCKED | READ, 0x200), (NAPOT | READ, 0x300))
    for csr in (ADDRESS, ADDRESS + 1, ADDRESS + 2, CONFIG):
        pmp.write(csr, mask(32))
    assert pmp.entries[1].config == TOR | LOCKED | READ
    assert [e.address for e in pmp.entries[:3]] == [0x100, 0x200, mask(32)]
    assert pmp.entries[0].config == 0x9F, "a locked TOR entry locks the address below, no more"
    assert pmp.entries[2].config == 0x9F


def test_warl():
    pmp = Pmp(8)
    pmp.write(CONFIG, 0x7F_62_06_02)
    assert pmp.read(CONFIG) == 0x1F_00_04_00, "W without R is reserved; bits 6:5 are zero"
    pmp.write(CONFIG + 2, mask(32))
    pmp.write(ADDRESS + 8, mask(32))
    assert pmp.read(CONFIG + 2) == pmp.read(ADDRESS + 8) == 0, "entries that do not exist"


def test_each_byte_of_a_piece_by_itself():
    """What a piece may is never more than what each of its words may."""
    rng = random.Random(1)
    for _ in range(300):
        pmp = with_entries(
            *(
                (rng.choice((OFF, TOR, NA4, NAPOT)) | rng.choice((0, READ, OPEN, EXECUTE)),
                 rng.randrange(64))
                for _ in range(4)
            )
        )  # fmt: skip
        size = rng.choice((4, 8, 16, 64))
        first = rng.randrange(256) & -size
        whole = pmp.rights(first, size)
        for word in range(first, first + size, 4):
            assert whole & ~pmp.rights(word, 4) == 0
