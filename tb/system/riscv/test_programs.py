"""Programs in the two environments that RISC-V test programs come in: without translation, and
as a process that a kernel pages in under Sv32; and random tables of Sv32. They check themselves."""

import pytest

from sim.simulator import link, simulate
from system.riscv.build import FOLDER, physical_program, programs, virtual_program

CONFIGS = ["teaching", "ulx3s", pytest.param("ulx3s_l2", marks=pytest.mark.slow)]
LEVEL_2_SEED = pytest.param("ulx3s_l2", 3, marks=pytest.mark.slow)


@pytest.mark.parametrize("program", programs("user") + programs("machine"))
def test_without_translation(program):
    simulate(physical_program(program)).passed()


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("program", programs("user"))
def test_paged_on_demand(program, config):
    """The kernel's own checks: a page is the same by the process's address and by the kernel's, a
    clean one is unchanged, and every fault has a reason in its entry."""
    run = simulate(virtual_program(program), config=config).passed()
    assert run.value("evicted") > 20
    assert run.value("installed") - run.value("evicted") == 5  # all frames are in use
    faults = sum(run.value(f"{kind}_faults") for kind in ("fetch", "load", "store"))
    causes = sum(run.value(cause) for cause in ("installed", "accessed", "dirtied"))
    assert faults == causes


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("nops", [1, 2, 3, 4, 5, 6, 7, 8, 12])
def test_a_page_that_is_closed_is_not_entered(nops, config):
    """Wherever the fetch of the page is when the write of pmpcfg0 counts, from memory and from the
    cache. At some of these distances M-mode once went on in the page."""
    for warm in (0, 1):
        options = (f"-DNOPS={nops}", f"-DWARM={warm}")
        simulate(physical_program("machine/closed_page", *options), config=config).passed()


def test_pages_are_written_back():
    """The process dirties more pages than it has frames, and finds them again."""
    run = simulate(virtual_program("user/memory")).passed()
    assert run.value("written_back") > 10 and run.value("dirtied") > 10


@pytest.mark.parametrize("config, seed", [("teaching", 1), ("ulx3s", 2), LEVEL_2_SEED])
def test_random_entries_fences_and_accesses_of_sv32(config, seed):
    """Against a walk in software; each change is followed by the least fence that is allowed."""
    program = link("sv32_random", [FOLDER / "random.c"])
    simulate(program, "--append", f"seed={seed}", config=config).passed()
