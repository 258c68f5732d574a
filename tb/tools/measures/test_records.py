"""What was recorded is whole and holds; that pages show it is asked by tb/docs/test_measured.py."""

import json
import re
from dataclasses import asdict
from itertools import product

import click
import pytest

from figures import judge
from figures.measure import Failed, merged
from support.run import ROOT, built
from system.sw.firmware import boot
from tools.measures import caches, dma, entries, flush, stalls
from tools.measures.dma import LOADS, MODES, OPERATIONS, SIZES, STATES
from tools.measures.flush import MAIN, WITH, WITHOUT
from tools.measures.stalls import Spent, Unequal

# ---- make caches: document 002 on other data caches ---------------------------------------------
MISSES = {  # with one zero page, and with one for each of the four colours
    "ulx3s": (8000, 4),
    "ulx3s_copies": (4, 4),
    "ulx3s_physical": (1, 4),
}


def test_each_simulator_has_a_rule_and_was_measured():
    makefile = (ROOT / "tb" / "sim" / "sim.mk").read_text()
    own = re.search(r"CACHE_MACHINES := ((?:.|\\\n)*?)\n\w", makefile)[1].replace("\\", "").split()
    assert {name.partition("+")[0] for name in caches.MACHINES} == {*own, "teaching", "ulx3s"}
    measured = {key.split(" ")[0] for key in caches.MEASURED.recorded()["figures"]}
    assert measured == set(caches.MACHINES)


@pytest.mark.parametrize("topic", caches.TOPICS, ids=lambda t: t.title.split(":")[0])
def test_columns_are_figures_of_the_experiment(topic):
    assert set(topic.machines) <= set(caches.MACHINES)
    printed = "".join(path.read_text() for path in (ROOT / "sw/experiments").glob("e002*.c"))
    assert not [identity for identity in topic.columns if f'"{identity}"' not in printed]


@pytest.mark.xdist_group("experiments")
@pytest.mark.parametrize("config", MISSES)
def test_colours_help_one_design_only(config):
    """A-5 on the whole system: one zero page or four, in three designs of the same cache."""
    run = "all" if config == "ulx3s" else "e002"  # its group boots that one anyway
    result = boot(f"pagesize=4k run={run}", config)
    assert result.status == 0, result.text
    assert (result.value("A-5.single"), result.value("A-5.coloured")) == MISSES[config]
    assert ("A-7.single" in result.figures) == (config == "ulx3s_physical")


# ---- make dma, make tlb-modes -------------------------------------------------------------------
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


def test_the_engine_did_all_that_the_rows_count():
    for found in DOCUMENTS:
        assert found["engine"] == found["cleared"] + found["copied"] > 0, found


def test_both_boots_clear_and_copy_the_same_pages():
    found = {who: {"P.zero.pages": n, "P.cow.pages": 1} for n, who in enumerate(dma.WHO)}
    with pytest.raises(Failed, match="e003 at 16k"):
        dma.document_row("16k", "e003", found)


def test_only_none_leaves_something_to_the_cpu_and_local_to_the_engine():
    for row in (row for row in TLB if "left" in row):
        assert (row["cpu"] > 0) == (row["left"] == "none"), row
        assert (row["device"] > 0) == (row["left"] in ("none", "local")), row


# ---- make entry-figures -------------------------------------------------------------------------
def test_every_boot_is_recorded_once() -> None:
    rows = entries.MEASURED.recorded()["boots"]
    fields = entries.Placed._fields
    assert [entries.Placed(*map(row.get, fields)) for row in rows] == entries.all_boots()


def test_only_what_is_committed_is_measured(monkeypatch) -> None:
    monkeypatch.setattr(entries, "commit", lambda: "0123456789-dirty")
    with pytest.raises(click.ClickException, match="differ from commit 0123456789; commit them"):
        entries.committed()


# ---- make flush ---------------------------------------------------------------------------------
# The document's own machine, in cycles of its 400 MHz.
THEIRS = {"H1.1": 44.0, "H1.2": 9.077, "H1.3": 1.056, "H1.page": 399.4, "H1.range": 432000.0,
          "H1.all": 4.4e6, "H1.scan": 1.312e6, "H1.scanned": 262144.0, "H1.9": 3.04,
          "H1.table": 4194304.0}  # fmt: skip
IN_THE_MMU = {"H1.mmu_page": 20.0, "H1.mmu_range": 20.0, "H1.mmu_all": 20.0}


def cells(theirs: dict[str, float]) -> list[tuple[str, ...]]:
    theirs = theirs | IN_THE_MMU
    without = {k: v for k, v in theirs.items() if "scan" not in k}
    found = {WITH: theirs, WITHOUT: without, MAIN: without}
    rows = [flush.row(line, found) for line in flush.LINES]
    return [flush.cells(row, rows) for row in rows]


def test_the_document_would_be_near_itself():
    lines = [line for line in cells(THEIRS) if line[0]]
    for line in lines:
        assert line[4] == "" or 0.97 < float(line[4]) < 1.03, line
    near = {"H1.1", "H1.3", "H1.6", "H1.14", "H1.15", "H1.16", "H1.17"}
    assert {line[0]: line[-1] for line in lines if line[-1]} == dict.fromkeys(near, judge.NEAR)


def test_a_wipe_that_is_cheaper_than_the_scan_is_opposite():
    """Whatever its size: the document's memset is dearer than its scan."""
    said = {line[0]: line[-1] for line in cells(THEIRS | {"H1.all": 1.3e6})}
    assert said[flush.entry_of("H1.wipe").id] == judge.OPPOSITE


def test_a_range_costs_hardly_more_than_a_page():
    """In software, register writes included, where a main TLB answers."""
    rows = {row["what"]: row["ours"] for row in flush.MEASURED.recorded()["figures"]}
    assert rows["one range over one page"][MAIN] <= 1.5
    assert rows["1024 single flushes over one range"][MAIN] >= 200
    for kind in ("a page", "a range", "everything"):
        assert rows[f"cycles of the MMU for {kind}"][MAIN] <= 4


# ---- make stalls --------------------------------------------------------------------------------
REASONS = {f"stall_{name}": 0 for names in stalls.COLUMNS.values() for name in names}


def test_stalls_of_a_machine_are_of_one_run():
    """A row that nobody measures any more stays beside new ones, as if it were as old as they."""
    rows = stalls.MEASURED.recorded()["rows"]
    documents = {f"document {n}, {g[:-1]}K" for n in stalls.DOCUMENTS for g in stalls.GRANULES}
    linux = {f"boot to '{name}'" for name in stalls.BOOT} | {"shell script"}
    for config in stalls.CONFIGS:
        mine = [row for row in rows if row["configuration"] == config]
        assert {row["what"] for row in mine} == {"Dhrystone"} | documents | linux
        assert len({row["commit"] for row in mine}) == 1, config


def spent(cycles: int, retired: int, load: int, walks: int = 0) -> Spent:
    reasons = REASONS | {"stall_load": load}
    return Spent("Dhrystone", "teaching", "board", cycles, retired, reasons, {"walks": walks})


def test_every_reason_has_a_column():
    built("build/include/.ready")
    map_ = json.loads((ROOT / "build" / "include" / "granule_map.json").read_text())
    assert sorted(REASONS) == sorted(map_["stalls"])


def test_a_cycle_without_a_reason_is_refused():
    with pytest.raises(Unequal, match="50 cycles without an instruction, and reasons for 49"):
        spent(100, 50, 49)


def test_a_new_row_replaces_that_of_its_place():
    row = asdict(spent(100, 50, 50))
    old = [row | {"commit": "a"}, row | {"commit": "a", "what": "Run /init"}]
    new = merged(old, [row | {"commit": "b"}], "configuration", "what")
    assert [(r["what"], r["commit"]) for r in new] == [("Dhrystone", "b"), ("Run /init", "a")]


def test_a_part_is_what_came_after_its_start():
    part = spent(180, 70, 110, 4).since(spent(100, 50, 50, 1), "script")
    assert (part.what, part.cycles, part.instructions) == ("script", 80, 20)
    assert (part.reasons["stall_load"], part.events) == (60, {"walks": 3})
