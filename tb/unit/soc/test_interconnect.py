"""The way from the caches to memory and peripherals."""

from support.run import run_unit


def test_interconnect():
    run_unit("soc_interconnect", "unit.soc.cocotb_interconnect")
