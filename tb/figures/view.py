"""Rows as text, for the terminal and for README.md: one line a figure and cache, the granules side
by side."""

from collections.abc import Callable, Container

from figures.catalogue import DOCUMENTS, GRANULES, MACHINE
from figures.judge import HOLDS
from figures.rows import ANY, FAILED, HELD, Row
from granule.figures import INVARIANT

TITLES = {name: f"Document {name}: {title}" for name, title in DOCUMENTS.items()}
TITLES[MACHINE] = "The machine itself: protection and timer"
# PASS is a word of the firmware: what it checks holds.
SAID = {None: "", HELD: HOLDS, FAILED: FAILED}


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
    """How many times a size."""
    if value is None:
        return ""
    digits = ".2f" if 0.1 <= abs(value) < 10 else ".1f" if abs(value) >= 10 else ".2g"
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


def grouped(rows: list[Row]) -> list[list[Row]]:
    """The granules of each figure and cache, in the order of a table."""
    groups: dict[tuple, list[Row]] = {}
    for row in rows:
        groups.setdefault((id_order(row.id), row.configuration), []).append(row)
    return [groups[key] for key in sorted(groups)]


def lines(rows: list[Row]) -> list[dict[str, str]]:
    """All but the invariants that held, sorted by id and cache."""
    return [line(group) for group in grouped([row for row in rows if not is_kept(row)])]


def columns(shown: list[dict[str, str]], without: Container[str] = ()) -> list[str]:
    """The columns that these lines fill, and of them not those `without`."""
    names = shown[0] if shown else ()
    return [name for name in names if name not in without and any(row[name] for row in shown)]


def kept(rows: list[Row]) -> str:
    """How many invariants are not in the table, because they held."""
    n = sum(map(is_kept, rows))
    checked = f"{n} invariant{'' if n == 1 else 's'}"
    return f"Not shown: {checked} checked while it ran, all held." if n else ""
