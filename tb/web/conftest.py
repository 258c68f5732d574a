"""What every test of a page has: a browser, and pages that are opened in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from support.browser import chromium
from web.browser import Student


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def visit(browser) -> Iterator[Callable[..., Student]]:
    """Opens a page; at the end of the test none may have a complaint."""
    with ExitStack() as pages:

        def opened(*link: str, **how) -> Student:
            student = Student(browser, *link, **how)
            pages.callback(student.leave)
            return student

        yield opened
