"""Linux from reset to a command, on the simulators: what the kernel says of the machine, where the
cycles went, and that the command's exit status is the simulator's."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path

import pytest

from sim.simulator import Run, simulate, simulator
from support.run import built
from system.linux import guest

pytestmark = pytest.mark.slow

MAX_CYCLES = 60_000_000
BOARD = ("--lowmem", "32M", "--highmem", "0", "--max-cycles", str(MAX_CYCLES))
MOST_TO_INIT = 45_000_000
MILESTONES = ("Linux version", "Run /init")
MACHINES = ("teaching", "ulx3s")


def append(command: str) -> tuple[str, str]:
    return "--append", guest.with_command(guest.ARGUMENTS, command)


@functools.cache
def boot(config: str, command: str) -> tuple[Run, dict[str, int]]:
    """A boot that runs `command`, and the cycles from reset to each milestone."""
    elf = built("build/linux/boot.elf")
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        run = simulate(
            elf,
            *BOARD,
            *("--profile", str(profile)),
            *(word for text in MILESTONES for word in ("--milestone", text)),
            *append(command),
            config=config,
            timeout=1800,
        )
        milestones = {m["name"]: m["cycles"] for m in json.loads(profile.read_text())}
    return run, milestones


# One process boots a machine, for all that is asked about this boot.
@pytest.fixture(params=[pytest.param(m, marks=pytest.mark.xdist_group(m)) for m in MACHINES])
def machine(request) -> str:
    return request.param


COMMAND = "echo six times $((6 * 7 / 7)); exit 7"


def test_the_status_of_the_command_is_the_runs(machine):
    run, _ = boot(machine, COMMAND)
    assert "six times 6\r" in run.out
    assert run.status == 7, run.out[-2000:]


def test_the_kernel_knows_the_machine(machine):
    text = boot(machine, COMMAND)[0].out
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
    _, cycles = boot(machine, COMMAND)
    assert cycles["Linux version"] < cycles["Run /init"]
    assert cycles["Run /init"] < cycles["first instruction in U-mode"] <= MOST_TO_INIT


def test_ctrl_c_is_a_signal(machine):
    """It comes in by an interrupt of the PLIC, and the terminal makes SIGINT of it."""
    command = "trap 'echo caught; exit 5' INT; echo now; while :; do usleep 10000; done"
    elf = built("build/linux/boot.elf")
    call = [simulator(machine), *BOARD, *append(command), elf]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as linux:
        assert any(line == b"now\r\n" for line in linux.stdout)
        linux.stdin.write(b"\x03")
        linux.stdin.flush()
        rest = linux.stdout.read()
    assert b"caught\r\n" in rest
    assert linux.returncode == 5
