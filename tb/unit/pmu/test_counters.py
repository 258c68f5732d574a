"""The performance counters behind the CPU's counter port."""

from support.run import run_unit


def test_counters():
    run_unit("counters", "unit.pmu.cocotb_counters")
