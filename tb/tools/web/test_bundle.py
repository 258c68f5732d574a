"""What the page of traces refuses."""

import re

import pytest

from support.root import ROOT
from tools.web import bundle

SOURCES = ROOT / "docs" / "web"
BAD = {
    "{": "is no trace of the MMU",
    '{"trace":"granule-mmu","version":2}\n{}': "has version 2",
    '{"trace":"granule-mmu","version":1}': "has 0 cycles",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_trace_is_explained(tmp_path, text) -> None:
    file = tmp_path / "trace"
    file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(BAD[text])):
        bundle.write_viewer(SOURCES, file, tmp_path / "page")


@pytest.mark.parametrize("name", ["index", "machine", "lab0", "viewer"])
def test_pages_have_their_parts(name) -> None:
    """All of them, and the links between pages say which one this is."""
    page = bundle.whole(SOURCES / f"{name}.html")
    assert "<!--" not in page and page.count("style.css") == 1
    here = [f'<a href="{name}.html" aria-current="page">'] if name != "viewer" else []
    assert re.findall(r"<a [^>]*aria-current[^>]*>", page) == here


def test_all_pages_have_the_same_panes() -> None:
    """Of the MMU alone, of a machine that runs, and of a trace; what it lacks is hidden."""
    panes = [
        re.findall(r'<(?:div|button|p|output) id="(\w+)"', bundle.whole(SOURCES / f"{name}.html"))
        for name in ("index", "machine", "viewer")
    ]
    alone, machine, viewer = map(set, panes)
    assert "cache" in viewer and viewer < machine and viewer < alone
