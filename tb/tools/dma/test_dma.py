"""The table of make dma: its ratios follow from the recorded figures."""

from tools.dma.run import MEASURED, OPERATIONS, SIZES, STATES, cells, list_cells

FIGURES = MEASURED.recorded()["figures"]


def test_every_page_size_operation_and_state_is_there():
    costs = [row for row in FIGURES if "operation" in row]
    found = {(row["size"], row["operation"], row["state"]) for row in costs}
    assert found == {(s, o, t) for s in SIZES for o in OPERATIONS for t in STATES}
    assert [row["size"] for row in FIGURES if "each" in row] == list(SIZES)


def test_a_ratio_says_how_many_times_faster_the_engine_is():
    row = {"size": "4k", "operation": "zero", "state": "cold"}
    row |= {f"{who}{cost}": n for who, n in (("cpu", 300.0), ("dma", 200.0))
            for cost in ("", ".used", ".busy")}  # fmt: skip
    assert cells(row)[4] == cells(row)[7] == "1.50"


def test_what_a_list_saves_is_the_difference():
    cells = list_cells({"size": "4k", "each": 4718.25, "one": 3976.5})
    assert cells == ("4k", "4,718", "3,976", "742")
