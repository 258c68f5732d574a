"""What an invalidation covers, concerns and is counted as (cocotb_invalidate_sweep): each cell of
the bench's table, which is also that of InvalidateScope.scala's head."""

import re

import pytest

from support.rare import rare
from support.run import ROOT, run_unit
from unit.tlb.cocotb_invalidate_sweep import COLUMNS, TABLE, table

SCOPE = ROOT / "rtl/src/granule/tlb/InvalidateScope.scala"


@pytest.mark.parametrize("config", ["wide", *rare("small")])
def test_invalidate_sweep(config):
    run_unit("invalidatesweep", "unit.tlb.cocotb_invalidate_sweep", config)


def test_the_table_has_every_kind_and_column():
    rows = table()
    assert list(rows) == ["all", "asid", "va", "vaAllAsids", "range", "rangeAllAsids"]
    assert all(len(cells) == len(COLUMNS) for cells in rows.values())


def test_the_source_describes_itself_so():
    head = re.search(r"\{\{\{(.*?)\}\}\}", SCOPE.read_text(), re.DOTALL)[1]
    lines = [line.lstrip(" *").split() for line in head.splitlines()]
    assert [line for line in lines if line] == [line.split() for line in TABLE.strip().splitlines()]
