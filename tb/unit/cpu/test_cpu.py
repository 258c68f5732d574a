"""The core, with a memory around it: directed programs, random ones in lock-step with a reference,
and what instructions cost."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("module", ["cocotb_directed", "cocotb_lockstep", "cocotb_timing"])
def test_cpu(module):
    run_unit("cpubench", f"unit.cpu.{module}")


def test_minimal():
    run_unit("cpubench", "unit.cpu.cocotb_minimal", "minimal")
