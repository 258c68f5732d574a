"""Document 001 on a machine like its own, with a hashed table of translations, as `make flush` has
recorded it; beside the same machine without the table."""

import json

from support.root import ROOT

DOCUMENT = "001"
COPY = ROOT / "docs" / "data" / "flush.json"
WITH = "with the table"


def recorded() -> dict:
    """commit; figures: a row for each, with `ours` by machine."""
    return json.loads(COPY.read_text())


def rows(document: str) -> list[dict]:
    return recorded()["figures"] if document == DOCUMENT else []


def value(document: str, figure: str) -> float | None:
    """Of a published figure, what the machine with the table has."""
    return next((row["ours"][WITH] for row in rows(document) if row["id"] == figure), None)


def break_even(document: str) -> dict | None:
    """How many pages cost as much as everything."""
    return next((row for row in rows(document) if row["id"] == "H1.8"), None)


def machines(document: str) -> list[str]:
    found = rows(document)
    return list(found[0]["ours"]) if found else []
