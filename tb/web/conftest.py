"""What every test of a page has: a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from support.browser import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched
