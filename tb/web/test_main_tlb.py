"""The MMU with a main TLB: it answers what the micro TLB has given away, and loses what an
invalidation covers."""

import pytest

from web.browser import PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

VA = 0x7F1234567ABC


def entries(student: Student) -> list[list[str]]:
    """Address, size and ASID of those that are there."""
    found = student.page.locator("#main tbody tr:not(.removed)").all()
    return [row.locator("td").all_inner_texts()[1:4] for row in found]


def opened(browser, granule: str, steps: str, **options) -> Student:
    link = f"#granule={granule}&main=1&steps={steps}&cycle=9999"
    return Student(browser, link, **options)


@pytest.mark.parametrize(("granule", "size"), [("4k", 4), ("16k", 16), ("64k", 64)])
def test_a_walk_leaves_its_page_in_both_tlbs(browser, granule, size) -> None:
    student = opened(browser, granule, f"r0-{VA:x}")
    page = VA & -(size << 10)
    assert entries(student) == [[hex(page), f"{size} KiB", "1"]]
    assert "1 of 256 pages, 0 of 16 larger" in student.text("main")
    assert hex(page) in student.text("tlbs")
    student.leave()


def test_what_the_micro_tlb_gave_away_the_main_tlb_answers(browser) -> None:
    """No table is read; without a main TLB the same access walks. Back shows it again."""
    student = Student(browser)
    student.example("The main TLB answers")
    assert student.page.is_checked("#main-tlb")
    forward = [(student.cycle, student.sentence, student.text("main"))]
    while not student.page.is_disabled("#next"):
        student.click("#next")
        forward.append((student.cycle, student.sentence, student.text("main")))
    told = [said for _, said, _ in forward]
    assert any("The main TLB knows the translation" in said for said in told)
    assert not any("descriptor" in said for said in told)
    backward = [forward[-1]]
    while student.cycle > forward[0][0]:
        student.click("#back")
        backward.append((student.cycle, student.sentence, student.text("main")))
    assert backward[::-1] == forward
    step = student.text("step")
    student.click("#main-tlb")
    assert student.page.is_hidden("#main")
    assert "main=1" not in student.page.evaluate("location.hash")
    assert student.text("step") == step
    assert any("descriptor" in said for said in student.tell())
    student.leave()


def test_an_invalidation_removes_its_page_and_no_other(browser) -> None:
    other = VA + 0x10000
    student = opened(browser, "4k", f"r0-{VA:x}_r0-{other:x}_va-{VA:x}")
    assert entries(student) == [[hex(other & -4096), "4 KiB", "1"]]
    assert "of the main TLB" in student.text("invalidations")
    while "is accepted" not in student.sentence:
        student.click("#back")
    assert sorted(entries(student)) == sorted(
        [[hex(VA & -4096), "4 KiB", "1"], [hex(other & -4096), "4 KiB", "1"]])  # fmt: skip
    student.leave()


def test_a_block_is_among_what_is_larger(browser) -> None:
    student = opened(browser, "4k", "r0-4012345678")
    assert entries(student) == [["0x4012200000", "2 MiB", "1"]]
    assert "0 of 256 pages, 1 of 16 larger" in student.text("main")
    student.leave()


def test_nothing_is_cut_off_on_a_phone(browser) -> None:
    student = opened(browser, "64k", f"r0-{VA:x}_va-{VA:x}", size=PHONE)
    assert student.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    student.leave()
