"""Rows that were published with another verdict than a measurement of today gives, or that are to
be measured: docs/data/stale.toml names each with its reason. Any other is a defect."""

import tomllib
from collections.abc import Iterable

from figures import judge
from figures.catalogue import BadCatalogue, load
from figures.scoreboard import DATA, Line

STALE = DATA / "stale.toml"


def parse(text: str) -> dict[str, str]:
    reasons = {name: table.get("reason", "") for name, table in tomllib.loads(text).items()}
    for name, reason in reasons.items():
        if name not in load() or not reason:
            raise BadCatalogue(f"{STALE.name}: {name} is no row of the catalogue, or has no reason")
    return reasons


def listed() -> dict[str, str]:
    return parse(STALE.read_text())


def differing(published: Iterable[Line], verdicts: dict[str, str]) -> list[str]:
    """Rows that were published with another verdict than was measured since."""
    return [
        f"{row.entry.id}: published {row.verdict}, measured {verdicts[row.entry.id]}"
        for row in published
        if verdicts.get(row.entry.id, row.verdict) != row.verdict
    ]


def unlisted(published: Iterable[Line], measured: Iterable[Line]) -> list[str]:
    """Of these and of what is to be measured, what the list does not name."""
    rows, names = list(published), listed()
    found = differing(rows, {row.entry.id: row.verdict for row in measured})
    found += [f"{r.entry.id}: to be measured" for r in rows if r.verdict == judge.TO_MEASURE]
    return [text for text in found if text.partition(":")[0] not in names]
