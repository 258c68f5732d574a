"""Linux as a guest: one kernel and one initial RAM disk, on Granule's simulator or on QEMU's
riscv32 `virt` machine, with a command for the shell. Its console comes back line by line."""

import os
import re
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.root import ROOT

LINUX = ROOT / "build" / "linux"
MEMORY = "32M"  # of the board
# Those of `make run-linux`, whose console is the serial port with the kernel's own driver.
ARGUMENTS = re.search(
    r"^LINUX_ARGUMENTS := (.*)$", (ROOT / "sw" / "linux" / "linux.mk").read_text(), re.M
)[1]
# This kernel has no driver of the serial port there.
QEMU_ARGUMENTS = "console=hvc0 panic=-1"
# No C, F or D: the machines understand the same instructions. No sstc: the timer is the SBI's.
QEMU_CPU = "rv32,g=off,c=off,f=off,d=off,sstc=off"

CHECKSUM = re.compile(r"^test (\w+) +seed (\d+) rounds (\d+) checksum (0x[0-9a-f]{8})$")
Checksums = dict[tuple[str, int, int], str]
STATUS = re.compile(r"^init: exit status (\d+)$")


def granule(
    command: str, simulator: Path, image: Path = LINUX / "boot.elf", words: str = "loglevel=4"
) -> list[str]:
    """Boots on a simulator of Granule. `words`: further ones for the kernel."""
    return [
        str(simulator), "--quiet", "--lowmem", MEMORY, "--highmem", "0",
        "--append", with_command(f"{ARGUMENTS} {words}", command), str(image),
    ]  # fmt: skip


def qemu(
    command: str, kernel: Path = LINUX / "Image", initrd: Path = LINUX / "initramfs.cpio"
) -> list[str]:
    """Boots on QEMU, with a machine mode of its own (virt/sbi.c)."""
    program = shutil.which("qemu-system-riscv32")
    if program is None:
        raise FileNotFoundError(
            "qemu-system-riscv32 is missing: install Debian's package qemu-system-misc"
        )
    return [
        program, "-M", "virt", "-cpu", QEMU_CPU, "-m", MEMORY, "-display", "none",
        "-serial", "stdio", "-monitor", "none", "-no-reboot",
        "-bios", str(LINUX / "virt.elf"), "-kernel", str(kernel),
        "-initrd", str(initrd), "-append", with_command(f"{QEMU_ARGUMENTS} loglevel=4", command),
    ]  # fmt: skip


def with_command(arguments: str, command: str) -> str:
    """The kernel takes quotes away and hands what follows `--` to init."""
    if '"' in command:
        raise ValueError(f"{command!r}: the kernel's command line has \" for itself; use '")
    return f'{arguments} -- "{command}"'


def lines(argv: list[str], seconds: float) -> Iterator[str]:
    """The console of a guest while it runs, `seconds` at most; TimeoutError when it runs longer."""
    end = time.monotonic() + seconds
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as guest:
        try:
            yield from _until(guest, end)
        finally:
            if guest.poll() is None:
                guest.send_signal(signal.SIGKILL)


def _until(guest: subprocess.Popen, end: float) -> Iterator[str]:
    assert guest.stdout is not None
    rest = b""
    with selectors.DefaultSelector() as ready:
        ready.register(guest.stdout, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            if not ready.select(left):
                continue
            more = os.read(guest.stdout.fileno(), 65536)
            if not more:
                if rest:
                    yield rest.decode(errors="replace").rstrip("\r")
                return
            *whole, rest = (rest + more).split(b"\n")
            for line in whole:
                yield line.decode(errors="replace").rstrip("\r")
    raise TimeoutError(f"{guest.args[0]} still ran when its time was over")


@dataclass(frozen=True)
class Run:
    """A run to its end. status: of the command; None when init did not print it."""

    console: list[str]
    status: int | None

    @property
    def checksums(self) -> Checksums:
        return dict(filter(None, map(checksum, self.console)))


def checksum(line: str) -> tuple[tuple[str, int, int], str] | None:
    """(test, seed, rounds), and what granule-test found."""
    found = CHECKSUM.match(line)
    if not found:
        return None
    return (found[1], int(found[2]), int(found[3])), found[4]


def run(argv: list[str], seconds: float) -> Run:
    console = list(lines(argv, seconds))
    found = [found for line in console if (found := STATUS.match(line))]
    return Run(console, int(found[-1][1]) if found else None)
