"""Where cycles go: what the program `stalls` loses by each known cause, on the whole system. Cycles
are instructions and all reasons together, to the cycle, whatever runs."""

import functools
import json
import re

import pytest

from sim.simulator import compile_program, run_program, simulate
from support.run import ROOT, built

CONFIGS = ("teaching", "ulx3s")
# Cause -> reasons, and cycles lost to them beside those of `nothing`.
CAUSES = {
    "straight": {},
    "branches": {"branch": range(99 * 2, 99 * 2 + 10)},
    "hazards": {"hazard": range(2 * 50, 2 * 50 + 5)},
    "divisions": {"divide": range(320, 321)},
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


def events() -> list[str]:
    built("build/include/.ready")
    return json.loads((ROOT / "build" / "include" / "granule_map.json").read_text())["stalls"]


@functools.cache
def counts(config: str) -> dict[str, dict[str, int]]:
    """Cause -> event -> count."""
    found: dict[str, dict[str, int]] = {}
    out = run_program("stalls", config=config).out
    for cause, event, count in re.findall(r"^(\w+)\.(\w+) ([0-9a-f]{8})$", out, re.M):
        found.setdefault(cause, {})[event.removeprefix("stall_")] = int(count, 16)
    return found


def reasons(counted: dict[str, int]) -> dict[str, int]:
    return {k: n for k, n in counted.items() if k not in ("cycles", "instructions")}


@pytest.mark.parametrize("config", CONFIGS)
def test_every_cycle_has_one_reason(config):
    assert set(counts(config)) == {"nothing", *CAUSES}
    for cause, counted in counts(config).items():
        lost = sum(reasons(counted).values())
        assert counted["cycles"] == counted["instructions"] + lost, cause


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("cause", CAUSES)
def test_a_cause_has_its_reason(cause, config):
    base = reasons(counts(config)["nothing"])
    found = reasons(counts(config)[cause])
    extra = {reason: found[reason] - base[reason] for reason in found}
    for reason, want in CAUSES[cause].items():
        assert extra.pop(reason) in want, f"{reason}: {found[reason]} beside {base[reason]}"
    assert all(n <= SLACK for n in extra.values()), extra


def test_every_reason_has_a_cause():
    named = {reason for cause in CAUSES.values() for reason in cause}
    assert named == {event.removeprefix("stall_") for event in events()}


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


def test_a_milestone_needs_a_profile():
    run = simulate(compile_program("exit"), "--milestone", "x")
    assert run.status == 125 and "--profile" in run.err
