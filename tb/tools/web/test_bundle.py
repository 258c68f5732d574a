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
