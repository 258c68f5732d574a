"""The whole system: programs that check themselves, and figures from them. `make test-dma` builds
the simulator that has a DMA engine, and runs what is slow here."""

import pytest

from sim.simulator import run_program
from support import results

GRANULES = ("4k", "16k", "64k")
BEATS = 16  # of a line, one a cycle
WAY = 30  # more than the system's own cycles of a miss, beside the memory's


def at_each_granule(program: str, config: str = "teaching") -> list[tuple[str, ...]]:
    return [(program, config, "--append", granule) for granule in GRANULES]


# Program, configuration, options.
RUNS = [
    # Scenarios e22, e24: a bus error is an access fault of its own instruction.
    ("access_fault", "teaching", "--lowmem", "1M"),
    ("access_fault", "teaching", "--lowmem", "16M"),
    ("interrupts", "teaching"),
    # Scenarios e25, g29, g30, and the contracts on table pointers and TLBI; j35 where ways are
    # larger than a page: two mappings of one page have different colours.
    *at_each_granule("mmu"),
    ("mmu", "ulx3s", "--append", "4k"),
    # In front of a level-2 cache: tables and code that the CPU wrote.
    ("mmu", "ulx3s_l2", "--append", "4k"),
    ("mmu", "wide", "--append", "4k"),
    # Scenarios g29, g30, by accesses of 16 bytes through the data cache.
    *(("mmu", "wide", "--append", f"{granule} d128") for granule in GRANULES),
]


@pytest.mark.parametrize("run", RUNS, ids=" ".join)
def test_a_program_that_checks_itself(run):
    program, config, *options = run
    run_program(program, *options, config=config)


@pytest.mark.parametrize("granule", GRANULES)
def test_pages_come_on_demand_with_entries_of_128_bits(granule):
    """What is written back, hardware has marked dirty by a swap of 16 bytes."""
    run = run_program("d128_paging", "--append", granule, config="wide")
    assert run.value("written_back") >= 17


@pytest.mark.parametrize("config", ["teaching", "ulx3s", "ulx3s_l2"])
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


# ---- a level-2 cache in front of memory ---------------------------------------------------------


def lines(config: str):
    """Cycles a line of the three passes, of which the program has checked the data."""
    run = run_program("second_level", "--memory", "fixed:300", config=config)
    return [run.value(name) for name in ("first", "second", "third")]


def test_what_level_2_holds_comes_without_memory():
    """128 KiB of 256: the second pass never goes to memory, though lines that the first one wrote
    leave level 1. Without it each pass asks memory for each line."""
    (first, second, third), (_, _, without) = lines("ulx3s_l2"), lines("ulx3s")
    assert 300 + BEATS < without < 300 + BEATS + WAY
    assert 300 < first < without, "this memory gives one line after another, so nothing comes early"
    assert BEATS < third < BEATS + WAY
    assert second < 2 * third + WAY


# ---- the DMA engine ------------------------------------------------------------------------------

SLOW = "fixed:100"


@pytest.mark.slow
@pytest.mark.parametrize("granule", GRANULES)
@pytest.mark.parametrize("memory", ("board", "fixed:1", "fixed:7", SLOW))
def test_unmapping_under_a_transfer(memory, granule):
    """The program checks itself. Three transfers lost their page in their midst. Whether the bus
    owes an answer when the invalidation comes depends on memory; where it is slow, it does. Where
    memory answers in the next cycle, a posted one may be done before the CPU asks whether it is."""
    run = run_program("dma", "--memory", memory, "--append", granule, config="dma")
    for invalidation in ("tlbi_at", "sfence_at", "posted_at"):
        assert run.value(invalidation) >= 64
    waited = run.value("tlbi_busy") - run.value("tlbi_idle")
    assert waited >= (20 if memory == SLOW else 0)
    assert run.value("open") or memory == "fixed:1"
