"""AT, PAR and the read-out of TLB entries, with all formats (cocotb_address_translate)."""

from support.run import run_unit


def test_address_translate():
    run_unit("mmuip", "unit.mmu.cocotb_address_translate", "wide")
