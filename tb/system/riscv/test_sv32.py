"""Sv32 as software sees it, on the whole system: programs that check themselves."""

import pytest

from sim.simulator import simulate
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
@pytest.mark.parametrize("config, entries", [("teaching", ""), ("wide", " d128")])
def test_formats_alternate(config, entries, granule):
    """Sv32, entries of 64 bits and of 128, and Bare take turns on the same addresses, without a
    fence."""
    simulate(sv32_program("formats"), "--append", granule + entries, config=config).passed()
