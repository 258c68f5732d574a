"""The serial port with the registers of SiFive's (cocotb_sifive_uart)."""

from support.run import run_unit


def test_sifive_uart():
    run_unit("SifiveUart", "unit.soc.cocotb_sifive_uart", inside="simsoc")
