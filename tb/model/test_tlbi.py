"""Invalidation: printed operands, properties of the range encoding, the table of what must go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bits import mask
from model.linux_flush import plan
from model.tlbi import (
    Entry,
    Invalidation,
    Kind,
    covers_address,
    decode_range,
    must_go,
    range_length,
    range_operand,
    signed,
    va_operand,
)

GRANULES = st.sampled_from([12, 14, 16])
NUMS, SCALES = st.integers(0, 31), st.integers(0, 3)


def test_signed_ignores_the_top_byte():
    """B11 of the scenarios is a model that forgot to sign-extend the fence's address."""
    assert signed(0x5AFF_FFFF_FFFF_F000) == -0x1000
    assert signed(0xFF00_0000_0000_1000) == 0x1000


@pytest.mark.parametrize(
    "operand, va, asid, ttl",
    [
        (0x002A0005A5A12345, 0x5A5A12345000, 0x2A, 0),
        (0x002A7005A5A12345, 0x5A5A12345000, 0x2A, 0b0111),
        (0x002AB005A5A12344, 0x5A5A12344000, 0x2A, 0b1011),
        (0x002AF005A5A12340, 0x5A5A12340000, 0x2A, 0b1111),
    ],
)
def test_va_operand_as_printed(operand, va, asid, ttl):
    assert va_operand(va, asid, ttl) == operand


@pytest.mark.parametrize(
    "operand, ds, pages, first, last",
    [
        (0x002A4065A5A12345, False, 0x2, 0x00005A5A12345000, 0x00005A5A12346FFF),
        (0x002A5485A5A12345, False, 0x280, 0x00005A5A12345000, 0x00005A5A125C4FFF),
        (0x00007F9800045600, False, 0x200000, 0xFFFF800045600000, 0xFFFF8002455FFFFF),
        (0x00018FE2C0344D5A, False, 0x40, 0x0000B00D13568000, 0x0000B00D13667FFF),
        (0x0001E180C0DEDEAD, True, 0x2000, 0x0000C0DEDEAD0000, 0x0000C0DEFEACFFFF),
        (0x000143E987654321, True, 0x10, 0x0009876543210000, 0x000987654321FFFF),
        (0x00017F8FFFFFFFF0, False, None, 0x0000FFFFFFFF0000, 0x0000FFFFFFFFFFFF),
        (0x00017F9FFFFFFFF0, False, None, 0xFFFFFFFFFFFF0000, 0xFFFFFFFFFFFFFFFF),
    ],
)
def test_range_as_printed(operand, ds, pages, first, last):
    r = decode_range(operand, ds=ds)
    assert r.start & mask(64) == first
    assert (r.end - 1) & mask(64) == last
    if pages is not None:
        assert (r.end - r.start) >> r.granule == pages


@given(granule=GRANULES, num=NUMS, scale=SCALES, ds=st.booleans(), data=st.data())
def test_range_round_trip(granule, num, scale, ds, data):
    """Base and length come back, and the range stays in its half."""
    unit = 16 if ds or granule == 16 else granule
    va = data.draw(st.integers(0, mask(37))) << unit
    value = va - (1 << (37 + unit)) if va >> (36 + unit) & 1 else va
    r = decode_range(range_operand(va, granule, num, scale, ds=ds), ds=ds)
    limit = 0 if value < 0 else 1 << (36 + unit)
    assert r.start == value
    assert r.end == min(value + (range_length(num, scale) << granule), limit)
    assert r.start < r.end <= limit


@given(granule=GRANULES, num=NUMS, scale=SCALES, page=st.integers(-4, 4), data=st.data())
def test_range_covers_exactly_its_pages(granule, num, scale, page, data):
    """Off by one at both ends, in both halves (spec 8.4)."""
    half = data.draw(st.sampled_from([0, -(1 << 47)]))
    start = half + (data.draw(st.integers(8, 1 << 20)) << granule)
    op = Invalidation(Kind.RANGE, range_operand(start & mask(64), granule, num, scale, asid=7))
    length = range_length(num, scale)
    for near in (page, length + page):
        entry = Entry(start + (near << granule) & mask(64), granule, granule, 3, asid=7)
        assert must_go(op, entry) == (0 <= near < length)


@given(granule=GRANULES, num=NUMS, scale=SCALES, data=st.data())
def test_range_takes_a_block_that_is_partly_inside(granule, num, scale, data):
    start = data.draw(st.integers(1 << 20, 1 << 24)) << granule
    end = start + (range_length(num, scale) << granule)
    span = granule + granule - 3
    op = Invalidation(Kind.RANGE, range_operand(start, granule, num, scale))
    for inside in (start, end - (1 << granule)):
        assert must_go(op, Entry(inside, span, granule, 2))
    assert not must_go(op, Entry((end + (1 << span) - 1) >> span << span, span, granule, 2))
    assert not must_go(op, Entry(start - (1 << span) >> span << span, span, granule, 2))


@given(granule=GRANULES, other=GRANULES)
def test_range_of_another_granule_obliges_nothing(granule, other):
    op = Invalidation(Kind.RANGE, range_operand(1 << 30, granule, 0, 0))
    assert must_go(op, Entry(1 << 30, other, other, 3)) == (granule == other)


def test_reserved_granule_of_a_range_obliges_nothing():
    operand = range_operand(0, 12, 31, 3) & ~(3 << 46)
    assert not must_go(Invalidation(Kind.RANGE_ALL_ASIDS, operand), Entry(0, 12, 12, 3))


def test_range_level_hint():
    """Only leaves of the level and tables above it; a base that the hint finds misaligned
    obliges nothing."""
    page, block = Entry(1 << 21, 12, 12, 3), Entry(1 << 21, 21, 12, 2)
    table = Entry(1 << 21, 21, 12, 2, leaf=False)
    hint3 = Invalidation(Kind.RANGE, range_operand(1 << 21, 12, 0, 0, ttl=3))
    assert [must_go(hint3, e) for e in (page, block, table)] == [True, False, True]
    hint2 = Invalidation(Kind.RANGE, range_operand(1 << 21, 12, 0, 0, ttl=2))
    assert [must_go(hint2, e) for e in (page, block, table)] == [False, True, False]
    misaligned = Invalidation(Kind.RANGE, range_operand((1 << 21) + 4096, 12, 0, 0, ttl=2))
    assert not must_go(misaligned, block)


@pytest.mark.parametrize("lpa2", [False, True])
@pytest.mark.parametrize("ttl", range(4))
@pytest.mark.parametrize("granule", [12, 14, 16])
def test_reserved_level_hint_of_a_range_is_no_hint(granule, ttl, lpa2):
    """Spec 8.4: level 1 has no leaves of 16K without LPA2, so that its hint is as none."""
    op = Invalidation(Kind.RANGE_ALL_ASIDS, range_operand(0, granule, 0, 0, ttl=ttl))
    spans = {level: granule + (3 - level) * (granule - 3) for level in (1, 2, 3)}
    entries = [Entry(0, span, granule, level) for level, span in spans.items()]
    gone = [entry.level for entry in entries if must_go(op, entry, lpa2=lpa2)]
    reserved = (granule, ttl, lpa2) == (14, 1, False)
    assert gone == ([1, 2, 3] if ttl == 0 or reserved else [ttl])


# Columns of spec 8.2: leaf global, leaf nG same ASID, leaf nG other ASID, table same, table other.
MUST_GO = {
    (Kind.ALL, False): (1, 1, 1, 1, 1),
    (Kind.ASID, False): (0, 1, 0, 1, 0),
    (Kind.VA, False): (1, 1, 0, 1, 0),
    (Kind.VA, True): (1, 1, 0, 0, 0),
    (Kind.VA_ALL_ASIDS, False): (1, 1, 1, 1, 1),
    (Kind.VA_ALL_ASIDS, True): (1, 1, 1, 0, 0),
    (Kind.RANGE, False): (1, 1, 0, 1, 0),
    (Kind.RANGE, True): (1, 1, 0, 0, 0),
    (Kind.RANGE_ALL_ASIDS, False): (1, 1, 1, 1, 1),
    (Kind.RANGE_ALL_ASIDS, True): (1, 1, 1, 0, 0),
}


@pytest.mark.parametrize("kind, last_level", MUST_GO)
@pytest.mark.parametrize("va", [0x40_0000, 0xFFFF_8000_0040_0000])
def test_row_of_the_table(kind, last_level, va):
    operand = range_operand(va, 12, 0, 0, asid=5) if kind.is_range else va_operand(va, 5)
    op = Invalidation(kind, operand, last_level)
    entries = [
        Entry(va, 12, 12, 3, asid=9, ng=False),
        Entry(va, 12, 12, 3, asid=5),
        Entry(va, 12, 12, 3, asid=9),
        Entry(va, 21, 12, 2, asid=5, leaf=False),
        Entry(va, 21, 12, 2, asid=9, leaf=False),
    ]
    assert tuple(int(must_go(op, e)) for e in entries) == MUST_GO[kind, last_level]
    elsewhere = [Entry(e.va + (1 << 30), e.span, 12, e.level, e.asid, e.ng, e.leaf)
                 for e in entries]  # fmt: skip
    expected = kind in (Kind.ALL, Kind.ASID)
    assert [must_go(op, e) for e in elsewhere] == [expected and must_go(op, e) for e in entries]


@given(
    va=st.integers(0, mask(64)),
    span=st.sampled_from([12, 14, 16, 21, 25, 29, 30]),
    inside=st.integers(0, mask(64)),
)
def test_a_va_anywhere_in_a_block_removes_it(va, span, inside):
    """The whole block goes, wherever in it the operand points (spec 8.3)."""
    granule = {14: 14, 25: 14, 16: 16, 29: 16}.get(span, 12)
    entry = Entry(va, span, granule, 2, ng=False)
    pointed = (va & ~mask(span) | inside & mask(span)) & mask(64)
    assert must_go(Invalidation(Kind.VA, va_operand(pointed)), entry)
    outside = pointed ^ 1 << span
    assert not covers_address(Invalidation(Kind.VA, va_operand(outside)), entry)


@given(ttl=st.integers(0, 15), granule=GRANULES, level=st.integers(1, 3), lpa2=st.booleans())
def test_va_hint_never_widens(ttl, granule, level, lpa2):
    entry = Entry(0, granule + (3 - level) * (granule - 3), granule, level)
    op = Invalidation(Kind.VA_ALL_ASIDS, va_operand(0, 0, ttl))
    hinted = must_go(op, entry, lpa2=lpa2)
    code = {12: 1, 14: 2, 16: 3}[granule]
    reserved = ttl >> 2 == 0 or ttl in (0b1000, 0b1100)
    reserved = reserved or (ttl in (0b0100, 0b1001) and not lpa2)
    assert hinted == (reserved or ttl == code << 2 | level)


def shape(steps):
    return [s.pages if s.scale is None else (s.scale, s.num, s.pages) for s in steps]


def test_linux_plan_as_printed():
    """Spec 9.9."""
    assert shape(plan(0x40000000, 1, 12)) == [1]
    assert shape(plan(0x40000000, 5, 12)) == [(0, 1, 4), 1]
    assert shape(plan(0x40000000, 1000, 12)) == [(1, 14, 960), (0, 19, 40)]
    lpa2 = shape(plan(0x40003000, 1000, 12, lpa2=True))
    assert [s for s in lpa2 if s != 1] == [(1, 14, 960), (0, 12, 26)]
    assert lpa2.count(1) == 14
    assert shape(plan(0x40000000, 2097151, 16)) == [
        (3, 30, 2031616), (2, 30, 63488), (1, 30, 1984), (0, 30, 62), 1,
    ]  # fmt: skip


@given(pages=st.integers(1, 1 << 21), granule=GRANULES)
def test_linux_plan_covers_exactly(pages, granule):
    """Exact coverage in at most four ranges and one page (spec 8.5)."""
    steps, va = plan(0x40000000, pages, granule), 0x40000000
    for step in steps:
        assert step.va == va
        va += step.pages << granule
    assert va == 0x40000000 + (pages << granule)
    assert len(steps) <= 5
