"""The whole machine in the page: it boots, stops, steps back, and counts as granule-sim does."""

import re
import subprocess

import pytest

from support.root import ROOT
from web.browser import PATIENCE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

CONSOLE = "document.getElementById('console').textContent"
PROMPT = "granule> "
LEAST_SPEED = 100_000  # cycles a second


@pytest.fixture
def opened(visit):
    return lambda link: visit(link, page="machine")


def until(student: Student, text: str, times: int = 1, line: str = "") -> None:
    """Runs, or types a line, until the console shows a text, and pauses."""
    with student.waiting():
        if line:
            student.page.fill("#line", line)
            student.page.click("#typing button")
        else:
            student.page.click("#run")
        student.until(f"{CONSOLE}.split('{text}').length > {times}")
        student.page.click("#pause")


@pytest.mark.parametrize("size", [4, 16, 64])
def test_the_firmware_boots_at_every_granule(opened, size) -> None:
    """What its console says of a walk, the MMU's registers say too."""
    student = opened(f"#granule={size}k&run=console")
    assert student.text("step") == f"console, with pages of {size}K"
    assert student.sentence == "The data cache goes through its sets."  # after reset
    until(student, PROMPT)
    assert f"granule      {size} KiB" in student.text("console")
    until(student, "hardware write", line="walk 0x100000")
    assert f"pages of {size} KiB" in student.text("console")
    spans = student.page.locator("#tlbs td:nth-child(3)").all_inner_texts()
    assert spans and all(text.split()[1] in ("KiB", "MiB", "GiB") for text in spans)


@pytest.mark.parametrize(
    ("machine", "granule"),
    [("teaching", "4k"), ("teaching", "16k"), ("teaching", "64k"), ("ulx3s", "4k")],
)
def test_document_002_is_what_granule_sim_says_to_the_cycle(opened, machine, granule) -> None:
    """All that it prints, and the cycles."""
    simulator = "build/granule-sim" + ("" if machine == "teaching" else f"-{machine}")
    native = subprocess.run(
        [simulator, "--append", f"pagesize={granule} run=e002", "build/sw/granule.elf"],
        cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    cycles = int(re.search(r"granule-sim: (\d+) cycles", native.stderr)[1])
    student = opened(f"#machine={machine}&granule={granule}&run=e002")
    student.page.click("#run")
    student.until("document.getElementById('step').textContent.includes('ended')", 5 * PATIENCE)
    student.until("document.getElementById('pause').disabled")
    shown = student.page.evaluate(CONSOLE)
    assert shown.replace("\r", "").strip() == native.stdout.replace("\r", "").strip()
    assert "RESULT id=A" in shown
    assert student.page.evaluate("machine.ended") == cycles


def test_it_runs_at_a_speed_that_one_can_watch(opened) -> None:
    """In the best of some seconds, as others may be at work."""
    student = opened("#granule=4k&run=e002")
    rates = []
    while len(rates) < 10 and max(rates, default=0) < LEAST_SPEED:
        with student.waiting():
            student.page.click("#run")
            student.until("machine.rate > 0")
            student.page.wait_for_timeout(1500)
            student.page.click("#pause")
        rates.append(student.page.evaluate("machine.rate"))
    assert max(rates) >= LEAST_SPEED, rates


@pytest.mark.parametrize(
    ("key", "says", "then"),
    [
        ("w", "A translation table walk begins", "reads the level 1 descriptor"),
        ("m", "a TLB miss", ""),
        ("i", "is accepted", ""),
        ("f", "The access is refused", ""),
    ],
)
def test_it_runs_to_the_next_of_each(opened, key, says, then) -> None:
    """By the key and by its button; Next and Back meet the same cycles."""
    student = opened("#granule=4k&run=e002")
    student.press(key)
    first = student.cycle
    assert says in student.sentence
    assert any(then in said for _, said in student.there_and_back(end=20))
    student.click(f"button:has(kbd:text-is('{key}'))")
    assert student.cycle > first and says in student.sentence


def test_it_stops_at_an_invalidation_and_a_link_leads_there(opened) -> None:
    """The other page has run to the same cycle by itself."""
    student = opened("#granule=64k&run=e002")
    student.press("i")
    assert "is accepted" in student.sentence
    assert opened(student.link).seen("tlbs") == student.seen("tlbs")
    assert student.text("invalidations") == "TLBI VMALLE1: has removed nothing"
    student.go_to("is complete")


def test_a_far_way_back_hears_again_what_was_typed(opened) -> None:
    student = opened("#granule=4k&run=console")
    until(student, PROMPT)
    until(student, PROMPT, 2, line="tlb")
    cycle, _, said = seen = student.seen("console")
    assert said.count(PROMPT.strip()) == 2 and "kernel code" in said
    for there, shown in ((1000, ""), (cycle, said)):
        student.page.evaluate(f"doing(() => look({there}))()")
        student.until(f"shown.cycle === {there}")
        assert student.text("console") == shown
    assert student.seen("console") == seen
