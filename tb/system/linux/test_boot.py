"""Linux from reset to its programs, on the simulators: what the kernel says of the machine, where
the cycles went, that Ctrl-C is a signal, and that the exit status is the simulator's. The machine's
self-tests run in the same boot (test_selftests.py judges them)."""

import functools
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim.simulator import simulator
from support.run import built
from system.linux import guest

pytestmark = pytest.mark.slow

SEED = 5
SELF_TESTS = f"granule-test quick {SEED}"
MAX_CYCLES = 200_000_000
MOST_TO_INIT = 45_000_000
MILESTONES = ("Linux version", "Run /init")
# Ctrl-C is typed when `now` comes; it makes the command's exit status.
NOW = b"now\r\n"
COMMAND = (
    "echo six times $((6 * 7 / 7)); "
    f"{SELF_TESTS} || exit 1; "
    "trap 'echo caught; exit 7' INT; echo now; while :; do usleep 10000; done"
)


@dataclass(frozen=True)
class Boot:
    """A boot to its end. `cycles`: from reset to each milestone."""

    status: int
    out: str
    cycles: dict[str, int]


@functools.cache
def boot(config: str) -> Boot:
    """The one boot of a machine, for all that is asked about it."""
    elf = built("build/linux/boot.elf")
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        call = [
            *(simulator(config), "--lowmem", guest.MEMORY, "--highmem", "0"),
            *("--max-cycles", str(MAX_CYCLES), "--profile", profile),
            *(word for text in MILESTONES for word in ("--milestone", text)),
            *("--append", guest.with_command(guest.ARGUMENTS, COMMAND), elf),
        ]
        with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as linux:
            out = b""
            for line in linux.stdout:
                out += line
                if line == NOW:
                    linux.stdin.write(b"\x03")
                    linux.stdin.flush()
        cycles = {m["name"]: m["cycles"] for m in json.loads(profile.read_text())}
    return Boot(linux.returncode, out.decode("latin-1"), cycles)


# One process boots a machine, for all that is asked about this boot.
MACHINES = [pytest.param(m, marks=pytest.mark.xdist_group(m)) for m in ("teaching", "ulx3s")]


@pytest.fixture(params=MACHINES)
def machine(request) -> str:
    return request.param


def test_ctrl_c_is_a_signal_and_the_status_of_the_command_is_the_runs(machine):
    """Ctrl-C comes in by an interrupt of the PLIC, and the terminal makes SIGINT of it."""
    run = boot(machine)
    assert "six times 6\r" in run.out
    assert "caught\r\n" in run.out
    assert run.status == 7, run.out[-2000:]


def test_the_kernel_knows_the_machine(machine):
    text = boot(machine).out
    for line in (
        f"Machine model: Granule {machine}",
        "SBI specification v2.0 detected",
        "SBI implementation ID=0x4c4e5247",
        "SBI TIME extension detected",
        "SBI IPI extension detected",
        "SBI RFENCE extension detected",
        "SBI SRST extension detected",
        "riscv-pmu-sbi: 0 firmware and 31 hardware counters",
        "printk: console [ttySIF0] enabled",
        "ASID allocator using 9 bits (512 entries)",
    ):
        assert line in text, f"'{line}' is missing in:\n{text}"
    assert "sched_clock: 64 bits at 25MHz" in text
    for word in ("WARNING", "BUG", "Oops", "panic"):
        assert word not in text.replace("panic=", ""), text


def test_the_way_to_init(machine):
    cycles = boot(machine).cycles
    assert cycles["Linux version"] < cycles["Run /init"]
    assert cycles["Run /init"] < cycles["first instruction in U-mode"] <= MOST_TO_INIT
