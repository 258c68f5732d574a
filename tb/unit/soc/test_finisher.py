"""Power-off and reset by a store (cocotb_finisher)."""

from support.run import run_unit


def test_finisher():
    run_unit("Finisher", "unit.soc.cocotb_finisher", inside="simsoc")
