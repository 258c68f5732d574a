"""The table of make dma: the page shows the recorded figures, and its ratios follow from them."""

import json

from tools.dma.run import (
    COPY,
    OPERATIONS,
    PAGE,
    SIZES,
    STATES,
    cells,
    list_rows,
    list_table,
    with_section,
)

RECORDED = json.loads(COPY.read_text())


def test_the_page_shows_what_was_measured():
    text = PAGE.read_text()
    assert with_section(text, RECORDED) == text, "make dma writes it"


def test_every_page_size_operation_and_state_is_there():
    costs = [row for row in RECORDED["figures"] if "operation" in row]
    found = {(row["size"], row["operation"], row["state"]) for row in costs}
    assert found == {(s, o, t) for s in SIZES for o in OPERATIONS for t in STATES}
    assert [row["size"] for row in RECORDED["figures"] if "each" in row] == list(SIZES)


def test_a_ratio_says_how_many_times_faster_the_engine_is():
    row = {"size": "4k", "operation": "zero", "state": "cold"}
    row |= {f"{who}{cost}": n for who, n in (("cpu", 300.0), ("dma", 200.0))
            for cost in ("", ".used", ".busy")}  # fmt: skip
    assert cells(row)[4] == cells(row)[7] == "1.50"


def test_what_a_list_saves_is_the_difference():
    found = list_rows("4k", {"D.list.each": 4718.25, "D.list.one": 3976.5})
    assert list_table(found).splitlines()[-1] == "| 4k | 4,718 | 3,976 | 742 |"
