"""Linux as a guest: one kernel and one initial RAM disk, on Granule's simulator or on QEMU's
riscv32 `virt` machine, with a command for the shell. Its console comes back line by line."""

import re
import shutil
import subprocess
import threading
from collections.abc import Iterable, Iterator
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
SECONDS = 2400  # several times what a busy machine takes


def granule(
    command: str, simulator: Path, image: Path = LINUX / "boot.elf", words: str = "loglevel=4",
    memory: str = MEMORY,
) -> list[str]:  # fmt: skip
    """Boots on a simulator of Granule. `words`: further ones for the kernel."""
    return [
        str(simulator), "--quiet", "--lowmem", memory, "--highmem", "0",
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
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as guest:
        late = threading.Timer(seconds, guest.kill)
        late.start()
        try:
            for line in guest.stdout:
                yield line.decode(errors="replace").rstrip("\r\n")
            if late.finished.is_set():
                raise TimeoutError(f"{argv[0]} still ran when its time was over")
        finally:
            late.cancel()
            guest.kill()


@dataclass(frozen=True)
class Run:
    """A run to its end. status: of the command; None when init did not print it."""

    console: list[str]
    status: int | None

    @property
    def checksums(self) -> Checksums:
        return checksums(self.console)

    def passed(self) -> Checksums:
        """Its checksums, if the command succeeded."""
        assert self.status == 0, "\n".join(self.console)
        return self.checksums


def checksum(line: str) -> tuple[tuple[str, int, int], str] | None:
    """(test, seed, rounds), and what granule-test found."""
    found = CHECKSUM.match(line)
    if not found:
        return None
    return (found[1], int(found[2]), int(found[3])), found[4]


def checksums(console: Iterable[str]) -> Checksums:
    return dict(filter(None, map(checksum, console)))


def run(argv: list[str], seconds: float = SECONDS) -> Run:
    console = list(lines(argv, seconds))
    found = [found for line in console if (found := STATUS.match(line))]
    return Run(console, int(found[-1][1]) if found else None)
