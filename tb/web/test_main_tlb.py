"""The MMU with a main TLB: it answers what the micro TLB has given away, and loses what an
invalidation covers."""

import pytest

from web.browser import Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

VA = 0x7F1234567ABC


@pytest.fixture
def opened(visit):
    return lambda granule, steps: visit(f"#granule={granule}&main=1&steps={steps}&cycle=9999")


def entries(student: Student) -> list[list[str]]:
    """Address, size and ASID of those that are there."""
    found = student.page.locator("#main tbody tr:not(.removed)").all()
    return [row.locator("td").all_inner_texts()[1:4] for row in found]


@pytest.mark.parametrize(
    ("granule", "va", "entry", "told"),
    [
        ("4k", VA, (VA & -0x1000, "4 KiB"), "1 of 256 pages, 0 of 16 larger"),
        ("16k", VA, (VA & -0x4000, "16 KiB"), "1 of 256 pages, 0 of 16 larger"),
        ("64k", VA, (VA & -0x10000, "64 KiB"), "1 of 256 pages, 0 of 16 larger"),
        ("4k", 0x4012345678, (0x4012200000, "2 MiB"), "0 of 256 pages, 1 of 16 larger"),
    ],
)
def test_a_walk_leaves_its_page_in_both_tlbs(opened, granule, va, entry, told) -> None:
    student, (page, size) = opened(granule, f"r0-{va:x}"), entry
    assert entries(student) == [[hex(page), size, "1"]]
    assert told in student.text("main") and hex(page) in student.text("tlbs")


def test_what_the_micro_tlb_gave_away_the_main_tlb_answers(visit) -> None:
    """No table is read; without a main TLB the same access walks. Back shows it again."""
    student = visit()
    student.example("The main TLB answers")
    assert student.page.is_checked("#main-tlb")
    told = student.there_and_back("main", end=lambda: student.page.is_disabled("#next"))
    assert any("The main TLB knows the translation" in said for _, said, _ in told)
    assert not any("descriptor" in said for _, said, _ in told)
    step = student.text("step")
    student.click("#main-tlb")
    assert student.page.is_hidden("#main") and "main=1" not in student.link
    assert student.text("step") == step
    assert any("descriptor" in said for said in student.tell())


def test_an_invalidation_removes_its_page_and_no_other(opened) -> None:
    other = VA + 0x10000
    student = opened("4k", f"r0-{VA:x}_r0-{other:x}_va-{VA:x}")
    one, two = ([hex(va & -4096), "4 KiB", "1"] for va in (VA, other))
    assert entries(student) == [two]
    assert "of the main TLB" in student.text("invalidations")
    student.go_to("is accepted", "ArrowLeft")
    assert sorted(entries(student)) == sorted([one, two])
