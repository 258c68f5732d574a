"""The MMU as its requesters see it: the modules cocotb_mmu_NAME, on the configurations that have
what they try. SEED and COUNT in the environment repeat or lengthen the random ones."""

import pytest

from support.run import run_unit

CONFIGURATIONS = {
    "context": "vmsa48_nocache",  # context changes under a walk, and two requesters of a walker
    "entries": "wide",  # rules about single entries
    "fault": "vmsa48_nocache",  # faults, illegal programming, bus errors
    "formats": "wide",  # changes of the entry format under a walk
    "invalidate": "vmsa48_nocache",  # what invalidations remove
    "pmp": "teaching",  # physical memory protection
    "pmp_direct": "teaching",  # the same without translation
    "large_base": "wide",  # ranges with a base in steps of 64K
    "race": "vmsa48_nocache",  # invalidations against walks in flight
    "suspects": "vmsa48_suspects",  # invalidations that are complete before the sweep
    "random": "vmsa48_nocache",  # random traffic against the golden model
    "residency": "vmsa48_nocache",  # what stays in the TLB
    "traffic": "vmsa48",  # both ports without a pause beside everything else
    "translate": "vmsa48_nocache",  # every size, permission and attribute
}
# What depends on the width of physical addresses.
NARROW = {
    "fault": ["address_size", "priority_before_the_first_read", "random_descriptors"],
    "translate": ["translation_off", "every_tnsz_of_every_granule", "attributes_by_index"],
}


# What must not depend on when an invalidation is complete, nor on a main TLB.
EARLY = {
    "invalidate": None,
    "race": ["every_entry_while_it_is_swept", "every_entry_before_it_is_swept",
             "no_update_after_completion"],
    "random": None,
    "traffic": None,
}  # fmt: skip
# What a TLB keeps of a table entry may be a part of it, by physical memory protection.
PARTS = ["a_block_is_kept_page_by_page", "random_protection"]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_mmu(name):
    run_unit("mmu", f"unit.mmu.cocotb_mmu_{name}", CONFIGURATIONS[name])


@pytest.mark.parametrize("name", NARROW)
def test_with_36_bit_addresses(name):
    run_unit("mmu", f"unit.mmu.cocotb_mmu_{name}", "teaching", tests=NARROW[name])


@pytest.mark.parametrize("name", EARLY)
def test_with_suspects_and_main_tlb(name):
    run_unit("mmu", f"unit.mmu.cocotb_mmu_{name}", "vmsa48_main", tests=EARLY[name])


def test_main_tlb_with_protection():
    run_unit("mmu", "unit.mmu.cocotb_mmu_pmp", "teaching_main", tests=PARTS)
