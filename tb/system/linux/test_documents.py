"""The patched kernel manages memory as any other: with several zero pages, the self-tests of
sw/linux/user/test find what they find here. `make linux-documents` runs this after its boots."""

import pytest

from support.root import ROOT
from support.run import built
from system.linux import guest
from system.linux.test_selftests import on_host

TESTS = ("cow", "mmap", "mremap", "mprotect", "shared", "fork")  # of what zero pages take part in
SEED, ROUNDS = 7, 3


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["ulx3s", "ulx3s_copies"])
def test_self_tests_find_what_the_host_finds(machine: str):
    image = built("build/linux-documents/patched.elf")
    command = " && ".join(f"granule-test {test} {SEED} {ROUNDS}" for test in TESTS)
    simulator = ROOT / "build" / f"granule-sim-{machine}"
    found = guest.run(guest.granule(command, simulator, image)).passed()
    assert len(found) == len(TESTS)
    wanted = [on_host(test, SEED, ROUNDS) for test in TESTS]
    assert found == {key: value for one in wanted for key, value in one.items()}
