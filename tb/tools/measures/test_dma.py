"""The tables of make dma and make tlb-modes: what they derive from the recorded figures follows."""

from itertools import product

import pytest

from figures.measure import Failed
from tools.measures import dma
from tools.measures.dma import LOADS, MODES, OPERATIONS, SIZES, STATES, UNMAPPED, WHO

PAGES, DOCUMENTS, TLB = (m.recorded()["figures"] for m in (dma.PAGES, dma.DOCUMENTS, dma.TLB_MODES))


def places(rows: list[dict], *keys: str) -> set[tuple]:
    """Of the rows that have the keys."""
    return {tuple(row[key] for key in keys) for row in rows if keys[-1] in row}


def test_every_page_size_is_there_with_all_that_is_measured():
    assert places(PAGES, "size", "operation", "state") == set(product(SIZES, OPERATIONS, STATES))
    assert [row["size"] for row in PAGES if "each" in row] == list(SIZES)
    assert places(DOCUMENTS, "experiment", "size") == set(product(dma.EXPERIMENTS, SIZES))
    assert places(TLB, "size", "mode", "load") == set(product(SIZES, MODES, LOADS))
    assert places(TLB, "size", "left") == set(product(SIZES, MODES))


def test_a_ratio_says_how_many_times_faster_the_engine_is():
    row = {"size": "4k", "operation": "zero", "state": "cold"}
    row |= {f"{who}{cost}": n for who, n in (("cpu", 300.0), ("dma", 200.0)) for cost in dma.COSTS}
    assert dma.page_cells(row)[4] == dma.page_cells(row)[7] == "1.50"


def test_what_a_list_saves_is_the_difference():
    cells = dma.list_cells({"size": "4k", "each": 4718.25, "one": 3976.5})
    assert cells == ("4k", "4,718", "3,976", "742")


def test_the_engine_did_all_that_the_rows_count():
    for found in DOCUMENTS:
        assert found["engine"] == found["cleared"] + found["copied"] > 0, found


def figures(pages: int, cycles: float, engine: int) -> dict[str, float]:
    found = {"zero": cycles - 10, "zero.pages": pages, "zero.by_engine": engine}
    found |= {"cow": 10, "cow.pages": 1, "cow.by_engine": engine and 1, "all": 2 * cycles}
    return {f"P.{name}": value for name, value in found.items()}


def test_a_document_has_the_ratios_of_its_pages_and_of_its_run():
    found = {"cpu": figures(5, 600.0, 0), "dma": figures(5, 400.0, 5)}
    made = dma.document_row("4k", "e003", found)
    shown = ("4k", "5", "1", "600", "400", "1.50", "1,200", "800", "1.50")
    assert made["engine"] == 6 and dma.document_cells(made)[1:] == shown


def test_both_boots_clear_and_copy_the_same_pages():
    with pytest.raises(Failed, match="e003 at 16k"):
        dma.document_row("16k", "e003", {who: figures(5 + (who == "dma"), 1e2, 0) for who in WHO})


def test_only_none_leaves_something_to_the_cpu_and_local_to_the_engine():
    for row in (row for row in TLB if "left" in row):
        assert (row["cpu"] > 0) == (row["left"] == "none"), row
        assert (row["device"] > 0) == (row["left"] in ("none", "local")), row


@pytest.mark.parametrize(
    ("cpu", "device", "said"),
    [
        (0, 0, "safe"),
        (0, 4, "safe where no device uses the address space"),
        (4, 0, "unsafe"),
        (1, 4, "unsafe"),
    ],
)
def test_a_verdict_is_what_is_left(cpu, device, said):
    rows = [{"size": "4k", "left": mode, "cpu": 0, "device": 0} for mode in MODES]
    rows[0] |= {"cpu": cpu, "device": device}
    assert dma.left_table(rows).splitlines()[2] == f"| each | {cpu} | {device} | {said} |"


def cost(mode: str, send: float, wait: float, held: float = 0) -> dict:
    parts = {"send": send, "wait": wait, "held": held}
    return {"mode": mode} | {f"{p}.{n}": v * n for n in UNMAPPED for p, v in parts.items()}


def test_a_cell_has_all_cycles_and_the_wait_beside():
    lines = dma.cost_table([cost("broadcast", 30.0, 5.0), cost("none", 10.0, 0.0)]).splitlines()
    cells = "35 (5) | 140 (20) | 560 (80) | 2,240 (320) | 17,920 (2,560) | 25.0"
    assert lines[2] == f"| broadcast | {cells} |"
    assert lines[3].startswith("| none | 10 | 40 |") and lines[3].endswith("| 5,120 |  |")


def test_a_full_queue_is_told():
    assert dma.held_text([cost("local", 1, 1)]).startswith("With 512 pages no TLBI waits")
    assert "512 in ipi" in dma.held_text([cost("local", 1, 1), cost("ipi", 1, 1, held=1.0)])
