"""The figures that the repository holds of the last demo that was published."""

import json

from figures.rows import Row
from support.root import ROOT

RECORDED = ROOT / "docs" / "data" / "demo.json"


def rows_of(figures: list[dict]) -> list[Row]:
    return [Row.of_json(row) for row in figures]


def recorded() -> tuple[list[Row], str]:
    """The rows, and the commit that they are of."""
    if not RECORDED.exists():
        return [], ""
    copy = json.loads(RECORDED.read_text())
    return rows_of(copy["figures"]), copy["commit"]
