"""The DMA engine on the whole system, and the firmware's driver of it: `make test-dma`, which
builds the simulator that has one."""

import pytest

from sim.simulator import run_program

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("granule", ("4k", "16k", "64k"))
def test_copies_faults_and_unmapping_under_a_transfer(granule):
    """The program checks itself. Three transfers lost their page in their midst."""
    run = run_program("dma", "--append", granule, config="dma")
    for invalidation in ("tlbi_at", "sfence_at", "posted_at"):
        assert run.value(invalidation) >= 64
