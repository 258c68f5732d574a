"""What makes the demo fail, and that it says so."""

from dataclasses import replace
from threading import Event

import pytest

from figures import boots, rows, view
from figures.catalogue import load
from figures.record import recorded
from figures.rows import Row
from granule.figures import Figure
from support.root import ROOT
from tools.demo import run
from tools.demo.run import Run, errors


def explained() -> list[Row]:
    """Every published figure as if it were open for a reason: nothing is wrong."""
    entries = [replace(e, open="not built") for e in load().values() if e.kind]
    machine = Row("P.1", "machine", "checks", "teaching", "4k", "invariant", 0, "violations")
    return [*map(rows.opened, entries), machine]


def found(judged: list[Row], **changes) -> list[str]:
    boot = Run("teaching", "4k", [], [], [], 1.0, 0, "")
    return errors([replace(boot, **changes)], judged, [{"what": "a loop"}])


def test_nothing_is_wrong_where_everything_has_its_reason():
    assert found(explained()) == []


def test_a_difference_or_an_open_row_without_a_reason_fails():
    bare = replace(explained()[0], reason="")
    (line,) = found([*explained(), bare])
    assert "OPEN" in line and "gives no reason" in line
    differs = replace(bare, verdict="DIFF", value=2.0, configuration="ulx3s")
    (line,) = found([*explained(), differs])
    assert line.startswith(f"{differs.id} of ulx3s is DIFF")


def test_a_failure_and_a_bad_end_are_named():
    failed = replace(explained()[-1], verdict="FAIL")
    assert found([*explained(), failed]) == ["P.1 teaching FAIL"]
    assert found(explained(), status=2) == ["teaching 4k ended with status 2"]


def test_a_document_without_figures_is_named():
    assert found(explained()[:-1]) == ["no figure came for document machine"]
    assert errors([], explained(), []) == ["no line of document 002's table could be read"]


def test_the_table_of_the_terminal_has_every_row():
    judged = explained()[:3]
    shown = run.table("title", judged, run.WIDE)
    assert shown.row_count == len(view.lines(judged)) == 3


def test_pairs_of_images_do_not_wait_for_the_last_boot(monkeypatch: pytest.MonkeyPatch):
    """The last run=all ends only when a pair has begun, which needs the worker beside it."""
    begun, shown = Event(), []

    def boot(configuration: str, granule: str) -> Run:
        if configuration == "ulx3s":
            assert begun.wait(timeout=20), "no pair began while the last boot ran"
        return Run(configuration, granule, [], [], [], 1.0, 0, "")

    def pair(wanted: boots.Boot, _folder: object) -> boots.Outcome:
        begun.set()
        return boots.Outcome(wanted, [], [])

    monkeypatch.setattr(run, "boot", boot)
    monkeypatch.setattr(boots, "run", pair)
    show = lambda number, ended: shown.append((number, ended.configuration))  # noqa: E731
    runs, pairs = run.boot_all(("16k",), True, 2, show)
    assert shown == [(1, "teaching"), (2, "ulx3s")] and len(runs) == 2
    assert pairs and all(p.boot.granule == "16k" and len(p.boot.images) > 1 for p in pairs)


def test_larger_pages_boot_on_one_cache_unless_all_is_wanted():
    caches = list(run.SIMULATORS)
    assert boots.planned(("4k", "64k"), False) == [*((c, "4k") for c in caches), (caches[0], "64k")]
    assert len(boots.planned(view.GRANULES, True)) == len(view.GRANULES) * len(caches)


def replayed(booted: list[tuple[str, str]]) -> list[Figure]:
    """The published figures as these boots would print them again."""
    figures = []
    for row in recorded()[0]:
        everywhere = row.granule == rows.ANY or row.configuration == rows.THEIRS
        for cache, granule in booted if everywhere else [(row.configuration, row.granule)]:
            other = row.configuration not in (cache, rows.THEIRS)
            if row.value is None or other or (cache, granule) not in booted:
                continue
            figures.append(Figure(row.id, granule, row.cls, row.value, row.unit, row.what, cache,
                                  row.model, row.tolerance, row.expected, row.verdict))  # fmt: skip
    return figures


@pytest.mark.parametrize("full", [False, True])
def test_the_demo_counts_as_readme_does(full: bool) -> None:
    """Boots that print what was published get README's counts, with FULL=1 and without."""
    booted = boots.planned(view.GRANULES, full)
    counted = rows.closeness(rows.rows(replayed(booted)))
    assert counted in (ROOT / "README.md").read_text()
    assert run.beside_the_record(booted).endswith(counted)
