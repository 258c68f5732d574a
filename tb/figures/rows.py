"""Figures of the firmware, judged: one row for each id, cache and granule.

A row holds all that a verdict follows from, so that anyone can judge it again from the file."""

import functools
import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace

from figures import judge
from figures.catalogue import Entry, entry, load
from granule.figures import ARITHMETIC, FIGURE, INVARIANT, MODEL, Figure
from support.root import ROOT

SPREADS = ROOT / "docs" / "data" / "figures.json"
ANY = "any"  # granule of what does not depend on it
THEIRS = "the document's"  # cache of what is about the document's machine


@dataclass(frozen=True)
class Row:
    """One figure beside what it is compared with. `least`, `median` and `most` are of a campaign
    over `placements` places of code and data (docs/data/figures.json)."""

    id: str
    document: str
    what: str
    configuration: str
    granule: str
    cls: str
    value: float | None = None
    unit: str = ""
    least: float | None = None
    median: float | None = None
    most: float | None = None
    placements: int | None = None
    printed: str = ""
    published: float | None = None
    model: float | None = None
    tolerance: float | None = None
    expected: float | None = None
    kind: str = ""
    times: float | None = None
    verdict: str | None = None
    reason: str = ""

    @property
    def within(self) -> bool | None:
        """Whether the value of this boot lies within the recorded spread; None: there is none."""
        if self.least is None or self.value is None:
            return None
        return self.least <= self.value <= self.most

    @property
    def judged_value(self) -> float | None:
        """The median of a spread that describes this build, else what this boot measured."""
        return self.median if self.kind == "R" and self.within else self.value

    def as_json(self) -> dict:
        row = asdict(self)
        return {"class": row.pop("cls"), **row, "within": self.within}

    @staticmethod
    def of_json(row: dict) -> "Row":
        """The row of a file; what is empty may be missing there."""
        known = {field.name for field in fields(Row)}
        kept = {k: v for k, v in row.items() if k in known}
        return Row(cls=row["class"], **{"configuration": ""} | kept)


@functools.cache
def spreads() -> dict[tuple[str, str, str], dict]:
    """What the campaign recorded, by id, cache and granule; empty before the first one. Of two
    experiments that print the same figure the one at more places counts: the other is larger."""
    if not SPREADS.exists():
        return {}
    recorded = json.loads(SPREADS.read_text())["figures"]
    by_places = sorted(recorded, key=lambda r: r["placements"])
    return {(r["id"], r["configuration"], r["granule"]): r for r in by_places}


SAME = 0.01  # values of several granules are one value if they differ by less than this part


def merged(group: list[Figure]) -> list[Figure]:
    """One figure of several that should be the same; all of them where they are not."""
    values = [f.value for f in group]
    if max(values) - min(values) > SAME * max(map(abs, values)):
        return group
    e = entry(group[0].id)
    return [
        replace(
            group[0],
            value=statistics.median_low(values),
            configuration=group[0].configuration if e.per_cache else THEIRS,
            run=group[0].run if e.per_granule else ANY,
        )
    ]


def once(figures: list[Figure]) -> list[Figure]:
    """What does not depend on granule or cache, once. A failure is never merged."""
    groups: dict[tuple, list[Figure]] = {}
    for f in figures:
        e = entry(f.id)
        cache = f.configuration if e.per_cache else ""
        run = f.run if e.per_granule else ""
        groups.setdefault((f.id, cache, run, f.verdict), []).append(f)
    return [f for group in groups.values() for f in merged(group)]


def judged(row: Row, e: Entry) -> Row:
    """The row with its times, verdict and reason."""
    verdict = judge.verdict(row.judged_value, e, row.granule)
    times = judge.times(row.judged_value, e)
    reason = ""
    if verdict == judge.DIFF:
        reason = e.reason
    elif e.kinds.get(row.granule):
        reason = f"kind {row.kind}: {e.kind_reason}"
    elif verdict == judge.SHOWN:
        reason = e.reason or e.open
    return replace(row, times=times, verdict=verdict, reason=reason)


def with_spread(row: Row) -> Row:
    """The row with what the catalogue and the campaign say now, judged by it: a file may be older
    than either."""
    e = entry(row.id)
    if row.value is not None:
        kind = e.kind_at(row.granule)
        row = replace(row, published=e.published, printed=e.printed, kind=kind)
    spread = spreads().get((row.id, row.configuration, row.granule))
    if spread and row.value is not None:
        row = replace(row, **{n: spread[n] for n in ("least", "median", "most", "placements")})
    judgeable = e.kind and row.value is not None and row.verdict != "FAIL"
    return judged(row, e) if judgeable else row


def row_of(f: Figure) -> Row:
    e = entry(f.id)
    row = Row(
        id=f.id,
        document=e.document,
        what=e.what or f.what,
        configuration=f.configuration,
        granule=f.run,
        cls=f.cls,
        value=f.value,
        unit=f.unit,
        printed=e.printed,
        published=e.published,
        model=f.model,
        tolerance=f.tolerance,
        expected=f.expected,
        kind=e.kind_at(f.run),
        verdict=f.verdict,
    )
    if f.model and not e.kind:
        row = replace(row, times=f.value / f.model)
    return with_spread(row)


def opened(e: Entry) -> Row:
    """The row of a published figure that nothing was measured for."""
    return Row(
        id=e.id,
        document=e.document,
        what=e.what,
        configuration="",
        granule=ANY,
        cls=FIGURE,
        value=None,
        unit=e.unit,
        printed=e.printed,
        published=e.published,
        kind=e.kind,
        verdict=judge.OPEN,
        reason=e.open,
    )


def rows(figures: list[Figure]) -> list[Row]:
    """All figures judged, and every published one that is missing as an open row."""
    made = [row_of(f) for f in once(figures)]
    there = {row.id for row in made}
    return made + [opened(e) for e in load().values() if e.kind and e.id not in there]


def unexplained(judged_rows: Iterable[Row]) -> list[Row]:
    """Rows whose catalogue entry owes a reason: a DIFF, or nothing measured."""
    return [r for r in judged_rows if r.verdict in (judge.DIFF, judge.OPEN) and not r.reason]


def count(judged_rows: list[Row]) -> dict[str, int]:
    """What the summary says, by group; published figures by how close they came."""
    tally: dict[str, int] = {}
    for row in judged_rows:
        tally[group_of(row)] = tally.get(group_of(row), 0) + 1
    return tally


FAILED, HELD, EQUAL, PREDICTED, ALONE = "failed", "held", "equal", "as predicted", "alone"


def group_of(row: Row) -> str:
    """Which number of the summary a row counts in."""
    if row.verdict == "FAIL":
        return FAILED
    if row.verdict == judge.OPEN:
        return judge.OPEN
    if row.cls == ARITHMETIC:
        return EQUAL if row.verdict in ("PASS", None) else judge.OTHER
    if row.cls == INVARIANT:
        return HELD
    if row.kind and row.kind != "-":
        return judge.closeness(row.judged_value, entry(row.id))
    return PREDICTED if row.cls == MODEL else ALONE


def of_boots(judged_rows: list[Row], booted: list[tuple[str, str]]) -> list[Row]:
    """Of the rows of more boots, those that these (cache, granule) make."""
    caches = {cache for cache, _ in booted}

    def made(row: Row) -> bool:
        if row.configuration in ("", THEIRS):
            return True
        if row.granule == ANY:
            return row.configuration in caches
        return (row.configuration, row.granule) in booted

    return [row for row in judged_rows if made(row)]


def closeness(judged_rows: list[Row]) -> str:
    """How many figures stand beside a published one, and how close they came."""
    n = count(judged_rows)
    near, direction, other = (n.get(g, 0) for g in (judge.NEAR, judge.DIRECTION, judge.OTHER))
    return (
        f"{near + direction + other} figures beside a published one: {near} within 2x, "
        f"{direction} same direction, {other} other"
    )


def summary(judged_rows: list[Row]) -> str:
    """The last lines of the demo: what the figures stand beside, and how they came out."""
    n = count(judged_rows)

    def of(group: str) -> int:
        return n.get(group, 0)

    return (
        f"{closeness(judged_rows)}; {of(judge.OPEN)} published ones open\n"
        f"{of(PREDICTED)} beside a model of ours: all as predicted; "
        f"{of(HELD)} invariants: all held; {of(EQUAL)} results of arithmetic: all exact; "
        f"{of(ALONE)} measured only; {of(FAILED)} failed"
    )
