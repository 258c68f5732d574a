"""The self-tests of sw/linux/user/test find the same on Linux on Granule, on QEMU and here."""

import functools
import subprocess
from pathlib import Path

import pytest

from support import host
from support.run import ROOT, built
from system.linux import guest
from system.linux.test_boot import MACHINES, SEED, SELF_TESTS, boot

SOURCES = ROOT / "sw" / "linux" / "user" / "test"
TESTS = {path.stem for path in SOURCES.glob("*.c")} - {"main", "probe", "test"}


@functools.cache
def host_program() -> Path:
    program = ROOT / "build" / "sim" / "granule-test"
    return host.link(program, "-O1", *sorted(SOURCES.glob("*.c")))


def on_host(*arguments: str | int) -> guest.Checksums:
    command = [host_program(), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return guest.checksums(done.stdout.splitlines())


def test_checksums_depend_on_the_seed_alone():
    first = on_host("quick", SEED)
    assert {name for name, _, _ in first} == TESTS
    assert on_host("quick", SEED) == first
    other = on_host("quick", SEED + 1)
    assert all(other[name, SEED + 1, rounds] != sum for (name, _, rounds), sum in first.items())


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["cow", "-1"], ["cow", "1", "x"], ["cow", "1", "2", "3"], []]
)
def test_wrong_arguments_are_refused(arguments: list[str]):
    done = subprocess.run([host_program(), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "usage: granule-test" in done.stderr


@functools.cache
def on_qemu() -> guest.Checksums:
    for target in ("build/linux/virt.elf", "build/linux/Image", "build/linux/initramfs.cpio"):
        built(target)
    return whole(guest.run(guest.qemu(SELF_TESTS)).passed())


def whole(checksums: guest.Checksums) -> guest.Checksums:
    assert {name for name, _, _ in checksums} == TESTS
    return checksums


@pytest.mark.slow
def test_a_status_is_that_of_the_guest():
    built("build/linux/virt.elf")
    qemu = guest.qemu("exit 7")
    done = subprocess.run(qemu, capture_output=True, timeout=guest.SECONDS, check=False)
    assert done.returncode == 7 and b"init: exit status 7" in done.stdout


@pytest.mark.slow
def test_qemu_finds_what_the_host_finds():
    assert on_qemu() == on_host("quick", SEED)


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_granule_finds_what_the_host_finds(machine: str):
    """And so what QEMU finds. One boot of a machine is asked everything (test_boot.py)."""
    console = boot(machine).out.replace("\r\n", "\n").splitlines()
    assert whole(guest.checksums(console)) == on_host("quick", SEED)
