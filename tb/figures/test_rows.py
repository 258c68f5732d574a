"""Rows of the firmware's figures; tables show them."""

import json
from dataclasses import replace

import pytest

from figures import rows, view
from figures.rows import ANY, THEIRS, Row, row_of
from granule.figures import Figure, parse

LINE = "RESULT id=H0.1 run=4k class=figure value=1.0712 unit=ratio what=kernel_cycles"
EXACT = (
    "RESULT id=H0.5 run=4k class=arithmetic value=196608 unit=pages expected=196608 verdict=PASS "
    "what=pages"
)


@pytest.fixture(autouse=True)
def no_campaign(monkeypatch):
    """Rows of these tests hang on no recorded spread."""
    monkeypatch.setattr(rows, "spreads", dict)


def figure(**changes) -> Figure:
    return replace(parse(LINE, "teaching"), **changes)


def recorded(monkeypatch, least: float, median: float, most: float) -> None:
    spread = {"least": least, "median": median, "most": most, "placements": 16}
    monkeypatch.setattr(rows, "spreads", lambda: {("H0.1", "teaching", "4k"): spread})


def test_a_row_is_read_from_its_file():
    row = row_of(figure(value=1.3))
    assert Row.of_json(json.loads(json.dumps(row.as_json()))) == row


def test_a_failure_of_the_firmware_is_never_judged_away():
    failed = row_of(parse(EXACT.replace("=PASS", "=FAIL"), "teaching"))
    assert failed.verdict == rows.FAILED
    assert rows.count([failed]) == {rows.FAILED: 1}


def test_the_median_of_a_spread_counts_while_it_describes_this_build(monkeypatch):
    recorded(monkeypatch, 1.1, 1.13, 1.2)
    inside, outside = row_of(figure(value=1.19)), row_of(figure(value=1.21))
    assert (inside.within, inside.judged_value) == (True, 1.13)
    assert (outside.within, outside.judged_value) == (False, 1.21)
    assert view.spread(inside) == "1.1000 .. 1.1300 .. 1.2000"
    assert view.spread(outside).endswith("(outside)")


def test_the_experiment_at_more_places_has_the_spread(tmp_path, monkeypatch):
    monkeypatch.undo()
    one = {"id": "H4.1", "configuration": "teaching", "granule": "4k", "placements": 1}
    many = {**one, "placements": 16}
    (tmp_path / "figures.json").write_text(json.dumps({"figures": [many, one]}))
    monkeypatch.setattr(rows, "SPREADS", tmp_path / "figures.json")
    assert rows.spreads.__wrapped__()[("H4.1", "teaching", "4k")] == many


def test_what_does_not_depend_on_granule_or_cache_stands_once():
    same = [figure(id="H2.8", run=run, value=v) for run, v in (("4k", 9.45), ("16k", 9.46))]
    (once,) = rows.once(same)
    assert (once.run, once.configuration, once.value) == (ANY, "teaching", 9.45)
    theirs = [parse(EXACT, cache) for cache in ("teaching", "ulx3s")]
    assert [(f.configuration, f.run) for f in rows.once(theirs)] == [(THEIRS, ANY)]
    wrong = parse(EXACT.replace("=PASS", "=FAIL"), "ulx3s")
    assert len(rows.once([theirs[0], wrong])) == 2


def test_what_does_depend_on_it_after_all_is_not_merged():
    other = [figure(id="H2.8", run=run, value=v) for run, v in (("4k", 9.45), ("16k", 9.0))]
    assert rows.once(other) == other
