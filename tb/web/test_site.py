"""A reader opens the site of `make site` from its folder: desk and phone, mouse and keyboard."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from support.browser import complaints_of
from support.root import ROOT
from web.browser import DESK, PHONE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

SITE = ROOT / "build" / "site"
MENU = ".md-sidebar--primary"
WIDE_PAGES = ("index.html", "docs/figures.html", "docs/mmu.html", "registers/mmu.html")
WIDE_PAGES += ("source/rtl/src/granule/mmu/MicroTlb.scala.html", "docs/labs/index.html")
SIZES = pytest.mark.parametrize("size", [DESK, PHONE])


@pytest.fixture
def reader(browser) -> Iterator[Callable[..., Page]]:
    """Opens pages without a network; what one asks of it, or cannot load, is a complaint."""
    complaints: list[list[str]] = []

    def opened(size: tuple[int, int] = DESK, path: str = "index.html", **more) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        page = browser.new_context(viewport=viewport, offline=True, **more).new_page()
        found = complaints_of(page)
        page.on(
            "requestfailed",  # not what a page that is left gives up, as its icon
            lambda request: "ABORTED" in request.failure or found.append(request.url),
        )
        complaints.append(found)
        page.goto((SITE / path).as_uri())
        return page

    yield opened
    assert not any(complaints), complaints


def test_links_lead_on(reader) -> None:
    """To a page, from there to a line's source, and to the page of the machine."""
    page = reader()
    page.click("main a:text-is('The MMU in an hour')")
    assert page.inner_text("h1") == "The MMU in an hour"
    assert page.inner_text(f"{MENU} .md-nav__link--active").strip() == "The MMU in an hour"
    page.click("main a[href*='MicroTlb.scala']")
    assert "MicroTlb.scala" in page.inner_text("h1")
    assert page.inner_text("#L1") == "package granule.mmu"
    page.click(f"{MENU} a:has-text('Step through the hardware')")
    page.wait_for_selector("body[data-done]", timeout=120_000)


@pytest.mark.parametrize("path", WIDE_PAGES)
def test_nothing_sticks_out_of_a_phone(reader, path) -> None:
    """What is wide scrolls by itself."""
    page = reader(PHONE, path)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth)")
    page.click("header label[for=__drawer]")
    page.wait_for_function(f"document.querySelector('{MENU}').getBoundingClientRect().left == 0")


@pytest.mark.parametrize("path", ["docs/figures.html", "docs/results.html"])
@SIZES
def test_no_row_of_a_table_fills_the_screen(reader, path, size) -> None:
    """A column of sentences is wide enough to be read; the table scrolls."""
    heights = reader(size, path).evaluate(
        "[...document.querySelectorAll('tr')].map(row => row.clientHeight)"
    )
    assert len(heights) > 10 and max(heights) < size[1] / 3


OVERLAPS = """() => {
  const texts = [...document.querySelectorAll('text')].filter((t) => t.textContent.trim())
    .map((t) => [t.textContent, t.getBoundingClientRect()]);
  const over = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5;
  return texts.flatMap((a, i) => texts.slice(i + 1).filter((b) => over(a, b))
    .map((b) => `${a[0]} / ${b[0]}`));
}"""


def test_no_words_lie_over_others_in_pictures(browser) -> None:
    """Of the console's recording the pictures take turns."""
    pictures = [path for path in SITE.glob("docs/**/*.svg") if path.name != "console.svg"]
    assert len(pictures) > 10
    page = browser.new_page()
    found = {}
    for path in pictures:
        page.goto(path.as_uri())
        found[path.name] = page.evaluate(OVERLAPS)
    assert not any(found.values()), found


@SIZES
def test_by_keyboard(reader, size) -> None:
    """The first link leads to the text."""
    page = reader(size)
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")


@SIZES
def test_search(reader, size) -> None:
    """By keyboard: / leads to any page, and n from there to the next one."""
    page = reader(size)
    page.keyboard.press("/")
    page.keyboard.type("fill a page table")
    page.wait_for_selector(".md-search-result__link")
    page.keyboard.press("ArrowDown")
    titles = {"Enter": "Lab 1: fill a page table", "n": "Lab 2: how far a TLB reaches"}
    for key, title in titles.items():
        with page.expect_navigation():
            page.keyboard.press(key)
        assert page.inner_text("h1") == title
