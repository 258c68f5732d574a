"""A design whose clock is too slow is never called good."""

import pytest

from tools.pnr.verdict import judge, overfull

LOG = """Info: Max delay <async>                       -> posedge $glbnet$clk: 3.25 ns
Info: Max delay posedge $glbnet$clk           -> <async>            : 7.50 ns
Info: Max delay posedge $glbnet$clk           -> posedge $glbnet$os : 9.99 ns
"""


def report(achieved: float) -> dict:
    """A report with one clock at 60 MHz."""
    return {
        "fmax": {"$glbnet$system_clk": {"achieved": achieved, "constraint": 60.0}},
        "utilization": {
            "TRELLIS_FF": {"used": 5, "available": 10},
            "DTR": {"used": 1, "available": 1},
            "EHXPLLL": {"used": 0, "available": 4},
        },
        "critical_paths": [],
    }


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
    log = """Info: Device utilisation:
Info: \t          TRELLIS_COMB:   30311/  24288   124%
Info: \t              DP16KD:      28/     56    50%
"""
    assert overfull(log) == ["TRELLIS_COMB: 30311 of 24288"]
