"""Control and status registers (cocotb_csr)."""

from support.run import run_unit


def test_csr():
    run_unit("Csr", "unit.cpu.cocotb_csr", inside="simsoc")
