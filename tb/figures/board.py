"""The scoreboard as text: for the terminal, README.md, docs/figures.md and the report."""

from collections.abc import Callable, Iterable

from figures import judge
from figures.catalogue import DOCUMENTS, machines
from figures.scoreboard import Line, count
from figures.view import factor, number, optional


def beside(row: Line) -> str:
    """Against which figure its sign is."""
    e = row.entry
    if e.base is not None:
        return f"beside {number(e.base)}"
    return f"beside {e.beside}" if e.beside else ""


def spread(row: Line) -> str:
    """Over places of code and data."""
    f = row.found
    if not f or f.least is None or f.least == f.most:
        return ""
    return f"{number(f.least)} to {number(f.most)} at {f.placements} places"


def others(row: Line) -> str:
    return ", ".join(f"{label}: {number(v)}" for label, v in row.also if v is not None)


def remarks(row: Line) -> str:
    """All that a reader must know of it."""
    e = row.entry
    noise = f"noise {e.noise:g}" if e.noise else ""
    said = (e.unmeasured, e.incomparable, e.reason, beside(row), noise, others(row), spread(row))
    return "; ".join(text for text in said if text)


def cells(row: Line) -> dict[str, str]:
    """The text of each column of a table."""
    e = row.entry
    return {
        "id": e.id,
        "what": e.what,
        "verdict": row.verdict,
        "the text": e.line,
        "published": optional(e.published),
        "ours": optional(row.value),
        "times": factor(row.times),
        "unit": e.unit,
        "machine": row.machine if row.value is not None else "",
        "remarks": remarks(row),
    }


def on(document: str) -> str:
    """Why the rows of a document are judged on their machine."""
    m = machines()[document]
    return f"Judged on `{m.machine}`: {m.chosen}. Known before: {m.earlier}."


def tally(rows: Iterable[Line]) -> list[dict[str, str]]:
    """How many of each document have which verdict."""
    rows = list(rows)
    shown = [*judge.WORDS, judge.TO_MEASURE, judge.UNMEASURED]
    shown = [word for word in shown if word in judge.WORDS or count(rows).get(word)]
    table = []
    for document, title in sorted(DOCUMENTS.items()):
        n = count(row for row in rows if row.entry.document == document)
        table.append({"document": f"{document}: {title}"} | {w: str(n.get(w, 0)) for w in shown})
    return table


def sources(rows: Iterable[Line], said: Callable[[str], str] = "commit {}".format) -> list[str]:
    """Which rows of the count were measured by what; nothing of those of this run. `said` names a
    commit."""
    old: dict[str, list[str]] = {}
    for row in rows:
        if row.counted and row.found and row.found.commit:
            key = f"`{row.found.source}`, {said(row.found.commit)}"
            old.setdefault(key, []).append(row.entry.id)
    return [f"{', '.join(ids)}: as recorded by {source}" for source, ids in old.items()]
