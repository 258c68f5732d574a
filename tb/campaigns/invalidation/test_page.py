"""docs/invalidation.md has the figures that `make invalidation` recorded, where it writes them."""

import json

from campaigns.invalidation.run import COPY, PAGE, with_section


def test_the_page_has_what_was_recorded():
    text = PAGE.read_text()
    assert with_section(text, json.loads(COPY.read_text())) == text, "make invalidation writes it"
