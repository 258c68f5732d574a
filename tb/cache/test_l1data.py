"""Data cache."""

from support.run import run_unit


def test_l1data():
    run_unit("l1data", "cache.cocotb_l1data")
