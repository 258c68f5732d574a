"""Faults, illegal programming and bus errors on the RTL (cocotb_mmu_fault); what depends on the
width of physical addresses also on the 36-bit configuration without small tables."""

from support.run import run_unit


def test_fault():
    run_unit("mmu", "mmu.cocotb_mmu_fault", "vmsa48_nocache")


def test_fault_with_36_bit_addresses():
    narrow = ["address_size", "priority_before_the_first_read", "random_descriptors"]
    run_unit("mmu", "mmu.cocotb_mmu_fault", "teaching", tests=narrow)


def test_translation_off_with_36_bit_addresses():
    narrow = ["translation_off", "every_tnsz_of_every_granule", "attributes_by_index"]
    run_unit("mmu", "mmu.cocotb_mmu_translate", "teaching", tests=narrow)
