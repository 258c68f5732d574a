"""The patched kernel manages memory as any other: with several zero pages, the self-tests of
sw/linux/user/test find what they find here. `make linux-documents` runs this after its boots."""

import subprocess

import pytest

from support.root import ROOT
from support.run import built
from system.linux import guest
from system.linux.test_selftests import SECONDS, host_program

TESTS = ("cow", "mmap", "mremap", "mprotect", "shared", "fork")  # of what zero pages take part in
SEED, ROUNDS = 7, 3


def on_host() -> guest.Checksums:
    found: guest.Checksums = {}
    for test in TESTS:
        command = [host_program(), test, str(SEED), str(ROUNDS)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        found |= dict(filter(None, map(guest.checksum, done.stdout.splitlines())))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["ulx3s", "ulx3s_copies"])
def test_self_tests_find_what_the_host_finds(machine: str):
    image = built("build/linux-documents/patched.elf")
    command = " && ".join(f"granule-test {test} {SEED} {ROUNDS}" for test in TESTS)
    run = guest.run(
        guest.granule(command, ROOT / "build" / f"granule-sim-{machine}", image), SECONDS
    )
    assert run.status == 0, "\n".join(run.console)
    assert run.checksums == on_host() and len(run.checksums) == len(TESTS)
