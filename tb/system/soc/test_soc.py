"""The whole system: programs that check themselves, and figures from them."""

import pytest

from sim.simulator import run_program
from support import results

GRANULES = ("4k", "16k", "64k")
LINES = 64


def test_memory_latency_is_seen_by_misses_only():
    """Each miss waits for it once; hits do not know it."""
    runs = {n: run_program("latency", "--memory", f"fixed:{n}") for n in (10, 11, 50)}
    cold = {n: run.value("cold") for n, run in runs.items()}
    assert cold[11] - cold[10] == LINES
    assert cold[50] - cold[10] == 40 * LINES
    assert len({run.value("warm") for run in runs.values()}) == 1


@pytest.mark.parametrize("lowmem", ["1M", "16M"])
def test_accesses_to_nowhere_are_precise_access_faults(lowmem):
    """Scenario e22, e24: a bus error is an access fault of its own instruction."""
    run_program("access_fault", "--lowmem", lowmem)


def test_interrupts():
    run_program("interrupts")


@pytest.mark.parametrize("granule", GRANULES)
def test_translation_faults_permissions_and_invalidation(granule):
    """Scenarios e25, g29, g30, and the contracts on table pointers and TLBI."""
    run_program("mmu", "--append", granule)


@pytest.mark.parametrize("granule", GRANULES)
def test_physical_memory_protection(granule):
    """What M-mode keeps to itself, no access of S- or U-mode and no walk reaches."""
    run_program("pmp", "--append", granule)


def test_physical_memory_protection_of_other_caches():
    run_program("pmp", "--append", "4k", config="ulx3s")


def test_translation_with_ways_larger_than_a_page():
    """Scenario j35: two mappings of one page have different colours here."""
    run_program("mmu", "--append", "4k", config="ulx3s")


@pytest.mark.parametrize("granule", GRANULES)
def test_entries_of_128_bits(granule):
    """Scenarios g29, g30 and hardware's updates, by accesses of 16 bytes through the data cache."""
    run_program("mmu", "--append", f"{granule} d128", config="wide")


@pytest.mark.parametrize("granule", GRANULES)
def test_pages_come_on_demand_with_entries_of_128_bits(granule):
    """What is written back, hardware has marked dirty by a swap of 16 bytes."""
    run = run_program("d128_paging", "--append", granule, config="wide")
    assert run.value("written_back") >= 17


def test_where_128_bits_are_possible_64_still_work():
    run_program("mmu", "--append", "4k", config="wide")


@pytest.mark.parametrize("config", ["teaching", "ulx3s"])
def test_a_micro_tlb_hit_costs_no_cycle(config):
    """The same loop of loads and stores, untranslated and through the MMU in two formats."""
    figures = []
    for granule in GRANULES:
        run = run_program("mmu_on_off", "--append", granule, config=config)
        figures.append(
            {name: run.value(name) for name in ("accesses", "off", "on_block", "on_page")}
            | {"granule": granule}
        )
    assert all(f["off"] == f["on_block"] == f["on_page"] for f in figures)
    results.write(
        "mmu_on_off" if config == "teaching" else f"mmu_on_off_{config}",
        config,
        figures,
        command="pytest tb/system/soc/test_soc.py -k micro_tlb_hit",
    )
