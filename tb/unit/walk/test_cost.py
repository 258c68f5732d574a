"""The cost of a walk in every format (cocotb_cost), with the walk cache, without, and with hardly
anything."""

import pytest

from support.rare import rare
from support.run import run_unit


@pytest.mark.parametrize("config", ["wide", "vmsa48_nocache", *rare("wide_nocache", "minimal")])
def test_cost(config):
    run_unit("mmu", "unit.walk.cocotb_cost", config)
