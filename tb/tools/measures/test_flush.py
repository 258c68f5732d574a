"""The table of make flush: what follows from what."""

from figures import judge
from tools.measures.flush import LINES, MAIN, MEASURED, WITH, WITHOUT, cells, row

# The document's own machine, in cycles of its 400 MHz.
THEIRS = {"H1.1": 44.0, "H1.2": 9.077, "H1.3": 1.056, "H1.page": 399.4, "H1.range": 432000.0,
          "H1.all": 4.4e6, "H1.scan": 1.312e6, "H1.scanned": 262144.0, "H1.9": 3.04,
          "H1.table": 4194304.0}  # fmt: skip
IN_THE_MMU = {"H1.mmu_page": 20.0, "H1.mmu_range": 20.0, "H1.mmu_all": 20.0}


def recorded(theirs: dict[str, float]) -> list[dict]:
    theirs = theirs | IN_THE_MMU
    without = {k: v for k, v in theirs.items() if "scan" not in k}
    return [row(line, {WITH: theirs, WITHOUT: without, MAIN: without}) for line in LINES]


def test_the_document_would_be_near_itself():
    rows = recorded(THEIRS)
    table = {line[0]: line for line in (cells(r, rows) for r in rows) if line[0]}
    for line in table.values():
        assert line[4] == "" or 0.97 < float(line[4]) < 1.03, line
    said = {name: line[-1] for name, line in table.items() if line[-1]}
    near = {"H1.1", "H1.3", "H1.6", "H1.14", "H1.15", "H1.16", "H1.17"}
    assert said == dict.fromkeys(near, judge.NEAR)


def test_a_wipe_that_is_cheaper_than_the_scan_is_opposite():
    """Whatever its size: the document's memset is dearer than its scan."""
    rows = recorded(THEIRS | {"H1.all": 1.3e6})
    (wipe,) = (cells(r, rows) for r in rows if r["id"] == "H1.wipe")
    assert wipe[-1] == judge.OPPOSITE


def test_a_range_costs_hardly_more_than_a_page():
    """In software, register writes included, where a main TLB answers."""
    rows = {row["what"]: row["ours"] for row in MEASURED.recorded()["figures"]}
    assert rows["one range over one page"][MAIN] <= 1.5
    assert rows["1024 single flushes over one range"][MAIN] >= 200
    for kind in ("a page", "a range", "everything"):
        assert rows[f"cycles of the MMU for {kind}"][MAIN] <= 4
