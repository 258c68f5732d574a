"""The cost of a walk in every format (cocotb_cost), with the walk cache, without, and with hardly
anything."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ["wide", "wide_nocache", "vmsa48_nocache", "minimal"])
def test_cost(config):
    run_unit("mmu", "unit.walk.cocotb_cost", config)
