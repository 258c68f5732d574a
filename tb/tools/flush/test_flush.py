"""The table of make flush: what follows from what, and that the page shows the recorded figures."""

import json

from tools.flush.run import COPY, LINES, PAGE, WITH, WITHOUT, cells, with_section

# The document's own machine, in cycles of its 400 MHz.
THEIRS = {"H1.1": 44.0, "H1.2": 9.077, "H1.3": 1.056, "H1.page": 399.4, "H1.range": 432000.0,
          "H1.all": 4.4e6, "H1.scan": 1.312e6, "H1.scanned": 262144.0, "H1.9": 3.04,
          "H1.table": 4194304.0}  # fmt: skip


def test_the_document_would_pass():
    measured = {WITH: THEIRS, WITHOUT: {k: v for k, v in THEIRS.items() if "scan" not in k}}
    for line in LINES:
        row = cells(line, measured)
        assert 0.98 < float(row[4].replace(",", "")) < 1.02, row
        assert row[-1] in ("PASS", "", "shown"), row


def test_the_page_shows_what_was_measured():
    text = PAGE.read_text()
    assert with_section(text, json.loads(COPY.read_text())) == text, "make flush writes it"
