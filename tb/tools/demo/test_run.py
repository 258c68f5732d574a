"""What makes the demo fail, and that it says so."""

from dataclasses import fields, replace
from io import StringIO
from threading import Event

import pytest
from rich.console import Console
from rich.table import Table

from figures import boots, judge, measure, rows, scoreboard, view
from figures.rows import Row, recorded
from granule import simulator
from granule.figures import Figure
from granule.figures import curves as curves_of
from support import results
from support.root import ROOT
from tools.demo import run
from tools.demo.run import Run, errors

MEASURED = [
    *(Row(f"H{n}.x", f"00{n}", "a figure", "teaching", "4k", "figure", 1.0, "cycles")
      for n in range(5)),
    Row("P.1", "machine", "checks", "teaching", "4k", "invariant", 0, "violations"),
]  # fmt: skip


def ended(configuration: str, granule: str, status: int = 0) -> Run:
    counts = simulator.Counts(1, 1, {}, {})
    return Run(granule, 1.0, simulator.Run(status, "", "", configuration, counts))


def found(measured=MEASURED, judged=None, status=0) -> list[str]:
    lines = scoreboard.lines() if judged is None else judged
    return errors([ended("teaching", "4k", status)], measured, lines)


def test_nothing_is_wrong_where_everything_has_its_reason():
    assert found() == []


def test_a_difference_without_a_reason_fails():
    (row,) = (r for r in scoreboard.lines() if r.entry.id == "H2.4")
    bare = replace(row, entry=replace(row.entry, reason=""))
    (line,) = found(judged=[bare])
    assert line.startswith("H2.4 is same sign") and "gives no reason" in line
    (line,) = found(judged=[replace(row, verdict=judge.FAILS)])
    assert line == "H2.4 fails"


def test_a_failure_and_a_bad_end_are_named():
    failed = replace(MEASURED[-1], verdict=rows.FAILED)
    assert found([*MEASURED, failed]) == ["P.1 teaching FAIL"]
    assert found(status=2) == ["teaching 4k ended with status 2"]


def test_a_document_without_figures_is_named():
    assert found(MEASURED[:-1]) == ["no figure came for document machine"]


def printed(shown: Table, width: int) -> str:
    """Nothing of it is cut off."""
    console = Console(width=width, file=StringIO(), soft_wrap=True)
    console.print(shown)
    text = console.file.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    return text


def heads(text: str) -> set[str]:
    line = next(line for line in text.splitlines() if "┃" in line)
    return {word.strip("┃ ") for word in line.split("┃")}


@pytest.mark.parametrize("width", [110, 120, run.FILE_WIDTH])
def test_tables_are_whole_on_a_terminal(width: int) -> None:
    for document in view.DOCUMENTS:
        mine = [row for row in recorded()[0] if row.document == document]
        shown = run.table(view.TITLES[document], mine, width)
        assert shown.row_count == len(view.lines(mine))
        assert {"id", "what", "cache", *view.GRANULES} <= heads(printed(shown, width))
    judged = scoreboard.lines()
    shown = run.board_table(judged, width)
    assert shown.row_count == sum(row.counted for row in judged)
    assert "as recorded by `make flush`" in shown.caption, "what the demo does not boot is named"
    names = heads(printed(shown, width))
    assert {"id", "what", "verdict", "published", "ours", "times"} <= names
    assert ("remarks" in names) == (width == run.FILE_WIDTH)


def test_pairs_of_images_do_not_wait_for_the_last_boot(monkeypatch: pytest.MonkeyPatch):
    """The last run=all ends only when a pair has begun, which needs the worker beside it."""
    begun, shown = Event(), []

    def boot(configuration: str, granule: str) -> Run:
        if (configuration, granule) == boots.planned(True)[-1]:
            assert begun.wait(timeout=20), "no pair began while the last boot ran"
        return ended(configuration, granule)

    def pair(wanted: boots.Boot, _folder: object) -> boots.Outcome:
        begun.set()
        return boots.Outcome(wanted, [], [])

    monkeypatch.setattr(run, "boot", boot)
    monkeypatch.setattr(boots, "run", pair)
    walks = {f"G.walks.{granule}": 1000.0 for granule in view.GRANULES}
    monkeypatch.setattr(measure.Boot, "values", lambda _: walks)
    show = lambda number, run: shown.append((number, run.done.configuration))  # noqa: E731
    runs, pairs, together = run.boot_all(True, 2, show)
    assert "1,000 at 4k, 1,000 at 16k, 1,000 at 64k" in together
    assert shown == [*enumerate([cache for cache, _ in boots.planned(True)], 1)]
    assert len(runs) == len(shown) and pairs and all(len(p.boot.images) > 1 for p in pairs)


def test_curves_go_to_the_file_of_their_document(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    points = [f"SERIES name=e001.cost.range run=4k x={x} y={y}" for x, y in ((1, 19), (64, -0.25))]
    curves = curves_of("\n".join(points), "teaching")
    run.save([], curves, "make demo")
    assert results.read("document-001")["series"] == curves


def test_larger_pages_boot_on_one_cache_unless_all_is_wanted():
    caches = list(run.SIMULATORS)
    larger = [(caches[0], granule) for granule in view.GRANULES[1:]]
    assert boots.planned(False) == [*((c, "4k") for c in caches), *larger]
    assert len(boots.planned(True)) == len(view.GRANULES) * len(caches)


def replayed(booted: list[tuple[str, str]]) -> list[Figure]:
    """The published figures as these boots would print them again."""
    figures = []
    for row in recorded()[0]:
        everywhere = row.granule == rows.ANY or row.configuration == rows.THEIRS
        for cache, granule in booted if everywhere else [(row.configuration, row.granule)]:
            here = row.configuration in (cache, rows.THEIRS) and (cache, granule) in booted
            if here and row.value is not None:
                same = {f.name: getattr(row, f.name, None) for f in fields(Figure)}
                figures.append(Figure(**same | {"run": granule, "configuration": cache}))
    return figures


@pytest.mark.parametrize("full", [False, True])
def test_the_demo_counts_as_readme_does(full: bool) -> None:
    """Boots that print what was published get README's count, with FULL=1 and without, and a demo
    that comes out otherwise says where."""
    judged = scoreboard.lines(rows.rows(replayed(boots.planned(full))))
    booted = {row.entry.document for row in judged if row.found and row.found.source == "this run"}
    assert booted >= {"000", "002"}, "they are rows of this run"
    assert scoreboard.summary(judged) in (ROOT / "README.md").read_text()
    assert run.beside_the_record(judged).endswith("the same verdicts")
    first = replace(judged[0], verdict=judge.OPPOSITE)
    assert "H0.1: published near, measured opposite" in run.beside_the_record([first])
