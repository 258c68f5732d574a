"""The table of lost cycles: each reason is in one column, and a sum that is wrong is refused."""

import json
from dataclasses import asdict

import pytest

from figures.measure import merged
from support.run import ROOT, built
from tools.measures import stalls
from tools.measures.stalls import Spent, Unequal

REASONS = {f"stall_{name}": 0 for names in stalls.COLUMNS.values() for name in names}


def row(**changed) -> dict:
    reasons = REASONS | {"stall_load": 30, "stall_icache": 10, "stall_itlb": 10}
    return asdict(Spent("Dhrystone", "teaching", "board", 100, 50, reasons)) | changed


def test_every_reason_has_a_column():
    built("build/include/.ready")
    map_ = json.loads((ROOT / "build" / "include" / "granule_map.json").read_text())
    assert sorted(REASONS) == sorted(map_["stalls"])


def test_a_cycle_without_a_reason_is_refused():
    with pytest.raises(Unequal, match="50 cycles without an instruction, and reasons for 49"):
        Spent("Dhrystone", "teaching", "board", 100, 50, REASONS | {"stall_load": 49})


def test_shares_are_of_all_cycles():
    cells = stalls.cells(row(dmips_per_mhz=0.951))
    assert cells[:8] == ("Dhrystone", "`teaching`", "100", "50", "2.00", "0.95", "20.0", "0.0")
    assert "30.0" in cells


def test_walks_are_of_instructions_and_of_each_other():
    misses = {"l1i_miss": 1, "l1d_miss": 2, "itlb_miss": 3, "dtlb_miss": 4, "walks": 5}
    walks = {"walk_cycles": 50, "walk_single": 4, "walk_cached": 3, "walk_cached_upper": 1}
    shown = stalls.translation_cells(stalls.of_row(row(events=misses | walks)))[2:]
    assert shown == ("20.00", "40.00", "60.00", "80.00", "100.00", "10.0", "80 %", "80 %")
    bare = row(events=misses | walks | {"walks": 0})
    assert stalls.translations([row(), bare]).count("\n") == 1


def test_walks_are_beside_those_of_a_main_tlb():
    counts = {"itlb_miss": 300, "dtlb_miss": 100, "walks": 400, "l1i_miss": 0, "l1d_miss": 0}
    plain = row(what="document 001, 4K", events=counts)
    with_main = plain | {"configuration": "teaching_main", "events": counts | {"walks": 10}}
    assert stalls.main_tlb([plain, with_main]).splitlines()[2:] == [
        "| document 001, 4K | `teaching` | 400 | 400 | 10 | 2.5 % | 10 | 10 |"
    ]
    assert (
        stalls.main_tlb([plain]) == stalls.main_tlb([with_main]) == stalls.main_tlb([row(), row()])
    )
    assert stalls.lost([plain]).count("\n") == 1


def test_a_new_row_replaces_that_of_its_place():
    old = [row(commit="a"), row(what="Run /init", commit="a")]
    new = merged(old, [row(cycles=120, instructions=70, commit="b")], "configuration", "what")
    assert [(r["what"], r["commit"]) for r in new] == [("Dhrystone", "b"), ("Run /init", "a")]


def test_a_part_is_what_came_after_its_start():
    start = Spent("a", "teaching", "board", 100, 50, REASONS | {"stall_load": 50}, {"walks": 1})
    end = Spent("b", "teaching", "board", 180, 70, REASONS | {"stall_load": 110}, {"walks": 4})
    part = end.since(start, "script")
    assert (part.what, part.cycles, part.instructions) == ("script", 80, 20)
    assert (part.reasons["stall_load"], part.events) == (60, {"walks": 3})
