"""The timing report of nextpnr is read as people read it."""

import pytest

from tools.pnr.timing import clock_paths, plain, worst_path


def step(kind: str, delay: float, cell: str, sink: str = "", net: str = "") -> dict:
    """One step of a path, as the report has it."""
    made = {"type": kind, "delay": delay, "from": {"cell": cell}, "to": {"cell": sink or cell}}
    return {**made, "net": net} if net else made


def path(clock_from: str, clock_to: str, slow: float) -> dict:
    """A path with one LUT and two nets."""
    return {
        "from": clock_from,
        "to": clock_to,
        "path": [
            step("clk-to-q", 0.5, "inner_unit.state_TRELLIS_FF_Q"),
            step("routing", slow, "x", "y", "inner_unit.hit_LUT4_Z_3"),
            step("logic", 0.25, "inner_unit.hit_LUT4_Z_3"),
            step("routing", 1.0, "x", "y", "inner_unit.way"),
            step("setup", 0.0, "inner_unit.way_TRELLIS_FF_Q_1"),
        ],
    }


def test_names_lose_what_synthesis_added():
    assert plain("inner_unit.tlb.valid_TRELLIS_FF_Q_7") == "tlb.valid"
    assert plain("inner_unit_io_rsp_LUT4_Z") == "io_rsp"
    assert plain("clk$TRELLIS_IO_IN") == "clk"


def test_slowest_register_path_wins_and_pins_are_left_out():
    report = {
        "critical_paths": [
            path("posedge clk", "posedge clk", 2.0),
            path("<async>", "posedge clk", 90.0),
            path("posedge clk", "<async>", 90.0),
            path("posedge slow", "posedge slow", 5.0),
        ]
    }
    assert [p.nanoseconds for p in clock_paths(report)] == [6.75, 3.75]
    worst = worst_path(report)
    assert (worst.start, worst.end, worst.levels) == ("state", "way", 1)
    assert worst.through == ("hit", "way")
    assert worst.routing == 6.0


def test_a_report_without_a_clock_is_an_error():
    with pytest.raises(ValueError, match="no path between registers"):
        worst_path({"critical_paths": [path("<async>", "<async>", 1.0)]})
