"""The machine-mode firmware (sw/sbi): each call of the SBI with its answers and errors, made by
programs in S-mode that check themselves."""

import re

import pytest

from sim.simulator import Run, simulate
from system.sbi.build import supervisor_program

# The device trees need Debian's device-tree-compiler, which `make linux-test` installs.
pytestmark = pytest.mark.slow


def run(name: str, *options: str, config: str = "teaching") -> Run:
    return simulate(supervisor_program(name), *options, config=config).passed()


@pytest.mark.parametrize("config", ["teaching", "ulx3s", "ulx3s_l2"])
@pytest.mark.parametrize("program", ["calls", "counters", "memory"])
def test_calls(program, config):
    assert "done, 0 failures" in run(program, config=config).out


@pytest.mark.parametrize("config", ["teaching", "ulx3s", "ulx3s_l2"])
def test_the_device_tree_is_that_of_the_machine(config):
    """Memory size and arguments are the simulator's options, the rest what the hardware says."""
    arguments = "console=hvc0 init=/bin/sh -- -c 'echo a'"
    text = run("calls", "--lowmem", "24M", "--append", arguments, config=config).out
    assert f"machine {config}\r\n" in text
    assert f"arguments '{arguments}'\r\n" in text
    assert "memory 0x1800000 bytes at 0x80000000\r\n" in text
    assert re.search(r"firmware 0x[1248]0*000 bytes at 0x80000000\r\n", text)
    assert "clock 25000000 Hz\r\n" in text


def test_console_by_every_way():
    text = run("calls").out
    assert "written by address\r\n!\r\nL\r\n" in text
    assert "still here" not in text
