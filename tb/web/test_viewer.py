"""A run that was written down, in the page of traces: the cycles are those of the run."""

import json
import subprocess
from pathlib import Path

import pytest

from support.root import ROOT
from tools.web import bundle
from web.browser import PHONE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

FIRST, LAST = 1_300_000, 1_400_000  # document 002 under way
SOURCES = ROOT / "docs" / "web"


@pytest.fixture(scope="module")
def trace(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "e002.jsonl"
    subprocess.run(
        ["build/granule-sim-trace", "--trace-mmu", path, "--trace-start", str(FIRST),
         "--max-cycles", str(LAST), "--append", "pagesize=4k run=e002", "build/sw/granule.elf"],
        cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return path


@pytest.fixture(scope="module")
def page(trace) -> Path:
    folder = trace.parent / "page"
    bundle.write_viewer(SOURCES, trace, folder)
    return folder / "index.html"


def cycles_with(trace: Path, name: str) -> list[int]:
    """In which a signal is high, read from the lines."""
    found, high, before = [], False, 0
    for line in trace.read_text().splitlines()[1:]:
        entry = json.loads(line)
        if high:
            found += range(before, entry["cycle"])
        high = entry["set"].get(name, "1" if high else "0") != "0"
        before = entry["cycle"]
    return found + ([before] if high else [])


def test_every_walk_of_the_run_is_found(visit, page, trace) -> None:
    """As many as the lines have, in their cycles; the tables are read where the run read them."""
    walks = cycles_with(trace, "io_events_walk")
    assert len(walks) > 10
    student = visit(page=page)
    assert student.cycle == FIRST
    for _ in range(10):
        student.press("w")
        assert "walk" in student.sentence
        student.go_to("descriptor")
    found = student.page.evaluate(
        "() => { const all = []; for (let at = machine.first - 1;;) {"
        " at = machine.find((frame) => frame.is('io_events_walk'), at, signals);"
        " if (at === null) return all; all.push(at); } }"
    )
    assert found == walks


def test_it_steps_back_as_it_came_and_a_link_leads_there(visit, page) -> None:
    """Data cache and counters too; what a machine lacks has no pane."""
    student = visit(page=page)
    assert student.page.is_hidden("#main")
    student.press("i")
    assert "is accepted" in student.sentence
    student.go_to("A miss in the data cache")
    shown = student.there_and_back("cache", "counters", end=30, keys=True)
    assert any("has the line now" in sentence for _, sentence, *_ in shown)
    assert len({cache for *_, cache, _ in shown}) > 1 < len({counted for *_, counted in shown})
    student.press("ArrowRight")
    assert visit(student.link, page=page).seen("tlbs") == student.seen("tlbs")


def test_keys_and_slider_lead_to_cycles_of_the_run(visit, page, trace) -> None:
    """Misses of both micro TLBs, in the cycles of the lines; any cycle, by the slider."""
    data, fetch = (cycles_with(trace, f"io_events_{of}tlbMiss") for of in "di")
    student = visit(page=page)
    for cycle in sorted(data + fetch)[:5]:
        student.press("m")
        assert student.cycle == cycle and "a TLB miss" in student.sentence
    with student.waiting():
        student.page.evaluate(
            "at => { cursor.value = at; cursor.dispatchEvent(new Event('change')); }",
            FIRST + 50_000,
        )
    assert student.cycle == FIRST + 50_000


def test_a_cycle_that_the_trace_does_not_have_is_named(visit, page) -> None:
    student = visit("#cycle=5", page=page)
    assert "the link has cycle 5" in student.text("error") and student.cycle == FIRST


def test_nothing_is_cut_off_on_a_phone(visit, page) -> None:
    student = visit(page=page, size=PHONE)
    student.press("w")
    assert student.sticks_out() == []
