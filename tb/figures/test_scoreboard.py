"""The scoreboard is the rows of the catalogue, judged from the files that commands wrote; README
shows it, and what was changed by hand is noticed."""

import json
import re
from dataclasses import replace

import pytest

from figures import board, judge, scoreboard, stale
from figures.catalogue import ARITHMETIC, INVARIANT, load, of_class
from figures.record import RECORDED
from figures.rows import SPREADS, row_of
from granule.figures import parse
from support.root import ROOT

README = (ROOT / "README.md").read_text()


def recorded() -> list[scoreboard.Line]:
    return scoreboard.lines()


def by_id(found: list[scoreboard.Line]) -> dict[str, scoreboard.Line]:
    return {row.entry.id: row for row in found}


def test_every_measured_number_of_the_texts_is_one_row():
    ids = [row.entry.id for row in recorded()]
    assert ids == [e.id for e in of_class("measured")] and len(ids) == len(set(ids))
    assert all(row.counted for row in recorded() if row.verdict in judge.WORDS)


def counted_again() -> dict[str, int]:
    """From the JSON files and the catalogue, without the code that looks a figure up."""
    campaign = sorted(json.loads(SPREADS.read_text())["figures"], key=lambda r: r["placements"])
    demo = json.loads(RECORDED.read_text())["figures"]
    flush = json.loads(scoreboard.FLUSH.read_text())["figures"]
    caches = ("teaching", "the document's")
    values = {r["id"]: r["value"] for r in demo if r["configuration"] in caches
              and r["granule"] in ("4k", "any")}  # fmt: skip
    values |= {r["id"]: r["median"] for r in campaign if r["configuration"] in caches
               and r["granule"] in ("4k", "any")}  # fmt: skip
    hashed = {r["id"]: r["ours"]["with the table"] for r in flush if r["id"]}
    tally: dict[str, int] = {}
    for e in of_class("measured"):
        mine = hashed if e.document == "001" and not e.machine else values
        other = load().get(e.beside)
        beside = (mine[other.ours], other.published) if other else None
        word = judge.verdict(mine.get(e.ours), e, beside)
        tally[word] = tally.get(word, 0) + 1
    return tally


def test_the_count_in_the_readme_is_recounted_from_the_json():
    tally = counted_again()
    assert scoreboard.count(recorded()) == tally
    said = ", ".join(f"{tally.get(word, 0)} {word}" for word in judge.WORDS)
    assert README.count(f"are judged here: {said}.") >= 1
    good = tally[judge.NEAR] + tally[judge.AGREES]
    of = sum(tally.get(word, 0) for word in judge.WORDS)
    assert f"So {good} of {of} are near or agree." in README
    table = re.findall(r"^\| \d{3}: .*? \| (.*) \|$", README, re.M)
    sums = [sum(map(int, column)) for column in zip(*(r.split(" | ") for r in table), strict=True)]
    shown = [*judge.WORDS, *(w for w in (judge.TO_MEASURE, judge.UNMEASURED) if tally.get(w))]
    assert sums == [tally.get(word, 0) for word in shown]


PAGE = (ROOT / "docs" / "figures.md").read_text()


def contradicted(page: str) -> list[str]:
    """Rows whose verdict on the page is another one than follows from the files."""
    return [
        row.entry.id
        for row in recorded()
        if row.verdict != judge.UNMEASURED
        and f"| {row.entry.id} | {row.entry.what} | {row.verdict} |" not in page
    ]


def test_a_verdict_changed_by_hand_is_noticed():
    """The gate itself: each verdict of docs/figures.md, changed, is found."""
    assert contradicted(PAGE) == []
    for row in (r for r in recorded() if r.counted):
        other = judge.SAME if row.verdict == judge.NEAR else judge.NEAR
        start = f"| {row.entry.id} | {row.entry.what} | "
        assert contradicted(PAGE.replace(start + row.verdict, start + other)) == [row.entry.id]


def test_what_is_true_by_construction_holds():
    lines = scoreboard.lines(None, ARITHMETIC, INVARIANT)
    assert {row.verdict for row in lines} <= {judge.HOLDS, judge.UNMEASURED, judge.TO_MEASURE}
    assert not any(row.counted for row in lines)


def test_every_row_that_owes_a_reason_has_one(monkeypatch):
    assert scoreboard.unexplained(recorded()) == []
    bare = [replace(row, entry=replace(row.entry, reason="")) for row in recorded()]
    assert "H2.4" in {row.entry.id for row in scoreboard.unexplained(bare)}


def test_rows_stand_on_the_machine_of_their_document():
    rows = by_id(recorded())
    assert {rows[i].machine for i in ("H1.1", "H1.16")} == {"teaching_hashed"}
    assert rows["H2.2"].value == 1.0 and dict(rows["H2.2"].also)["with NRU replacement"] < 0.6
    assert rows["H3.5"].found.source == "make figures, e003-plain"
    assert rows["H4.1"].entry.figure == "H4.1-1G"


def measured(identity: str, value: float, granule: str = "4k", cache: str = "teaching"):
    unit = "ratio"
    text = f"RESULT id={identity} run={granule} class=figure value={value} unit={unit} what=x"
    return row_of(parse(text, cache))


def test_a_demo_judges_what_it_measured_and_says_what_it_did_not():
    rows = by_id(scoreboard.lines([measured("H0.1", 0.5), measured("H0.2", 9.0, "64k"),
                                   measured("H0.3", 9.0, "4k", "ulx3s")]))  # fmt: skip
    recorded_rows = by_id(recorded())
    assert (rows["H0.1"].verdict, rows["H0.1"].found.source) == (judge.OPPOSITE, "this run")
    assert rows["H0.2"] == recorded_rows["H0.2"], "64K is not in the count"
    assert rows["H0.3"] == recorded_rows["H0.3"], "nor is another cache"


# ---- what is older than the sources ------------------------------------------------------------


def test_what_is_to_be_measured_is_listed():
    assert stale.unlisted(recorded(), []) == []


def test_a_row_that_differs_and_is_not_listed_is_found(monkeypatch):
    other = [replace(r, verdict=judge.OPPOSITE) for r in recorded() if r.entry.id == "H0.1"]
    monkeypatch.setattr(stale, "listed", lambda: {r.entry.id: "" for r in recorded()
                                                  if r.verdict == judge.TO_MEASURE})  # fmt: skip
    assert stale.unlisted(recorded(), other) == ["H0.1: published near, measured opposite"]
    monkeypatch.setattr(stale, "listed", lambda: {"H0.1": "why"})
    assert not any(text.startswith("H0.1") for text in stale.unlisted(recorded(), other))


@pytest.mark.parametrize("text", ['["H9.9"]\nreason = "x"', '["H0.1"]\nreason = ""'])
def test_the_list_names_rows_and_reasons(text):
    with pytest.raises(ValueError, match=r"is no row of the catalogue, or has no reason"):
        stale.parse(text)


def test_a_row_shows_all_that_a_reader_must_know():
    rows = by_id(recorded())
    assert "beside H1.16" in board.cells(rows["H1.17"])["remarks"]
    assert "beside 1,024" in board.cells(rows["H1.6"])["remarks"]
    assert "noise 0.0113" in board.cells(rows["H0.3"])["remarks"]
    assert "with NRU replacement: 0.5717" in board.cells(rows["H2.2"])["remarks"]
