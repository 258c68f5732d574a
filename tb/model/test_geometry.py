"""Geometry against the specification's complete tables: every granule, every TnSZ."""

import csv
from pathlib import Path

import pytest

from model.features import Features
from model.geometry import GRANULES, geometry, tnsz_limits

DATA = Path(__file__).parents[1] / "data"


def rows(name: str) -> list[dict]:
    with (DATA / name).open() as file:
        return [
            {key: value if key == "needs" else int(value) for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def row_id(row: dict | int) -> str:
    if isinstance(row, int):
        return str(row)
    return f"{1 << (row['granule_log2'] - 10)}K-T{row['tnsz']}"


BY_BITS = [(bits, row) for bits, name in ((64, "vmsa64"), (128, "d128"))
           for row in rows(f"geometry_{name}.csv")]  # fmt: skip


@pytest.mark.parametrize(("bits", "row"), BY_BITS, ids=row_id)
def test_size_of_descriptors(bits, row):
    """Spec 3.3, 3.4 and 10.2."""
    g = geometry(row["granule_log2"], row["tnsz"], bits == 128)
    assert g.input_size == row["va_bits"]
    assert g.start_level == row["start_level"]
    assert g.lsb(g.start_level) == row["index_low"]
    assert g.input_size - 1 == row.get("index_high", g.input_size - 1)
    assert g.first_entries == row["entries"]
    assert 1 << g.first_table_log2 == row["table_bytes"]


@pytest.mark.parametrize("granule", GRANULES)
def test_limits_are_exactly_the_rows_of_the_table(granule):
    """A row is legal with the feature that it names and illegal without (spec 2.3)."""
    table = {
        r["tnsz"]: r["needs"] for r in rows("geometry_vmsa64.csv") if r["granule_log2"] == granule
    }
    for name in ("", "DS", "LVA", "TTST"):
        features = Features(
            pamax=52, lva=name in ("DS", "LVA"), lpa2=name == "DS", ttst=name == "TTST"
        )
        low, high = tnsz_limits(granule, features, ds=name == "DS", d128=False)
        legal = {t for t in range(64) if low <= t <= high}
        granted = ("", name) if name != "DS" else ("", "DS", "LVA")
        assert legal == {t for t, needs in table.items() if needs in granted}, name


@pytest.mark.parametrize("granule", GRANULES)
def test_every_address_bit_is_indexed_once(granule):
    """Index fields of all levels and the page offset tile the input address without overlap."""
    low, high = (12, 47 if granule == 16 else 48)
    for tnsz in range(low, high + 1):
        g = geometry(granule, tnsz)
        va = (1 << g.input_size) - 1
        total = g.granule + g.first_index(va).bit_length()
        for level in range(g.start_level + 1, 4):
            total += g.index(va, level).bit_length()
        assert total == g.input_size
