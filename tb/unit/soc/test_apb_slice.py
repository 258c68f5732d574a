"""Flip-flops in the middle of the peripheral bus (cocotb_apb_slice)."""

from support.run import run_unit


def test_apb_slice():
    run_unit("ApbSlice", "unit.soc.cocotb_apb_slice", inside="simsoc")
