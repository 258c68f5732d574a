"""The report in a browser: what a person sees, on a desk and on a phone, by day and by night."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from figures import judge, scoreboard
from support.browser import chromium, complaints_of
from tools.report import run as report
from tools.report.cards import CLAIMS

pytestmark = pytest.mark.xdist_group("browser")

SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
DESK, PHONE = (1280, 800), (390, 844)
LEAST_CONTRAST = 4.5  # WCAG 2, level AA
# Of every text: its colour against the nearest background, as WCAG counts it.
CONTRASTS = """() => {
  const channels = c => c.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const background = e => {
    for (; e; e = e.parentElement) {
      const c = channels(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || ['TITLE', 'STYLE'].includes(e.tagName.toUpperCase()))
      continue;
    const style = getComputedStyle(e);
    const ink = luminance(channels(e instanceof SVGElement ? style.fill : style.color));
    const paper = luminance(background(e));
    const [low, high] = [ink, paper].sort((a, b) => a - b);
    found.push([(high + 0.05) / (low + 0.05), texts.currentNode.data.trim()]);
  }
  return found;
}"""

# Letters of pictures, which shrink with them: those below 8.5 pixels.
SMALL_LETTERS = """() => [...document.querySelectorAll('svg text')].filter(e => {
  const scale = Math.hypot(e.getCTM().a, e.getCTM().b);
  return e.getBoundingClientRect().height > 0
    && parseFloat(getComputedStyle(e).fontSize) * scale < 8.5;
}).map(e => e.textContent)"""


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    """The page of what is here, or else of what the repository recorded."""
    out = tmp_path_factory.mktemp("report") / "report.html"
    out.write_text(report.render()[0])
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


def opened(browser: Browser, path: Path, size: tuple[int, int], scheme: str) -> Page:
    """The page, with all that is folded opened; any complaint or look at the network fails."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True
    )
    complaints = complaints_of(page)
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert not complaints
    return page


@SCHEMES
def test_nothing_is_cut_off_on_a_phone(browser, path, scheme) -> None:
    """The page is as wide as the screen, and so is everything in it."""
    page = opened(browser, path, PHONE, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => !e.closest('svg') && "
        "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert not wide
    small = page.evaluate(SMALL_LETTERS)
    assert not small, "letters of less than 8.5 pixels"


@pytest.mark.parametrize("size", [DESK, PHONE])
@SCHEMES
def test_every_text_can_be_read(browser, path, size, scheme) -> None:
    contrasts = opened(browser, path, size, scheme).evaluate(CONTRASTS)
    assert len(contrasts) > 100
    assert not [found for found in contrasts if found[0] < LEAST_CONTRAST]


def test_the_first_screen_has_the_five_verdicts(browser, path) -> None:
    """On a desk all five cards are there without scrolling, each with a claim, a plot, a verdict
    and the command that repeats it."""
    page = opened(browser, path, DESK, "light")
    cards = page.locator(".card")
    assert cards.count() == len(CLAIMS)
    for i, claim in enumerate(CLAIMS):
        card = cards.nth(i)
        assert card.bounding_box()["y"] + card.bounding_box()["height"] <= DESK[1]
        assert claim.claim in card.inner_text() and claim.command in card.inner_text()
        assert card.locator(".bar").count() == 2
        card.locator("h2 a").click()
        assert page.url.endswith(f"#document-{claim.document}")


def test_verdicts_and_their_count_are_those_of_the_files(browser, path) -> None:
    """What stands on the page is what the files give, row by row; the numbers on the first screen
    are those of the rows of all documents."""
    page = opened(browser, path, DESK, "light")
    _, measured = report.all_evidence()
    for claim in CLAIMS:
        section = page.locator(f"#document-{claim.document}")
        wanted = {row.entry.id: row for row in report.published(claim.document, measured)}
        shown = section.locator("table.published tbody tr").all_inner_texts()
        assert len(shown) == len(wanted)
        for line in shown:
            row = wanted[re.search(r"\bH\d\.\d+(-bytes)?", line)[0]]
            assert row.verdict in line, line
            assert row.entry.reason in section.inner_text()
        card = page.locator(f"#card-{claim.document} .result")
        assert card.get_attribute("data-verdict") in card.inner_text()
    counts = scoreboard.count(scoreboard.lines(measured))
    numbers = page.locator(".tally b").all_inner_texts()
    assert [int(n) for n in numbers] == [counts[word] for word in judge.WORDS]
