"""AT, PAR and the read-out of TLB entries, with all formats (cocotb_at)."""

from support.run import run_unit


def test_at():
    run_unit("mmuip", "mmu.cocotb_at", "wide")
