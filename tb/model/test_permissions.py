"""Permission arithmetic against the specification's table, and what table bits, PAN and indirection
do to it."""

import csv
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.descriptor import PLAIN, Leaf, Table
from model.geometry import geometry
from model.permissions import Hierarchy, direct, indirect

DATA = Path(__file__).parents[1] / "data"
G = geometry(12, 16)
PLAIN_TABLES = Hierarchy()


def leaf(uxn: int, pxn: int, ap: int, dbm: int = 0) -> Leaf:
    bits = uxn << 54 | pxn << 53 | ap << 6 | dbm << 51 | 1 << 10 | 3
    return PLAIN.leaf(bits, 3, G)


def rights(page: Leaf, el: int, tables=PLAIN_TABLES, *, pan=False, wxn=False, epan=False,
           dirty_managed=False) -> str:  # fmt: skip
    return str(direct(page, tables, el, pan=pan, wxn=wxn, epan=epan, dirty_managed=dirty_managed))


def table_rows():
    with (DATA / "permissions_direct.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", table_rows(), ids=lambda r: f"{r['uxn']}{r['pxn']}{r['ap']}")
def test_row_of_the_table(row):
    """Spec 5.3, without table bits and PAN."""
    page = leaf(int(row["uxn"]), int(row["pxn"]), int(row["ap"], 2))
    assert rights(page, 1) == row["el1"]
    assert rights(page, 0) == row["el0"]
    assert rights(page, 1, wxn=True) == row["el1_wxn"]
    assert rights(page, 0, wxn=True) == row["el0_wxn"]


LEAVES = [leaf(*bits) for bits in product((0, 1), (0, 1), range(4))]


@pytest.mark.parametrize("page", LEAVES, ids=lambda p: f"{p.uxn:d}{p.pxn:d}{p.ap:02b}")
@pytest.mark.parametrize("aptable", range(4))
def test_table_bits_only_take_away(page, aptable):
    """Spec 5.2: APTable[0] removes EL0 data access, APTable[1] removes writes. What they take from
    EL0's write, they give to EL1's execution ("EL0-writable implies not EL1-executable")."""
    tables = Hierarchy().under(Table(0, aptable=aptable))
    for el in (0, 1):
        before, after = rights(page, el), rights(page, el, tables)
        gained = {b for a, b in zip(before, after, strict=True) if a == "-" and b != "-"}
        assert gained <= ({"x"} if el == 1 else set())
        if aptable & 2:
            assert "w" not in after
    if aptable & 1:
        assert rights(page, 0, tables)[:2] == "--"


@pytest.mark.parametrize("page", LEAVES, ids=lambda p: f"{p.uxn:d}{p.pxn:d}{p.ap:02b}")
def test_execute_never_of_tables(page):
    assert rights(page, 0, Hierarchy(uxntable=True))[2] == "-"
    assert rights(page, 1, Hierarchy(pxntable=True))[2] == "-"


def test_table_bits_accumulate():
    tables = Hierarchy().under(Table(0, aptable=1)).under(Table(0, aptable=2, pxntable=True))
    assert tables == Hierarchy(3, False, True)


@pytest.mark.parametrize("page", LEAVES, ids=lambda p: f"{p.uxn:d}{p.pxn:d}{p.ap:02b}")
@pytest.mark.parametrize("epan", [False, True])
@pytest.mark.parametrize("wxn", [False, True])
def test_pan(page, epan, wxn):
    """EL1 loses data access to what EL0 may read, write or (with EPAN) execute; nothing else, and
    WXN, which takes execution from what EL0 may write, gives none of it back."""
    user = rights(page, 0)
    loses = user[:2] != "--" or (epan and user[2] == "x")
    plain, with_pan = rights(page, 1), rights(page, 1, pan=True, epan=epan, wxn=wxn)
    assert with_pan[:2] == ("--" if loses else plain[:2])


@pytest.mark.parametrize("ap", [0b10, 0b11])
def test_writable_clean_counts_as_writable(ap):
    """Spec 6.3: with HD and DBM, AP[2] = 1 is dirty state and not a permission."""
    clean, dirty = leaf(0, 0, ap, dbm=1), leaf(0, 0, ap & 1, dbm=1)
    for el, wxn in product((0, 1), (False, True)):
        assert rights(clean, el, wxn=wxn, dirty_managed=True) == rights(dirty, el, wxn=wxn)
        assert rights(clean, el, wxn=wxn) == rights(leaf(0, 0, ap), el, wxn=wxn)


NIBBLES = ["---", "r--", "--x", "r-x", "---", "rw-", "rw-", "rwx",
           "r--", "r--", "r-x", "---", "rw-", "---", "rwx", "---"]  # fmt: skip


@pytest.mark.parametrize("nibble", range(16))
@pytest.mark.parametrize("index", [0, 7, 15])
def test_indirect_nibble(nibble, index):
    """Spec 5.5; 6 is RWX with WXN built in."""
    register = nibble << (4 * index)
    assert str(indirect(index, 1, pir=register, pire0=0, pan=False)) == NIBBLES[nibble]
    assert str(indirect(index, 0, pir=0, pire0=register, pan=False)) == NIBBLES[nibble]


@given(index=st.integers(0, 15), pir=st.integers(0, 2**64 - 1), pire0=st.integers(0, 2**64 - 1))
def test_indirect_interaction(index, pir, pire0):
    """EL1 executable and EL0 writable together remove everything; PAN takes EL1's data access
    when EL0's nibble is not 0."""
    el1, el0 = (pir >> 4 * index) & 15, (pire0 >> 4 * index) & 15
    conflict = el1 in (2, 3, 6, 7, 9, 0xA, 0xE) and el0 in (5, 6, 7, 9, 0xC, 0xE)
    got = [str(indirect(index, el, pir=pir, pire0=pire0, pan=False)) for el in (0, 1)]
    assert got == (["---", "---"] if conflict else [NIBBLES[el0], NIBBLES[el1]])
    if el0:
        assert str(indirect(index, 1, pir=pir, pire0=pire0, pan=True))[:2] == "--"
