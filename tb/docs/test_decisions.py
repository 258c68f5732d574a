"""docs/decisions: one short page a decision, with the same three parts."""

import re
from collections import Counter

from support.root import ROOT

PAGES = {p.name: p.read_text() for p in (ROOT / "docs/decisions").glob("[!R]*.md")}
LONGEST = 200  # words
PARTS = ["Context", "Decision", "Consequence"]


def test_every_page_has_its_form():
    assert max(Counter(name[:4] for name in PAGES).values()) == 1, "a number is there twice"
    for name, text in PAGES.items():
        assert re.fullmatch(r"\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md", name), "not NNNN-title.md"
        assert len(text.split()) <= LONGEST and text.startswith("# "), name
        assert re.findall(r"^## (.*)$", text, re.M) == PARTS, name
