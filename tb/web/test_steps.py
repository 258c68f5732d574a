"""A student steps through accesses and invalidations of the RTL, which runs in the page."""

import re

import pytest

from model.geometry import geometry
from web import picture
from web.browser import PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

GRANULES = {"4k": 12, "16k": 14, "64k": 16}
VA, PA = 0x7F1234567ABC, 0xB4567ABC
FIRST = "A walk, level by level"  # of the examples


@pytest.fixture
def student(visit) -> Student:
    return visit()


@pytest.mark.parametrize("granule", GRANULES)
def test_a_walk_reads_the_levels_that_the_granule_has(visit, granule) -> None:
    """The golden model says which; the last sentence has the physical address."""
    student = visit(f"#granule={granule}&steps=r0-{VA:x}&cycle=2")
    told = student.tell()
    levels = [int(n) for s in told for n in re.findall(r"reads the level (\d) descriptor", s)]
    g = geometry(GRANULES[granule], 16)
    assert levels == list(g.levels)
    for level in levels:
        index = g.first_index(VA) if level == g.start_level else g.index(VA, level)
        assert any(f"= {index} chooses the level {level} descriptor" in s for s in told), level
    assert any(f"PA {PA:#x}" in s for s in told)
    assert student.page.locator("#walk li:not(.unread)").count() == len(levels)
    assert "page" in student.page.inner_text("#walk li:last-child .type").lower()


def test_it_opens_with_a_walk(visit, student) -> None:
    """Next is all that one must press; a link that says nothing sensible leads there too."""
    assert student.text("step") == f"Step 1 of 1: EL0 read {VA:#x}"
    assert not student.page.is_visible("#cache") and student.page.is_visible("#cursor")
    assert not student.page.is_visible("[data-event=move]")
    told = student.tell()
    assert any("A translation table walk begins" in s for s in told)
    assert any(f"PA {PA:#x}" in s for s in told)
    lost = visit("#granule=5k")
    assert "the link has granule 5k; choose 4k,16k,64k" in lost.text("error")
    assert len(lost.tell()) == len(told)


def test_the_moving_picture_is_of_this_page(visit) -> None:
    """`make recording` makes it again."""
    found = picture.frames(visit(picture.LINK, size=picture.SIZE))
    assert [sentence for sentence, _ in found] == picture.told()


def test_an_invalidation_removes_its_page_and_no_other(student) -> None:
    """Back again, both entries are there."""
    student.example("Invalidate one address")
    entries = student.page.locator("#tlbs tr:not(.removed) td:nth-child(2)")
    before = entries.all_inner_texts()
    assert before == ["0x7f1234567000", "0x7f1234577000"]
    told = student.tell()
    assert any("entry 0 of the data micro TLB" in s and "removed" in s for s in told)
    assert entries.all_inner_texts() == before[1:]
    said = "TLBI VAE1, 0x7f1234567000, ASID 1: removed entry 0 of the data micro TLB"
    assert said in student.text("invalidations")
    student.go_to("is accepted", "ArrowLeft")
    assert entries.all_inner_texts() == before


@pytest.mark.parametrize(
    ("steps", "title", "left"),
    [
        (f"range-{VA & ~0xFFFF:x}", "TLBI RVAE1, 32 pages of 64 KiB from 0x7f1234560000", 1),
        ("asid-0.1", "TLBI ASIDE1, ASID 1", 1),
        ("asid-0.9", "TLBI ASIDE1, ASID 9", 2),
        ("vaa-ffff800012345678", "TLBI VAAE1, 0xffff800012345000", 1),
        ("all-0", "TLBI VMALLE1", 0),
    ],
)
def test_kinds_of_invalidations(visit, steps, title, left) -> None:
    """A page of ASID 1, and a global one of the upper half."""
    before = f"r0-{VA:x}_r1-ffff800012345678"
    student = visit(f"#granule=64k&steps={before}_{steps}&cycle=999")
    assert title in student.text("invalidations")
    assert student.page.locator("#tlbs tbody tr").count() == left


TOLD = {  # by examples, in this order
    "A stale entry: the missing TLBI": (f"A hit: .* PA {PA:#x}", f"PA {PA ^ 1 << 29:#x}"),
    "A write to a read-only page": ("Permission fault, level 3",),
    "EL0 at a page of the kernel": ("Permission fault, level 3",),
    "Not mapped": ("Translation fault, level 1",),
    "Execute never": ("Permission fault, level 3",),
    "The Access flag": ("compare-and-swap",),
}


@pytest.mark.parametrize("example", TOLD)
def test_what_an_example_tells(student, example) -> None:
    student.example(example)
    told = iter(student.tell())
    for words in TOLD[example]:
        assert any(re.search(words, sentence) for sentence in told), words


def test_the_page_answers_what_is_typed(student) -> None:
    student.page.fill("#va", "0x40_1234_5678")
    student.click("#access button")
    told = student.tell()
    assert any("Block descriptor" in s for s in told)
    assert any("PA 0x92345678" in s for s in told)
    student.page.fill("#va", "nowhere")
    student.click("#access button")
    assert '"nowhere" is no address' in student.text("error")


def test_three_granules_side_by_side(student) -> None:
    student.example(FIRST)
    rows = student.page.locator("#compare tbody tr").all_inner_texts()
    cells = {row.split("\t")[0]: row.split("\t")[1:] for row in rows}
    assert cells["outcome"] == [f"PA {PA:#x}"] * 3
    assert cells["one entry reaches"] == ["4 KiB", "16 KiB", "64 KiB"]
    assert [text.split(":")[0] for text in cells["descriptors read"]] == ["4", "4", "3"]


def test_the_keyboard_is_enough(student) -> None:
    student.example(FIRST)
    student.press("Home")
    assert student.cycle == 0
    student.press("w")
    assert "walk begins" in student.sentence
    start = student.cycle
    student.press("Shift+ArrowRight")
    assert student.cycle == start + 1
    student.press("ArrowRight", "ArrowLeft", "Shift+ArrowLeft")
    assert student.cycle == start
    student.press("3")
    assert student.page.is_checked("input[value='64k']")
    student.press("End")
    assert student.page.is_disabled("#next")
    student.press("i")
    assert "no invalidation comes" in student.text("error")


@pytest.mark.parametrize(
    ("event", "example", "says"),
    [
        ("walk", "A neighbour: the walk cache", "A translation table walk begins"),
        ("miss", FIRST, "a TLB miss"),
        ("invalidation", "Invalidate a range", "is accepted"),
        ("fault", "Not mapped", "The access is refused"),
    ],
)
def test_it_goes_to_the_next_of_each(student, event, example, says) -> None:
    """By the button as by the key, and says when there is none."""
    student.example(example)
    student.press("Home")
    student.click(f"[data-event={event}]")
    found = [student.seen()]
    student.press("Home", event[0])
    while not student.text("error"):
        found.append(student.seen())
        assert says in student.sentence
        student.press(event[0])
    assert f"no {event} comes after this cycle" in student.text("error") and found[0] == found[1]


def test_a_link_leads_to_its_cycle(visit, student) -> None:
    student.example(FIRST)
    student.press("2", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    other = visit(student.link)
    assert other.seen() == student.seen()
    assert other.page.is_checked("input[value='16k']")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("index", f"#granule=4k&steps=r0-{VA:x}_va-{VA:x}&cycle=40"),
        ("index", f"#granule=64k&main=1&steps=r0-{VA:x}_va-{VA:x}&cycle=9999"),
        ("lab0", "#name=anna&walk=A&cycle=12"),
        ("machine", "#machine=ulx3s&granule=4k&run=e002&cycle=200000"),
    ],
)
def test_nothing_of_a_page_is_cut_off_on_a_phone(visit, page, link, scheme) -> None:
    student = visit(link, page=page, size=PHONE, scheme=scheme)
    if page == "machine":
        student.press("w")  # so that there is a walk to be seen
    assert student.sticks_out() == []


def test_the_first_step_is_seen_soon(student) -> None:
    """Within three seconds, on the browser's own clock; of some tries, as others may be at work."""
    took = []
    while len(took) < 5 and min(took, default=3000) >= 3000:
        student.page.reload()
        student.page.wait_for_selector("body[data-done]")
        took.append(student.page.evaluate("performance.now()"))
    assert min(took) < 3000, took
