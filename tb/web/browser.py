"""The page in a browser, from a file and without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from support.root import ROOT

INDEX = ROOT / "build" / "web" / "index.html"
DESK, PHONE = (1280, 900), (390, 844)
PATIENCE = 120_000  # milliseconds
LOCAL = ("file:", "data:", "blob:")


class Student:
    """Somebody before the page. Any complaint of it, or look at the network, fails at `leave`."""

    def __init__(
        self, browser: Browser, link: str = "", size: tuple[int, int] = DESK, page: Path = INDEX
    ):
        assert page.exists(), f"{page} is missing: make web"
        self.complaints: list[str] = []
        self.page: Page = browser.new_page(
            viewport={"width": size[0], "height": size[1]}, offline=True
        )
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)
        self.page.goto(page.as_uri() + link)
        self.page.wait_for_selector("body[data-done]", timeout=PATIENCE)

    def _request(self, request) -> None:
        if not request.url.startswith(LOCAL):
            self.complaints.append(request.url)

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

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """What is done inside has been answered afterwards."""
        before = int(self.page.evaluate("document.body.dataset.done"))
        yield
        self.page.wait_for_function(
            f"Number(document.body.dataset.done) > {before}", timeout=PATIENCE
        )

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
