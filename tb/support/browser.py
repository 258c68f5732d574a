"""The browser of tests of pages: Debian's Chromium."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--no-sandbox",  # in a container there is none to be had
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOCAL = ("file:", "data:", "blob:")


def complaints_of(page: Page) -> list[str]:
    """What it will complain of, and where in the network it will look."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("request", lambda request: request.url.startswith(LOCAL) or found.append(request.url))
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium")
    assert program, "the browser is missing; make setup installs Debian's package chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()
