"""What an invalidation covers, concerns and is counted as (cocotb_invalidate_sweep): each cell of
the table in the head of InvalidateScope.scala."""

import pytest

from support.run import run_unit
from unit.tlb.cocotb_invalidate_sweep import COLUMNS, table


@pytest.mark.parametrize("config", ["wide", "small"])
def test_invalidate_sweep(config):
    run_unit("invalidatesweep", "unit.tlb.cocotb_invalidate_sweep", config)


def test_the_table_has_every_kind_and_column():
    rows = table()
    assert list(rows) == ["all", "asid", "va", "vaAllAsids", "range", "rangeAllAsids"]
    assert all(len(cells) == len(COLUMNS) for cells in rows.values())
