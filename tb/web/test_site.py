"""A reader opens the site of `make site` from its folder: desk and phone, mouse and keyboard."""

import pytest
from playwright.sync_api import Browser, Page

from support.root import ROOT
from web.browser import DESK, LOCAL, PHONE

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

SITE = ROOT / "build" / "site"
MENU = ".md-sidebar--primary"
WIDE_PAGES = ("index.html", "docs/figures.html", "docs/mmu.html", "registers/mmu.html")
WIDE_PAGES += ("source/rtl/src/granule/tlb/MicroTlb.scala.html", "docs/labs/index.html")


@pytest.fixture
def complaints() -> list[str]:
    return []


def reader(browser: Browser, size: tuple[int, int], complaints: list[str], **more) -> Page:
    """Without a network; what a page asks of one, and what it cannot load, is a complaint."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, offline=True, **more
    )
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on(
        "requestfailed",  # not what a page that is left gives up, as its icon
        lambda request: "ABORTED" in request.failure or complaints.append(request.url),
    )
    page.on(
        "request",
        lambda request: None if request.url.startswith(LOCAL) else complaints.append(request.url),
    )
    page.goto((SITE / "index.html").as_uri())
    return page


def test_links_lead_on(browser, complaints) -> None:
    """To a page, from there to a line's source, and to the page of the machine."""
    page = reader(browser, DESK, complaints)
    page.click("main a:text-is('The MMU in an hour')")
    assert page.inner_text("h1") == "The MMU in an hour"
    assert page.inner_text(f"{MENU} .md-nav__link--active").strip() == "The MMU in an hour"
    page.click("main a[href*='MicroTlb.scala']")
    assert "MicroTlb.scala" in page.inner_text("h1")
    assert page.inner_text("#L1") == "package granule.tlb"
    page.click(f"{MENU} a:has-text('Step through the hardware')")
    page.wait_for_selector("body[data-done]", timeout=120_000)
    assert not complaints


@pytest.mark.parametrize("path", WIDE_PAGES)
def test_nothing_sticks_out_of_a_phone(browser, complaints, path) -> None:
    """What is wide scrolls by itself."""
    page = reader(browser, PHONE, complaints)
    page.goto((SITE / path).as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    pictures = "[...document.images].every(i => i.complete && i.naturalWidth)"
    assert page.evaluate(pictures)
    page.click("header label[for=__drawer]")
    page.wait_for_function(f"document.querySelector('{MENU}').getBoundingClientRect().left == 0")
    assert not complaints


@pytest.mark.parametrize("path", ["docs/figures.html", "docs/results.html"])
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_no_row_of_a_table_fills_the_screen(browser, complaints, path, size) -> None:
    """A column of sentences is wide enough to be read; the table scrolls."""
    page = reader(browser, size, complaints)
    page.goto((SITE / path).as_uri())
    heights = page.evaluate("[...document.querySelectorAll('tr')].map(row => row.clientHeight)")
    assert len(heights) > 10 and max(heights) < size[1] / 3
    assert not complaints


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


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_by_keyboard(browser, complaints, size) -> None:
    """The first link leads to the text."""
    page = reader(browser, size, complaints)
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")
    assert not complaints


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_search(browser, complaints, size) -> None:
    """By keyboard: / leads to any page, and n from there to the next one."""
    page = reader(browser, size, complaints)
    page.keyboard.press("/")
    page.keyboard.type("fill a page table")
    page.wait_for_selector(".md-search-result__link")
    page.keyboard.press("ArrowDown")
    for key, title in (
        ("Enter", "Lab 1: fill a page table"),
        ("n", "Lab 2: how far a TLB reaches"),
    ):
        with page.expect_navigation():
            page.keyboard.press(key)
        assert page.inner_text("h1") == title
    assert not complaints


def test_dark_where_the_reader_asks_for_it(browser, complaints) -> None:
    def brightness(scheme: str) -> int:
        page = reader(browser, DESK, complaints, color_scheme=scheme)
        return page.evaluate(
            "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
        )

    assert brightness("light") > 200 and brightness("dark") < 60
    assert not complaints
