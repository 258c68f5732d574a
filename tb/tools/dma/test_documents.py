"""The table of make dma over the documents' experiments: its ratios follow from the figures."""

import pytest

from figures.measure import Failed
from tools.dma.documents import EXPERIMENTS, MEASURED, WHO, cells, row
from tools.dma.run import SIZES

FIGURES = MEASURED.recorded()["figures"]


def test_every_experiment_and_page_size_is_there():
    found = {(row["experiment"], row["size"]) for row in FIGURES}
    assert found == {(e, s) for e in EXPERIMENTS for s in SIZES}


def test_the_engine_did_all_that_the_rows_count():
    for found in FIGURES:
        assert found["engine"] == found["cleared"] + found["copied"] > 0, found


def figures(pages: int, cycles: float, engine: int) -> dict[str, float]:
    found = {"zero": cycles - 10, "zero.pages": pages, "zero.by_engine": engine}
    found |= {"cow": 10, "cow.pages": 1, "cow.by_engine": engine and 1, "all": 2 * cycles}
    return {f"P.{name}": value for name, value in found.items()}


def test_a_ratio_says_how_many_times_faster_the_engine_is():
    made = row("4k", "e003", {"cpu": figures(5, 600.0, 0), "dma": figures(5, 400.0, 5)})
    assert made["engine"] == 6
    assert cells(made)[1:] == ("4k", "5", "1", "600", "400", "1.50", "1,200", "800", "1.50")


def test_both_boots_clear_and_copy_the_same_pages():
    with pytest.raises(Failed, match="e003 at 16k"):
        row("16k", "e003", {who: figures(5 + (who == "dma"), 100.0, 0) for who in WHO})
