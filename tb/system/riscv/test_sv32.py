"""Sv32 as software sees it, on the whole system: programs that check themselves."""

import pytest

from sim.simulator import simulate
from support import results
from system.riscv.build import sv32_program


@pytest.mark.parametrize("config", ["teaching", "ulx3s"])
@pytest.mark.parametrize("program", ["pages", "rights", "asids"])
def test_sv32(program, config):
    simulate(sv32_program(program), config=config).passed()


@pytest.mark.parametrize("config, seed", [("teaching", 1), ("ulx3s", 2)])
def test_random_entries_fences_and_accesses(config, seed):
    """Against a walk in software; each change is followed by the least fence that is allowed."""
    simulate(sv32_program("random"), "--append", f"seed={seed}", config=config).passed()


@pytest.mark.parametrize("granule", ["4k", "16k", "64k"])
def test_formats_alternate(granule):
    """Sv32, VMSAv8-64 and Bare take turns on the same addresses, without a fence."""
    simulate(sv32_program("formats"), "--append", granule).passed()


@pytest.mark.parametrize("config", ["teaching", "ulx3s"])
def test_a_micro_tlb_hit_costs_no_cycle(config):
    """The same loop in M-mode, in Bare mode, through a superpage and through a page."""
    run = simulate(sv32_program("cycles"), config=config).passed()
    results.write(
        "sv32_cycles" if config == "teaching" else f"sv32_cycles_{config}",
        config,
        {n: run.value(n) for n in ("accesses", "machine", "bare", "superpage", "page")},
        command="pytest tb/system/riscv/test_sv32.py -k micro_tlb_hit",
    )
