"""The DMA engine on the whole system, and the firmware's driver of it: `make test-dma`, which
builds the simulator that has one."""

import pytest

from sim.simulator import run_program

pytestmark = pytest.mark.slow


SLOW = "fixed:100"


@pytest.mark.parametrize("granule", ("4k", "16k", "64k"))
@pytest.mark.parametrize("memory", ("board", "fixed:1", "fixed:7", SLOW))
def test_copies_faults_and_unmapping_under_a_transfer(memory, granule):
    """The program checks itself. Three transfers lost their page in their midst. Whether the bus
    owes an answer when the invalidation comes depends on memory; where it is slow, it does."""
    run = run_program("dma", "--memory", memory, "--append", granule, config="dma")
    for invalidation in ("tlbi_at", "sfence_at", "posted_at"):
        assert run.value(invalidation) >= 64
    waited = run.value("tlbi_busy") - run.value("tlbi_idle")
    assert waited >= (20 if memory == SLOW else 0)
