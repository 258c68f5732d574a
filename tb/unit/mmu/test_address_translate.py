"""AT, PAR and the read-out of TLB entries, with all formats (cocotb_address_translate); the
read-out also where an invalidation is complete before its sweep."""

from support.run import run_unit


def test_address_translate():
    run_unit("mmuip", "unit.mmu.cocotb_address_translate", "wide")


def test_read_out_after_an_early_completion():
    shows = ["shows_entries", "shows_no_entry_that_is_compared"]
    run_unit("mmuip", "unit.mmu.cocotb_address_translate", "teaching", tests=shows)
