"""The cost of a walk in every format (cocotb_cost), with and without the walk cache."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ["wide", "wide_nocache", "vmsa48_nocache"])
def test_cost(config):
    run_unit("mmu", "walk.cocotb_cost", config)
