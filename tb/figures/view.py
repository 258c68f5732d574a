"""Figures as text, for the terminal, README.md, docs/figures.md and the report: rows of the
firmware, one line a figure and cache, the granules side by side; and the scoreboard."""

from collections.abc import Callable, Container, Iterable

from figures import judge
from figures.catalogue import DOCUMENTS, GRANULES, MACHINE, machines
from figures.rows import ANY, FAILED, HELD, Row
from figures.scoreboard import Line, count
from granule.figures import INVARIANT

TITLES = {name: f"Document {name}: {title}" for name, title in DOCUMENTS.items()}
TITLES[MACHINE] = "The machine itself: protection and timer"
# In build/results.
FILES = {name: f"document-{name}" for name in DOCUMENTS} | {MACHINE: MACHINE}
# PASS is a word of the firmware: what it checks holds.
SAID = {None: "", HELD: judge.HOLDS, FAILED: FAILED}


def number(value: float) -> str:
    """As many digits as a person compares."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.4f}" if abs(value) < 100 else f"{value:,.1f}"


def is_kept(row: Row) -> bool:
    """A count of what must not happen; people need to see it only when it happened."""
    return row.cls == INVARIANT and row.verdict == HELD


def by_granule(group: list[Row], cell: Callable[[Row], str]) -> str:
    """What all granules have in common; where they differ, one after the other."""
    cells = {row.granule: cell(row) for row in group}
    if len(set(cells.values())) == 1:
        return next(iter(cells.values()))
    return " / ".join(cells.get(granule) or "-" for granule in GRANULES)


def factor(value: float | None) -> str:
    if value is None:
        return ""
    digits = ".1f" if abs(value) >= 10 else ".2f" if abs(value) >= 0.1 else ".2g"
    return f"{value:{digits}}"


def spread(row: Row) -> str:
    """Least, median and most of the campaign; a mark where this boot lies outside."""
    if row.least is None:
        return ""
    text = f"{number(row.least)} .. {number(row.median)} .. {number(row.most)}"
    return text if row.within else f"{text} (outside)"


def optional(value: float | None) -> str:
    return "" if value is None else number(value)


def line(group: list[Row]) -> dict[str, str]:
    """One figure on one cache: the text of each column of a table."""
    first = group[0]
    values = {row.granule: number(row.value) for row in group}
    if ANY in values:
        values = {GRANULES[0]: values[ANY], **dict.fromkeys(GRANULES[1:], "same")}
    said = FAILED if any(r.verdict == FAILED for r in group) else first.verdict
    return {
        **{"id": first.id, "what": first.what, "cache": first.configuration},
        **dict.fromkeys(GRANULES, ""),
        **values,
        "spread": by_granule(group, spread),
        "model": by_granule(group, lambda r: optional(r.expected if r.model is None else r.model)),
        "times": by_granule(group, lambda r: factor(r.times)),
        "unit": first.unit,
        "verdict": SAID[said],
    }


def id_order(identity: str) -> tuple:
    """H0.2 before H0.10; published ids first."""
    head, _, tail = identity.partition(".")
    digits = tail.split(".")[0]
    return (not head.startswith("H"), head, int(digits) if digits.isdigit() else 0, tail)


def lines(rows: list[Row]) -> list[dict[str, str]]:
    """All but the invariants that held, sorted by id and cache."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        if not is_kept(row):
            groups.setdefault((id_order(row.id), row.configuration), []).append(row)
    return [line(groups[key]) for key in sorted(groups)]


def columns(shown: list[dict[str, str]], without: Container[str] = ()) -> list[str]:
    """The columns that these lines fill, and of them not those `without`."""
    names = shown[0] if shown else ()
    return [name for name in names if name not in without and any(row[name] for row in shown)]


def kept(rows: list[Row]) -> str:
    """How many invariants are not in the table, because they held."""
    n = sum(map(is_kept, rows))
    checked = f"{n} invariant{'' if n == 1 else 's'}"
    return f"Not shown: {checked} checked while it ran, all held." if n else ""


# ---- the scoreboard ------------------------------------------------------------------------------
def remarks(row: Line) -> str:
    e, f = row.entry, row.found
    beside = e.beside if e.base is None else number(e.base)
    said = [e.unmeasured, e.incomparable, e.reason, f"beside {beside}" if beside else ""]
    said.append(f"noise {e.noise:g}" if e.noise else "")
    said.append(", ".join(f"{label}: {number(v)}" for label, v in row.also if v is not None))
    if f and f.least != f.most:
        said.append(f"{number(f.least)} to {number(f.most)} at {f.placements} places")
    return "; ".join(filter(None, said))


def cells(row: Line) -> dict[str, str]:
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
    m = machines()[document]
    return f"Judged on `{m.machine}`: {m.chosen}. Known before: {m.earlier}."


def tally(rows: Iterable[Line]) -> list[dict[str, str]]:
    rows = list(rows)
    left = (judge.TO_MEASURE, judge.UNMEASURED)
    shown = [*judge.WORDS, *(word for word in left if count(rows)[word])]
    table = []
    for document, title in sorted(DOCUMENTS.items()):
        n = count(row for row in rows if row.entry.document == document)
        table.append({"document": f"{document}: {title}"} | {word: str(n[word]) for word in shown})
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
