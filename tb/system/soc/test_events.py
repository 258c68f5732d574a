"""Every event of the performance counters by a known cause, on the whole system: what the program
`events` counts while it does one thing, and what that thing must add to each of the counters. Then
where cycles go: what the program `stalls` loses by each known cause."""

import functools
import itertools
import json
import re

import pytest

from sim.simulator import compile_program, run_program, simulate
from support.run import built

CONFIGS = ("teaching", "ulx3s")
ANY = range(1 << 40)
THREE_LEVELS = {"walk_read_l1": 1, "walk_read_l2": 1, "walk_read_l3": 1}
# Cause -> event -> count, or the range that it is in. What is not named must stay 0, but for
# instructions that are fetched and cycles that the CPU waits.
CAUSES = {
    "nothing": {"l1i_access": range(50)},
    "hits": {"l1d_access": 37, "l1d_stall": 0},
    "instructions": {"l1i_access": range(1000, 1600), "l1d_stall": 0},
    "new_code": {"l1i_access": range(24 * 16, 24 * 16 + 50), "l1i_miss": range(24, 27)},
    "new_lines": {"l1d_access": 20, "l1d_miss": 20, "l1d_stall": range(20 * 20, 20 * 100)},
    "clean_lines_go": {"l1d_access": 6, "l1d_miss": 6, "l1d_evict": 6},
    "dirty_lines_go": {"l1d_access": 2, "l1d_miss": 2, "l1d_evict": 2, "l1d_writeback": 2},
    "pages_of_a_table": {
        "dtlb_access": 6, "dtlb_miss": 6, "walks": 6, "walk_read_l1": 1, "walk_read_l2": 1,
        "walk_read_l3": 6, "walk_cached": 5, "walk_single": 5, "walk_cycles": range(8, 200),
        "l1d_access": 6 + 8,
    },
    "known_pages": {"dtlb_access": 3 * 6, "l1d_access": 3 * 6},
    "tables_of_a_table": {
        "dtlb_access": 4, "dtlb_miss": 4, "walks": 4, "walk_read_l1": 1, "walk_read_l2": 4,
        "walk_read_l3": 4, "walk_cached_upper": 3, "walk_cycles": range(9, 200),
        "l1d_access": 4 + 9,
    },
    "block": {
        "dtlb_access": 1, "dtlb_miss": 1, "walks": 1, "walk_read_l1": 1, "walk_single": 1,
        "walk_cycles": range(1, 50), "l1d_access": 1 + 1,
    },
    "four_levels": {
        "dtlb_access": 1, "dtlb_miss": 1, "walks": 1, "walk_read_l0": 1, **THREE_LEVELS,
        "walk_cycles": range(4, 200), "l1d_access": 1 + 4,
    },
    "fetch": {
        "itlb_miss": 1, "walks": 1, "walk_read_l1": 1, "walk_single": 1,
        "walk_cycles": range(1, 50), "itlb_access": range(2, 30), "kernel_cycles": range(2, 100),
        "l1d_access": range(100),
    },
    "supervisor": {
        "kernel_cycles": range(2000, 5000), "itlb_access": range(2000, 5000),
        "l1d_access": range(100),
    },
    "user": {
        "user_cycles": range(4000, 10000), "itlb_access": range(4000, 10000),
        "l1d_access": range(100),
    },
    "invalidations": {
        "tlbi_va": 2, "tlbi_asid": 3, "tlbi_range": 5, "tlbi_all": 7,
        "tlbi_cycles": 17 * 3, "l1d_access": range(100),
    },
    # The count of the walks that are caught depends on what takes how long.
    "walks_and_invalidations": {
        "walk_restart": range(1, 17), "tlbi_all": 16, "tlbi_cycles": range(16 * 3, 1000),
        **dict.fromkeys(
            ("kernel_cycles", "l1i_miss", "l1d_access", "l1d_miss", "l1d_evict", "l1d_writeback",
             "itlb_access", "itlb_miss", "dtlb_access", "dtlb_miss", "walks", "walk_cycles",
             "walk_read_l1", "walk_read_l2", "walk_read_l3", "walk_cached", "walk_cached_upper",
             "walk_single"), ANY),
    },
}  # fmt: skip
COLOURS = {"dtlb_access": 3, "dtlb_miss": 1, "walks": 1, "walk_cycles": ANY, **THREE_LEVELS,
           "l1d_access": 3 + 3}  # fmt: skip
# Only a way larger than a page has colours: three lines move, and three are read for the walk.
OF_CONFIG = {
    "teaching": {"another_colour": COLOURS | {"l1d_miss": 3}},
    "ulx3s": {"another_colour": COLOURS | {"l1d_miss": 6, "l1d_alias_move": 3}},
}


@functools.cache
def counts(config: str, program: str = "events") -> dict[str, dict[str, int]]:
    """Cause -> event -> count."""
    found: dict[str, dict[str, int]] = {}
    out = run_program(program, config=config).out
    for cause, event, count in re.findall(r"^(\w+)\.(?:stall_)?(\w+) ([0-9a-f]{8})$", out, re.M):
        found.setdefault(cause, {})[event] = int(count, 16)
    return found


def expected(config: str, cause: str, event: str) -> range:
    want = (CAUSES | OF_CONFIG[config])[cause].get(event)
    if want is None:
        return ANY if event in ("l1i_access", "l1d_stall") else range(1)
    return range(want, want + 1) if isinstance(want, int) else want


def wrong(config: str, measured: dict[str, dict[str, int]]) -> list[str]:
    return [
        f"{cause}: {event} is {count}, not in {expected(config, cause, event)}"
        for cause, events in measured.items()
        for event, count in events.items()
        if count not in expected(config, cause, event)
    ]


@pytest.mark.parametrize("config", CONFIGS)
def test_each_cause_moves_its_counters_only(config):
    assert set(counts(config)) == set(CAUSES | OF_CONFIG[config])
    assert not wrong(config, counts(config)), "\n".join(wrong(config, counts(config)))


def test_every_event_has_a_cause():
    """A counter that is stuck at 0, or counts each cycle, is noticed."""
    events = set(counts("ulx3s")["nothing"])
    assert len(events) == 29
    for event in events:
        wants = [expected("ulx3s", cause, event) for cause in counts("ulx3s")]
        assert any(want.start > 0 for want in wants), f"{event} has no cause"
        assert any(want.stop <= 50 for want in wants), f"{event} may always count"


def test_any_two_wires_that_are_swapped_are_noticed():
    """The twin: each pair of counters with each other's counts."""
    measured = counts("ulx3s")
    for one, other in itertools.combinations(measured["nothing"], 2):
        swapped = {
            cause: events | {one: events[other], other: events[one]}
            for cause, events in measured.items()
        }
        assert wrong("ulx3s", swapped), f"{one} and {other}"


# ---- where cycles go -----------------------------------------------------------------------------

# Cause -> reasons, and cycles lost to them beside those of `nothing`.
LOSSES = {
    "straight": {},
    "branches": {"branch": range(99 * 3, 99 * 3 + 10)},
    "hazards": {"hazard": range(2 * 50, 2 * 50 + 5)},
    "divisions": {"divide": range(160, 161)},
    "csrs": {"system": range(4 * 25, 4 * 25 + 5)},
    "new_code": {"icache": range(24 * 15, 24 * 100)},
    "loads": {"load": range(20 * 15, 20 * 100)},
    "stores": {"store": range(20 * 15, 20 * 100)},
    "traps": {"flush": range(10 * 4, 10 * 20), "system": range(10 * 10, 10 * 100)},
    "pages": {"walk": range(6 * 4, 6 * 100), "load": range(1000)},  # lines change colour
    "fetch": {"itlb": range(4, 100)},
    "wfi": {"idle": range(300, 500)},
}
SLACK = 60  # cycles of other reasons: the loops and calls around a cause


def reasons(counted: dict[str, int]) -> dict[str, int]:
    return {k: n for k, n in counted.items() if k not in ("cycles", "instructions")}


@pytest.mark.parametrize("config", CONFIGS)
def test_every_cycle_has_one_reason(config):
    assert set(counts(config, "stalls")) == {"nothing", *LOSSES}
    for cause, counted in counts(config, "stalls").items():
        lost = sum(reasons(counted).values())
        assert counted["cycles"] == counted["instructions"] + lost, cause


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("cause", LOSSES)
def test_a_cause_has_its_reason(cause, config):
    base = reasons(counts(config, "stalls")["nothing"])
    found = reasons(counts(config, "stalls")[cause])
    extra = {reason: found[reason] - base[reason] for reason in found}
    for reason, want in LOSSES[cause].items():
        assert extra.pop(reason) in want, f"{reason}: {found[reason]} beside {base[reason]}"
    assert all(n <= SLACK for n in extra.values()), extra


def test_every_reason_has_a_cause():
    named = {reason for cause in LOSSES.values() for reason in cause}
    map_json = built("build/include/.ready").with_name("granule_map.json")
    stalls = json.loads(map_json.read_text())["stalls"]
    assert named == {event.removeprefix("stall_") for event in stalls}


def test_the_simulator_counts_the_same(tmp_path):
    """Of the whole run, and with milestones in the order in which they come."""
    path = tmp_path / "profile.json"
    elf = compile_program("stalls")
    run = simulate(elf, "--profile", str(path), "--milestone", "hazards.cycles", "--milestone",
                   "straight.cycles").passed()  # fmt: skip
    profile = json.loads(path.read_text())
    assert [m["name"] for m in profile] == ["straight.cycles", "hazards.cycles", "end"]
    assert profile[-1]["cycles"] == run.cycles
    for milestone in profile:
        modes = [milestone[mode] for mode in ("user", "supervisor", "machine")]
        assert sum(mode["instructions"] for mode in modes) == milestone["instructions"]
        assert sum(sum(mode.values()) for mode in modes) == milestone["cycles"]
        assert 0 < milestone["events"]["l1i_miss"] < milestone["events"]["l1i_access"]
    assert profile[0]["cycles"] < profile[1]["cycles"] < profile[2]["cycles"]
