"""Document 001 on three machines, as `make flush` has recorded it: with a hashed table of
translations, on which it is judged, without it, and with a main TLB."""

import json

from figures.catalogue import entry
from figures.scoreboard import FLUSH

DOCUMENT = "001"
BREAK_EVEN = "H1.8"


def rows(document: str) -> list[dict]:
    """A row for each figure, with `ours` by machine."""
    return json.loads(FLUSH.read_text())["figures"] if document == DOCUMENT else []


def break_even(document: str) -> dict | None:
    """How many pages cost as much as everything."""
    found = next((row for row in rows(document) if row["id"] == BREAK_EVEN), None)
    return found and {**found, "published": entry(BREAK_EVEN).published}


def machines(document: str) -> list[str]:
    found = rows(document)
    return list(found[0]["ours"]) if found else []
