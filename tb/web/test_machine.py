"""The whole machine in the page: it boots, stops, steps back, and counts as granule-sim does."""

import re
import subprocess

import pytest

from support.root import ROOT
from web.browser import INDEX, PATIENCE, PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

MACHINE = INDEX.parent / "machine.html"
PROMPT = "granule> "
LEAST_SPEED = 100_000  # cycles a second


def opened(browser, link: str, **options) -> Student:
    return Student(browser, link, page=MACHINE, **options)


def until(student: Student, text: str, times: int = 1) -> None:
    """Runs until the console shows a text, and pauses."""
    page = student.page
    with student.waiting():
        if page.is_enabled("#run"):
            page.click("#run")
        page.wait_for_function(
            "([text, times]) => document.getElementById('console').textContent"
            ".split(text).length > times",
            arg=[text, times],
            timeout=PATIENCE,
        )
        page.click("#pause")


@pytest.mark.parametrize(("granule", "size"), [("4k", 4), ("16k", 16), ("64k", 64)])
def test_the_firmware_boots_at_every_granule(browser, granule, size) -> None:
    """What its console says of a walk, the MMU's registers say too."""
    student = opened(browser, f"#granule={granule}&run=console")
    assert student.text("step") == f"console, with pages of {granule.upper()}"
    assert student.sentence == "The data cache goes through its sets."  # after reset
    until(student, PROMPT)
    assert f"granule      {size} KiB" in student.text("console")
    student.page.fill("#line", "walk 0x100000")
    with student.waiting():
        student.page.click("#typing button")
        student.page.wait_for_function(
            "document.getElementById('console').textContent.includes('hardware write')",
            timeout=PATIENCE,
        )
        student.page.click("#pause")
    assert f"pages of {size} KiB" in student.text("console")
    spans = student.page.locator("#tlbs td:nth-child(3)").all_inner_texts()
    assert spans and all(text.split()[1] in ("KiB", "MiB", "GiB") for text in spans)
    student.leave()


@pytest.mark.parametrize(
    ("machine", "simulator", "granule"),
    [
        ("teaching", "granule-sim", "4k"),
        ("teaching", "granule-sim", "16k"),
        ("teaching", "granule-sim", "64k"),
        ("ulx3s", "granule-sim-ulx3s", "4k"),
    ],
)
def test_document_002_is_what_granule_sim_says_to_the_cycle(
    browser, machine, simulator, granule
) -> None:
    """All that it prints, and the cycles."""
    native = subprocess.run(
        [f"build/{simulator}", "--append", f"pagesize={granule} run=e002", "build/sw/granule.elf"],
        cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    cycles = int(re.search(r"granule-sim: (\d+) cycles", native.stderr)[1])
    student = opened(browser, f"#machine={machine}&granule={granule}&run=e002")
    page = student.page
    page.click("#run")
    page.wait_for_function(
        "document.getElementById('step').textContent.includes('ended')", timeout=5 * PATIENCE
    )
    page.wait_for_function("document.getElementById('pause').disabled", timeout=PATIENCE)
    shown = page.evaluate("document.getElementById('console').textContent")
    assert shown.replace("\r", "").strip() == native.stdout.replace("\r", "").strip()
    assert "RESULT id=A" in shown
    assert page.evaluate("machine.ended") == cycles
    student.leave()


def test_it_runs_at_a_speed_that_one_can_watch(browser) -> None:
    """In the best of some seconds, as others may be at work."""
    student = opened(browser, "#granule=4k&run=e002")
    rates = []
    while len(rates) < 10 and max(rates, default=0) < LEAST_SPEED:
        with student.waiting():
            student.page.click("#run")
            student.page.wait_for_function("machine.rate > 0", timeout=PATIENCE)
            student.page.wait_for_timeout(1500)
            student.page.click("#pause")
        rates.append(student.page.evaluate("machine.rate"))
    assert max(rates) >= LEAST_SPEED, rates
    student.leave()


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("w", "A translation table walk begins"),
        ("m", "a TLB miss"),
        ("i", "is accepted"),
        ("f", "The access is refused"),
    ],
)
def test_it_runs_to_the_next_of_each(browser, key, says) -> None:
    """By the key and by its button; Next and Back meet the same cycles from there."""
    student = opened(browser, "#granule=4k&run=e002")
    student.press(key)
    first = student.cycle
    assert says in student.sentence
    student.click(f"button:has(kbd:text-is('{key}'))")
    assert student.cycle > first and says in student.sentence
    forward = [(student.cycle, student.sentence)]
    for _ in range(10):
        student.press("ArrowRight")
        forward.append((student.cycle, student.sentence))
    backward = [forward[-1]]
    for _ in range(10):
        student.press("ArrowLeft")
        backward.append((student.cycle, student.sentence))
    assert backward[::-1] == forward
    student.leave()


def test_it_stops_at_walks_and_steps_back(browser) -> None:
    student = opened(browser, "#granule=4k&run=e002")
    student.click("[data-event=walk]")
    assert "A translation table walk begins" in student.sentence
    forward = [(student.cycle, student.sentence)]
    for _ in range(20):
        student.click("#next")
        forward.append((student.cycle, student.sentence))
    assert any("reads the level 1 descriptor" in said for _, said in forward)
    backward = [forward[-1]]
    for _ in range(20):
        student.click("#back")
        backward.append((student.cycle, student.sentence))
    assert backward[::-1] == forward
    student.leave()


def test_it_stops_at_an_invalidation_and_a_link_leads_there(browser) -> None:
    """The other page has run to the same cycle by itself."""
    student = opened(browser, "#granule=64k&run=e002")
    student.press("i")
    assert "is accepted" in student.sentence
    other = opened(browser, "#" + student.page.url.split("#")[1])
    assert (other.cycle, other.sentence) == (student.cycle, student.sentence)
    assert other.text("tlbs") == student.text("tlbs")
    other.leave()
    assert student.text("invalidations") == "TLBI VMALLE1: has removed nothing"
    while "is complete" not in student.sentence:
        student.press("ArrowRight")
    student.leave()


def test_a_far_way_back_hears_again_what_was_typed(browser) -> None:
    student = opened(browser, "#granule=4k&run=console")
    until(student, PROMPT)
    student.page.fill("#line", "tlb")
    with student.waiting():
        student.page.click("#typing button")
        student.page.wait_for_function(
            f"document.getElementById('console').textContent.split('{PROMPT}').length === 3",
            timeout=PATIENCE,
        )
        student.page.click("#pause")
    said, cycle, sentence = student.text("console"), student.cycle, student.sentence
    assert said.count(PROMPT.strip()) == 2 and "kernel code" in said
    student.page.evaluate("doing(() => look(1000))()")
    student.page.wait_for_function("shown.cycle === 1000", timeout=PATIENCE)
    assert student.text("console") == ""
    student.page.evaluate(f"doing(() => look({cycle}))()")
    student.page.wait_for_function(f"shown.cycle === {cycle}", timeout=PATIENCE)
    assert (student.text("console"), student.sentence) == (said, sentence)
    student.leave()


def test_nothing_is_cut_off_on_a_phone(browser) -> None:
    student = opened(browser, "#granule=4k&run=e002&cycle=1000", size=PHONE)
    student.click("[data-event=walk]")
    assert student.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    student.leave()
