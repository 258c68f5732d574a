"""Permission arithmetic against the specification's table. What table bits, PAN, dirty state and
indirection do to it, Arm's architecture says in vectors (test_vectors.py)."""

import csv
from pathlib import Path

import pytest

from model.descriptor import PLAIN
from model.geometry import geometry
from model.permissions import Hierarchy, direct

with (Path(__file__).parents[1] / "data" / "permissions_direct.csv").open() as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r['uxn']}{r['pxn']}{r['ap']}")
def test_row_of_the_table(row):
    """Spec 5.3, without table bits and PAN."""
    bits = int(row["uxn"]) << 54 | int(row["pxn"]) << 53 | int(row["ap"], 2) << 6 | 1 << 10 | 3
    page = PLAIN.leaf(bits, 3, geometry(12, 16))
    for el, wxn in ((1, False), (0, False), (1, True), (0, True)):
        got = direct(page, Hierarchy(), el, pan=False, wxn=wxn, epan=False, dirty_managed=False)
        assert str(got) == row[f"el{el}" + "_wxn" * wxn]
