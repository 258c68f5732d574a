"""docs/decisions: one short page a decision, with the same three parts."""

import re

from support.root import ROOT

FOLDER = ROOT / "docs" / "decisions"
LONGEST = 200  # words
PARTS = ["Context", "Decision", "Consequence"]


def misfits(pages: dict[str, str]) -> list[str]:
    """What is wrong with pages, by their file names."""
    found = []
    numbers = [name[:4] for name in pages]
    for name, text in pages.items():
        words = len(text.split())
        if not re.fullmatch(r"\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md", name):
            found.append(f"{name}: the name is not NNNN-title.md")
        if numbers.count(name[:4]) > 1:
            found.append(f"{name}: another page has this number")
        if words > LONGEST:
            found.append(f"{name}: {words} words; at most {LONGEST}")
        if re.findall(r"^## (.*)$", text, re.M) != PARTS:
            found.append(f"{name}: its sections are not {', '.join(PARTS)}")
        if not text.startswith("# "):
            found.append(f"{name}: its first line is no title")
    return found


def test_every_page_has_its_form():
    pages = {p.name: p.read_text() for p in FOLDER.glob("*.md") if p.name != "README.md"}
    assert misfits(pages) == []


def test_each_misfit_is_seen():
    good = "# T\n\n## Context\nA.\n\n## Decision\nB.\n\n## Consequence\nC.\n"
    assert misfits({"0001-a-b.md": good, "0002-c.md": good}) == []
    bad = {
        "1-a.md": (good, "not NNNN-title.md"),
        "0003-a.md": (good + "word " * 200, "at most 200"),
        "0004-a.md": (good.replace("## Decision", "## Choice"), "its sections"),
        "0005-a.md": ("T\n" + good, "no title"),
    }
    for name, (text, sentence) in bad.items():
        assert [sentence in m for m in misfits({name: text})] == [True]
    assert len(misfits({"0006-a.md": good, "0006-b.md": good})) == 2
