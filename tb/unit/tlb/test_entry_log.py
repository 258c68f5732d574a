"""What is written down of an installed entry (cocotb_entry_log)."""

import pytest

from support.rare import rare
from support.run import run_unit


@pytest.mark.parametrize("config", ["wide", *rare("small")])
def test_entry_log(config):
    run_unit("entrylog", "unit.tlb.cocotb_entry_log", config)
