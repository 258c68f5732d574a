"""The scoreboard is the rows of the catalogue, judged from the files that commands wrote."""

import json
from dataclasses import replace

import pytest

from figures import judge, scoreboard
from figures.catalogue import ARITHMETIC, INVARIANT, load, of_class
from figures.rows import row_of
from figures.test_rows import figure

LINES = scoreboard.lines()
BY_ID = {row.entry.id: row for row in LINES}


def counted_again() -> dict[str, int]:
    """From the JSON files and the catalogue, without the code that looks a figure up."""
    demo, campaign, flush = (
        json.loads((scoreboard.DATA / f"{name}.json").read_text())["figures"]
        for name in ("demo", "figures", "flush")
    )
    by_places = sorted(campaign, key=lambda r: r["placements"])
    values = {}
    for figures, name in ((demo, "value"), (by_places, "median")):
        for r in figures:
            of_document = r["configuration"] in ("teaching", "the document's")
            if of_document and r["granule"] in ("4k", "any"):
                values[r["id"]] = r[name]
    hashed = {r["id"]: r["ours"]["with the table"] for r in flush if r["id"]}
    tally: dict[str, int] = {}
    for e in of_class("measured"):
        mine = hashed if e.document == "001" and not e.machine else values
        other = load().get(e.beside)
        beside = (mine[other.ours], other.published) if other else None
        word = judge.verdict(mine.get(e.ours), e, beside)
        tally[word] = tally.get(word, 0) + 1
    return tally


def test_the_count_is_recounted_from_the_json():
    """tb/docs/test_readme.py asks whether README shows it."""
    assert scoreboard.count(LINES) == counted_again()


def test_what_is_true_by_construction_holds():
    lines = scoreboard.lines(None, ARITHMETIC, INVARIANT)
    assert {row.verdict for row in lines} <= {judge.HOLDS, judge.UNMEASURED, judge.TO_MEASURE}
    assert not any(row.counted for row in lines)


def test_every_row_that_owes_a_reason_has_one():
    assert scoreboard.unexplained(LINES) == []
    bare = [replace(row, entry=replace(row.entry, reason="")) for row in LINES]
    assert "H2.4" in {row.entry.id for row in scoreboard.unexplained(bare)}


def test_rows_stand_on_the_machine_of_their_document():
    assert {BY_ID[i].machine for i in ("H1.1", "H1.16")} == {"teaching_hashed"}
    assert BY_ID["H2.2"].value == 1.0 and dict(BY_ID["H2.2"].also)["with NRU replacement"] < 0.6
    assert BY_ID["H3.5"].found.source == "make figures, e003-plain"
    assert BY_ID["H4.1"].entry.figure == "H4.1-1G"


def measured(identity: str, value: float, granule: str = "4k", cache: str = "teaching"):
    return row_of(figure(id=identity, value=value, run=granule, configuration=cache))


def test_a_demo_judges_what_it_measured_and_says_what_it_did_not():
    there = [
        measured("H0.1", 0.5),
        measured("H0.2", 9.0, "64k"),
        measured("H0.3", 9.0, "4k", "ulx3s"),
    ]
    rows = {row.entry.id: row for row in scoreboard.lines(there)}
    assert (rows["H0.1"].verdict, rows["H0.1"].found.source) == (judge.OPPOSITE, "this run")
    assert rows["H0.2"] == BY_ID["H0.2"], "64K is not in the count"
    assert rows["H0.3"] == BY_ID["H0.3"], "nor is another cache"


def test_what_is_to_be_measured_is_listed():
    assert scoreboard.unlisted(LINES, []) == []


def test_a_row_that_differs_and_is_not_listed_is_found(monkeypatch):
    other = [replace(BY_ID["H0.1"], verdict=judge.OPPOSITE)]
    waiting = {r.entry.id: "" for r in LINES if r.verdict == judge.TO_MEASURE}
    for listed, found in ((waiting, ["H0.1: published near, measured opposite"]),
                          (waiting | {"H0.1": "why"}, [])):  # fmt: skip
        monkeypatch.setattr(scoreboard, "stale", lambda listed=listed: listed)
        assert scoreboard.unlisted(LINES, other) == found


@pytest.mark.parametrize("text", ['["H9.9"]\nreason = "x"', '["H0.1"]\nreason = ""'])
def test_the_list_names_rows_and_reasons(text):
    with pytest.raises(ValueError, match=r"is no row of the catalogue, or has no reason"):
        scoreboard.parse_stale(text)
