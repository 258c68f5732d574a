"""Figures of the firmware as rows: one for each id, cache and granule. What stands beside a
published number is judged in scoreboard.py; models, invariants and arithmetic by the firmware."""

import functools
import json
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from operator import itemgetter

from figures.catalogue import document_of, entry
from granule.figures import ARITHMETIC, FIGURE, INVARIANT, MODEL, Figure
from support.root import ROOT

RECORDED, SPREADS = (ROOT / "docs" / "data" / f"{name}.json" for name in ("demo", "figures"))
PLACES = itemgetter("placements")
ANY = "any"  # granule of what does not depend on it
THEIRS = "the document's"  # cache of what is about the document's machine
HELD, FAILED = "PASS", "FAIL"  # of the firmware


@dataclass(frozen=True)
class Row:
    """One figure. `least`, `median` and `most` are of a campaign over `placements` places of code
    and data (docs/data/figures.json). `verdict`: the firmware's own; none of a figure."""

    id: str
    document: str
    what: str
    configuration: str
    granule: str
    cls: str
    value: float
    unit: str = ""
    least: float | None = None
    median: float | None = None
    most: float | None = None
    placements: int | None = None
    model: float | None = None
    tolerance: float | None = None
    expected: float | None = None
    times: float | None = None
    verdict: str | None = None

    @property
    def within(self) -> bool | None:
        """Whether the value of this boot lies within the recorded spread; None: there is none."""
        if self.least is None:
            return None
        return self.least <= self.value <= self.most

    @property
    def judged_value(self) -> float:
        """The median of a spread that describes this build, else what this boot measured."""
        return self.median if self.within else self.value

    def as_json(self) -> dict:
        row = asdict(self)
        return {"class": row.pop("cls"), **row, "within": self.within}

    @staticmethod
    def of_json(row: dict) -> "Row":
        """The row of a file; what is empty may be missing there."""
        known = {field.name for field in fields(Row)}
        kept = {k: v for k, v in row.items() if k in known}
        return Row(cls=row["class"], **kept)


def rows_of(figures: list[dict]) -> list[Row]:
    return [Row.of_json(row) for row in figures]


def recorded() -> tuple[list[Row], str]:
    """What the repository holds of the last demo that was published, and its commit."""
    if not RECORDED.exists():
        return [], ""
    copy = json.loads(RECORDED.read_text())
    return rows_of(copy["figures"]), copy["commit"]


def campaign() -> list[dict]:
    """What `make figures` recorded; nothing before the first one."""
    return json.loads(SPREADS.read_text())["figures"] if SPREADS.exists() else []


@functools.cache
def spreads() -> dict[tuple[str, str, str], dict]:
    """The campaign by id, cache and granule. Of two experiments that print the same figure the one
    at more places counts: the other is larger."""
    by_places = sorted(campaign(), key=PLACES)
    return {(r["id"], r["configuration"], r["granule"]): r for r in by_places}


SAME = 0.01  # values of several granules are one value if they differ by less than this part


def merged(group: list[Figure]) -> list[Figure]:
    """One figure of several that should be the same; all of them where they are not."""
    values = [f.value for f in group]
    if max(values) - min(values) > SAME * max(map(abs, values)):
        return group
    first, e = group[0], entry(group[0].id)
    cache = first.configuration if e.per_cache else THEIRS
    run = first.run if e.per_granule else ANY
    return [replace(first, value=statistics.median_low(values), configuration=cache, run=run)]


def once(figures: list[Figure]) -> list[Figure]:
    """What does not depend on granule or cache, once. A failure is never merged."""
    groups: dict[tuple, list[Figure]] = {}
    for f in figures:
        e = entry(f.id)
        cache = f.configuration if e.per_cache else ""
        run = f.run if e.per_granule else ""
        groups.setdefault((f.id, cache, run, f.verdict), []).append(f)
    return [f for group in groups.values() for f in merged(group)]


def with_spread(row: Row) -> Row:
    """The row with what the campaign says now: a file may be older."""
    if row.cls != FIGURE or not (spread := spreads().get((row.id, row.configuration, row.granule))):
        return row
    return replace(row, **{n: spread[n] for n in ("least", "median", "most", "placements")})


def row_of(f: Figure) -> Row:
    known = asdict(f)
    times = f.value / f.model if f.model else None
    row = Row(document=document_of(f.id), granule=known.pop("run"), times=times, **known)
    return with_spread(row)


def rows(figures: list[Figure]) -> list[Row]:
    return [row_of(f) for f in once(figures)]


def count(found: Iterable[Row]) -> Counter[str]:
    return Counter(FAILED if row.verdict == FAILED else row.cls for row in found)


def summary(found: list[Row]) -> str:
    """What the firmware says of itself; none of it is in the count of the published figures."""
    n = count(found)
    return (
        f"{n[MODEL]} beside a model of ours: all as predicted; "
        f"{n[INVARIANT]} invariants: all held; "
        f"{n[ARITHMETIC]} results of arithmetic: all exact; "
        f"{n[FIGURE]} measured; {n[FAILED]} failed"
    )
