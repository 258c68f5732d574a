"""The reports of nextpnr are read as people read them, and a clock that is too slow is never called
good."""

import pytest

from tools.pnr.verdict import clock_paths, judge, overfull, plain, worst_path

LOG = """Info: Max delay <async>                       -> posedge $glbnet$clk: 3.25 ns
Info: Max delay posedge $glbnet$clk           -> <async>            : 7.50 ns
Info: Max delay posedge $glbnet$clk           -> posedge $glbnet$os : 9.99 ns
"""


def step(kind: str, delay: float, cell: str, net: str = "") -> dict:
    return {"type": kind, "delay": delay, "from": {"cell": cell}, "to": {"cell": cell}, "net": net}


def path(clock_from: str, clock_to: str, slow: float) -> dict:
    """A path with one LUT and two nets."""
    steps = [
        step("clk-to-q", 0.5, "inner_unit.state_TRELLIS_FF_Q"),
        step("routing", slow, "x", "inner_unit.hit_LUT4_Z_3"),
        step("logic", 0.25, "inner_unit.hit_LUT4_Z_3"),
        step("routing", 1.0, "x", "inner_unit.way"),
        step("setup", 0.0, "inner_unit.way_TRELLIS_FF_Q_1"),
    ]
    return {"from": clock_from, "to": clock_to, "path": steps}


def report(achieved: float, *paths: dict) -> dict:
    """A report with one clock at 60 MHz."""
    used = {"TRELLIS_FF": (5, 10), "DTR": (1, 1), "EHXPLLL": (0, 4)}
    return {
        "fmax": {"$glbnet$system_clk": {"achieved": achieved, "constraint": 60.0}},
        "utilization": {name: {"used": n, "available": of} for name, (n, of) in used.items()},
        "critical_paths": list(paths),
    }


def test_names_lose_what_synthesis_added():
    assert plain("inner_unit.tlb.valid_TRELLIS_FF_Q_7") == "tlb.valid"
    assert plain("inner_unit_io_rsp_LUT4_Z") == "io_rsp"
    assert plain("clk$TRELLIS_IO_IN") == "clk"


def test_slowest_register_path_wins_and_pins_are_left_out():
    clock, pin = "posedge clk", "<async>"
    paths = [path(clock, clock, 2.0), path(pin, clock, 90.0), path(clock, pin, 90.0)]
    found = report(60.0, *paths, path("posedge slow", "posedge slow", 5.0))
    assert [p.nanoseconds for p in clock_paths(found)] == [6.75, 3.75]
    worst = worst_path(found)
    assert (worst.start, worst.end, worst.levels) == ("state", "way", 1)
    assert worst.through == ("hit", "way")
    assert worst.routing == 6.0


def test_a_report_without_a_clock_is_an_error():
    with pytest.raises(ValueError, match="no path between registers"):
        worst_path(report(60.0, path("<async>", "<async>", 1.0)))


@pytest.mark.parametrize(("achieved", "met"), [(60.0, True), (75.1, True), (59.99, False)])
def test_the_slowest_clock_decides(achieved, met):
    verdict = judge(report(achieved), LOG)
    assert verdict.met is met
    assert [clock.name for clock in verdict.clocks] == ["system_clk"]


def test_used_cells_and_delays_to_pins_are_listed():
    verdict = judge(report(60.0), LOG)
    assert verdict.used == {"TRELLIS_FF": (5, 10)}
    assert verdict.pins == {"from pins": 3.25, "to pins": 7.5}


def test_what_does_not_fit_is_named():
    log = "Info: \t   TRELLIS_COMB:   30311/  24288   124%\nInfo: \t   DP16KD:   28/  56    50%\n"
    assert overfull(log) == ["TRELLIS_COMB: 30311 of 24288"]
