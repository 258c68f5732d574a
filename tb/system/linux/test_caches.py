"""Linux with every replacement policy and design of the caches (lab/Configurations.scala): the
self-tests find what QEMU finds."""

import pytest

from support.run import built
from system.linux import guest

# Machines whose caches differ from those of the self-tests.
MACHINES = ("teaching_plru", "teaching_nru", "teaching_random", "ulx3s_copies", "ulx3s_physical",
            "physical64k", "ways2", "ways4", "ways16", "ulx3s_l2")  # fmt: skip
COMMAND = "granule-test alias 3 1 && granule-test code 3 1 && granule-test stress 3 4"


def checksums(argv: list[str]) -> guest.Checksums:
    found = guest.run(argv).passed()
    assert len(found) == 3
    return found


@pytest.fixture(scope="module")
def reference() -> guest.Checksums:
    built("build/linux/virt.elf")
    return checksums(guest.qemu(COMMAND))


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_linux_on_other_caches(machine: str, reference: guest.Checksums):
    built("build/linux/boot.elf")
    simulator = built(f"build/granule-sim-{machine}")
    assert checksums(guest.granule(COMMAND, simulator)) == reference
