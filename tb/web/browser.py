"""The pages in a browser, from a file and without a network."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from support.browser import complaints_of
from support.root import ROOT

WEB = ROOT / "build" / "web"
DESK, PHONE = (1280, 900), (390, 844)
PATIENCE = 120_000  # milliseconds
STICKS_OUT = """[...document.querySelectorAll('body *')].filter(e =>
  !e.closest('.scroll, pre, datalist') && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.outerHTML.slice(0, 80))"""


class Student:
    """Somebody before a page. Any complaint of it, or look at the network, fails at `leave`."""

    def __init__(
        self,
        browser: Browser,
        link: str = "",
        page: str | Path = "index",
        size: tuple[int, int] = DESK,
        scheme: str = "light",
    ):
        path = page if isinstance(page, Path) else WEB / f"{page}.html"
        assert path.exists(), f"{path} is missing: make web"
        self.page: Page = browser.new_page(
            viewport={"width": size[0], "height": size[1]}, offline=True, color_scheme=scheme
        )
        self.complaints = complaints_of(self.page)
        self.page.goto(path.as_uri() + link)
        self.page.wait_for_selector("body[data-done]", timeout=PATIENCE)

    def leave(self) -> None:
        self.page.close()
        assert not self.complaints

    def text(self, name: str) -> str:
        return self.page.inner_text(f"#{name}")

    @property
    def sentence(self) -> str:
        return self.text("sentence")

    @property
    def cycle(self) -> int:
        return int(self.text("cycle").split()[0].replace(",", ""))

    @property
    def link(self) -> str:
        """That leads here."""
        return "#" + self.page.url.split("#")[1]

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """What is done inside has been answered afterwards."""
        before = int(self.page.evaluate("document.body.dataset.done"))
        yield
        self.until(f"Number(document.body.dataset.done) > {before}")

    def until(self, condition: str, patience: int = PATIENCE) -> None:
        self.page.wait_for_function(condition, timeout=patience)

    def press(self, *keys: str) -> None:
        for key in keys:
            with self.waiting():
                self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        with self.waiting():
            self.page.click(selector)

    def example(self, name: str) -> None:
        self.click(f"#examples button:text-is('{name}')")

    def tell(self) -> list[str]:
        """Sentences from here to the end of what was asked for."""
        told = [self.sentence]
        while not self.page.is_disabled("#next"):
            self.click("#next")
            told.append(self.sentence)
        return told

    def seen(self, *panes: str) -> tuple:
        return self.cycle, self.sentence, *map(self.text, panes)

    def there_and_back(
        self, *panes: str, end: int | Callable[[], bool], keys: bool = False
    ) -> list[tuple]:
        """What is seen in so many steps, or until the `end`; on the way back it is the same."""
        move = self.press if keys else self.click
        forth, back = ("ArrowRight", "ArrowLeft") if keys else ("#next", "#back")
        forward = [self.seen(*panes)]
        while len(forward) <= end if isinstance(end, int) else not end():
            move(forth)
            forward.append(self.seen(*panes))
        backward = [forward[-1]]
        while self.cycle > forward[0][0]:
            move(back)
            backward.append(self.seen(*panes))
        assert backward[::-1] == forward
        return forward

    def go_to(self, words: str, key: str = "ArrowRight") -> None:
        while words not in self.sentence:
            self.press(key)

    def sticks_out(self) -> list[str]:
        """What is wider than the screen."""
        width, screen = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        wide = [] if width == screen else [f"the page: {width} pixels of {screen}"]
        return wide + self.page.evaluate(STICKS_OUT)
