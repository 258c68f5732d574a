"""Fills, write-backs and maintenance of lines (cocotb_line_engine): without colours, and with four
of them."""

import pytest

from support.run import run_unit


@pytest.mark.parametrize("config", ["teaching", "ulx3s"])
def test_line_engine(config):
    run_unit("LineEngine", "unit.cache.cocotb_line_engine", config, inside="l1data")


def test_lines_that_move_between_colours():
    run_unit("LineEngine", "unit.cache.cocotb_line_colours", "ulx3s", inside="l1data")
