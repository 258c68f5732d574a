"""Rows hold all that their verdict follows from; the summary counts them; tables show them."""

import json
from dataclasses import replace

import pytest

from figures import catalogue, judge, rows, view
from figures.rows import ANY, THEIRS, Row, row_of
from granule.figures import Figure, parse
from support.root import ROOT

LINE = "RESULT id=H0.1 run=4k class=figure value=1.0712 unit=ratio what=kernel_cycles"
HELD = "RESULT id=C.2.1 run=4k class=invariant value=0 unit=violations verdict=PASS what=zones"
EXACT = (
    "RESULT id=H0.5 run=4k class=arithmetic value=196608 unit=pages expected=196608 verdict=PASS "
    "what=pages"
)
PREDICTED = (
    "RESULT id=A-5.single run=4k class=model value=8000 unit=misses model=8000 tolerance=0 "
    "verdict=PASS what=misses"
)


@pytest.fixture(autouse=True)
def no_campaign(monkeypatch):
    """Verdicts of these tests hang on no recorded spread."""
    monkeypatch.setattr(rows, "spreads", dict)


def figure(**changes) -> Figure:
    return replace(parse(LINE, "teaching"), **changes)


def recorded(monkeypatch, least: float, median: float, most: float) -> None:
    spread = {"least": least, "median": median, "most": most, "placements": 16}
    monkeypatch.setattr(rows, "spreads", lambda: {("H0.1", "teaching", "4k"): spread})


def test_a_row_has_everything_that_its_verdict_follows_from():
    row = row_of(figure(value=1.3))
    assert (row.kind, row.published, row.verdict) == ("R", 1.0686, "DIFF")
    assert row.times == pytest.approx(0.3 / 0.0686)
    assert row.reason == catalogue.entry("H0.1").reason != ""
    assert row_of(figure()).reason == ""
    assert Row.of_json(json.loads(json.dumps(row.as_json()))) == row


def test_a_kind_of_some_granules_says_why():
    assert "the document measured 4K pages" in row_of(figure(run="16k")).reason


def test_a_failure_of_the_firmware_is_never_judged_away():
    failed = parse(EXACT.replace("=PASS", "=FAIL"), "teaching")
    assert row_of(failed).verdict == "FAIL"
    assert rows.count([row_of(failed)]) == {rows.FAILED: 1}


def test_the_median_of_a_spread_is_judged_while_it_describes_this_build(monkeypatch):
    recorded(monkeypatch, 1.1, 1.13, 1.2)
    inside, outside = row_of(figure(value=1.19)), row_of(figure(value=1.21))
    assert (inside.within, inside.judged_value, inside.verdict) == (True, 1.13, "PASS")
    assert (outside.within, outside.judged_value, outside.verdict) == (False, 1.21, "DIFF")
    assert view.spread(inside) == "1.1000 .. 1.1300 .. 1.2000"
    assert view.spread(outside).endswith("(outside)")


def test_the_experiment_at_more_places_has_the_spread(tmp_path, monkeypatch):
    monkeypatch.undo()
    one = {"id": "H4.1", "configuration": "teaching", "granule": "4k", "placements": 1}
    many = {**one, "placements": 16}
    (tmp_path / "figures.json").write_text(json.dumps({"figures": [many, one]}))
    monkeypatch.setattr(rows, "SPREADS", tmp_path / "figures.json")
    rows.spreads.cache_clear()
    assert rows.spreads()[("H4.1", "teaching", "4k")] == many
    rows.spreads.cache_clear()


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


def test_a_published_figure_that_was_not_measured_is_an_open_row():
    made = rows.rows([figure()])
    assert {row.id for row in made} >= {f"H4.{n}" for n in range(1, 8)}
    (hashed,) = [row for row in made if row.id == "H1.5"]
    assert (hashed.verdict, hashed.value) == ("OPEN", None)
    assert "hashed page table" in hashed.reason
    assert [row.id for row in made if row.id == "H0.1"] == ["H0.1"]


def test_a_difference_without_a_reason_is_found(monkeypatch):
    bare = replace(catalogue.entry("H0.1"), reason="")
    monkeypatch.setattr(rows, "entry", lambda identity: bare)
    assert rows.unexplained([row_of(figure(value=1.3))])
    assert not rows.unexplained([row_of(figure())])


def lines() -> list[Row]:
    figures = [figure(), figure(id="H0.2", value=1.05), figure(id="H0.2", run="16k", value=0.9),
               figure(id="H0.map", value=282.0)]  # fmt: skip
    return [row_of(f) for f in figures] + [
        row_of(parse(line, "teaching")) for line in (HELD, EXACT, PREDICTED)
    ]


def test_the_summary_tells_apart_what_a_figure_stands_beside():
    assert rows.summary(lines()) == (
        "3 figures beside a published one: 1 within 2x, 1 same direction, 1 other; "
        "0 published ones open\n"
        "1 beside a model of ours: all as predicted; 1 invariants: all held; "
        "1 results of arithmetic: all exact; 1 measured only; 0 failed"
    )


def test_a_line_of_the_table_has_the_granules_side_by_side():
    text = {line["id"]: line for line in view.lines(lines())}
    assert (text["H0.2"]["4k"], text["H0.2"]["16k"], text["H0.2"]["64k"]) == (
        "1.0500",
        "0.9000",
        "",
    )
    assert text["H0.2"]["verdict"] == "DIFF"
    assert text["H0.2"]["times"] == "7.81 / -15.6 / -"
    assert "C.2.1" not in text
    assert view.kept(lines()) == "Not shown: 1 invariant checked while it ran, all held."


def test_a_table_with_a_verdict_has_the_size_beside_it():
    missing = catalogue.Entry("H1.1", kind="R", published=44, open="not built yet")
    shown = view.columns(view.lines([rows.opened(missing)]))
    assert {"times", "verdict", "reason"} <= set(shown) and "4k" not in shown


def test_ids_are_in_the_order_of_their_numbers():
    ids = ["A-1.fit", "H0.10", "H0.2", "C.2.10", "H0.1"]
    assert sorted(ids, key=view.id_order) == ["H0.1", "H0.2", "H0.10", "A-1.fit", "C.2.10"]


# ---- what the repository holds of the last demo ------------------------------------------------


def published() -> list[dict]:
    path = ROOT / "docs" / "data" / "demo.json"
    return [Row.of_json(row).as_json() for row in json.loads(path.read_text())["figures"]]


def judged_again(row: dict) -> str | None:
    """The verdict that follows from the value, the published number and the kind of a row."""
    e = catalogue.Entry(
        row["id"],
        published=row["published"],
        unit=row["unit"],
        kind=row["kind"],
        noise=catalogue.entry(row["id"]).noise,
    )
    return judge.verdict(Row.of_json(row).judged_value, e, row["granule"])


def contradictions(found: list[dict]) -> list[str]:
    """Rows whose verdict is another one than the rule gives, or whose facts are no longer those of
    the catalogue."""
    wrong = []
    for row in found:
        e = catalogue.entry(row["id"])
        facts = (row["kind"], row["published"]) == (e.kind_at(row["granule"]), e.published)
        if row["value"] is None or row["verdict"] == judge.OPEN:
            good = facts and row["value"] is None and row["verdict"] == judge.OPEN
        elif row["verdict"] == "FAIL":
            good = row["class"] != "figure"
        elif row["kind"]:
            good = facts and row["verdict"] == judged_again(row)
        else:
            good = row["verdict"] == (None if row["class"] == "figure" else "PASS")
        if not good or (row["verdict"] in (judge.DIFF, judge.OPEN) and not row["reason"]):
            wrong.append(f"{row['id']} {row['configuration']} {row['granule']}")
    return wrong


def test_every_verdict_in_the_repository_follows_from_its_value():
    assert contradictions(published()) == []
    assert {row["id"] for row in published()} >= {
        name for name, e in catalogue.load().items() if e.kind
    }


def test_a_verdict_changed_by_hand_is_noticed():
    """The gate itself: each verdict of the repository, changed, is found."""
    for i, row in enumerate(published()):
        other = "DIFF" if row["verdict"] == "PASS" else "PASS"
        assert contradictions([{**row, "verdict": other}]), published()[i]


def test_the_summary_in_the_readme_is_recounted_from_the_rows():
    text = (ROOT / "README.md").read_text()
    summary = rows.summary([Row.of_json(row) for row in published()])
    assert summary in text
    wrong = [*published(), published()[0]]
    assert rows.summary([Row.of_json(row) for row in wrong]) not in text
