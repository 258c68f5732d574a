"""The scoreboard: every number that the texts print, beside ours, judged.

What ours is comes from the rows of a demo, or else from what the repository has recorded: of a
machine with a hashed table from docs/data/flush.json, of other caches from caches.json, of all else
from figures.json and demo.json. README, the demo and the report show this and nothing else."""

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from figures import judge
from figures.catalogue import DERIVED, MEASURED, OTHER, Entry, load, machines, of_class
from figures.record import RECORDED
from figures.rows import ANY, SPREADS, THEIRS, Row
from support.root import ROOT

DATA = ROOT / "docs" / "data"
FLUSH, CACHES = (DATA / f"{name}.json" for name in ("flush", "caches"))
GRANULE = "4k"
HASHED, TABLE = "teaching_hashed", "with the table"
# What depends on no cache has one of these in the place of its name.
ANYWHERE = (THEIRS, "no cache")


@dataclass(frozen=True)
class Found:
    """Our figure, and where it was found. `least` and `most` over places of code and data."""

    value: float
    source: str
    commit: str = ""
    least: float | None = None
    most: float | None = None
    placements: int | None = None


Figures = Mapping[str, Found]


@dataclass(frozen=True)
class Line:
    """A row of the catalogue with ours and its verdict."""

    entry: Entry
    machine: str
    verdict: str
    found: Found | None = None
    times: float | None = None
    also: tuple[tuple[str, float | None], ...] = ()

    @property
    def value(self) -> float | None:
        return self.found.value if self.found else None

    @property
    def counted(self) -> bool:
        """Whether it is one of the count: measured there, and judged by one of the five words."""
        return self.entry.cls == MEASURED and self.verdict in judge.WORDS


def here(row_machine: str, configuration: str, granule: str) -> bool:
    """Whether a figure of that cache and granule is the one that a row judges."""
    return configuration in (row_machine, *ANYWHERE) and granule in (GRANULE, ANY)


@functools.cache
def of_flush() -> dict[str, Found]:
    """What `make flush` recorded on the machine with the table."""
    recorded = json.loads(FLUSH.read_text())
    return {
        row["id"]: Found(row["ours"][TABLE], "make flush", recorded["commit"])
        for row in recorded["figures"]
        if row["id"] and TABLE in row["ours"]
    }


@functools.cache
def of_caches() -> dict[str, Found]:
    recorded = json.loads(CACHES.read_text())
    return {
        name: Found(value, "make caches", recorded["commit"])
        for name, value in recorded["figures"].items()
    }


def spread_of(r: dict) -> Found:
    """A row of figures.json."""
    text = f"make figures, {r['experiment']}"
    ends = (r["least"], r["most"], r["placements"]) if r["placements"] > 1 else ()
    return Found(r["median"], text, r["commit"], *ends)


def of_campaign(machine: str) -> dict[str, Found]:
    """What `make figures` recorded; of two experiments that print one figure that at more places
    of code and data."""
    recorded = sorted(json.loads(SPREADS.read_text())["figures"], key=lambda r: r["placements"])
    return {
        r["id"]: spread_of(r) for r in recorded if here(machine, r["configuration"], r["granule"])
    }


def of_rows(rows: Iterable[Row], machine: str, source: str, commit: str = "") -> dict[str, Found]:
    """What a demo measured: the median of a recorded spread if this boot lies within it."""
    found = {}
    for row in rows:
        if here(machine, row.configuration, row.granule):
            ends = (row.least, row.most, row.placements) if row.within else ()
            found[row.id] = Found(row.judged_value, source, commit, *ends)
    return found


def of_demo(machine: str) -> dict[str, Found]:
    """What the repository holds of the last demo that was published."""
    recorded = json.loads(RECORDED.read_text())
    rows = map(Row.of_json, recorded["figures"])
    return of_rows(rows, machine, recorded["command"], recorded["commit"])


@functools.cache
def recorded(machine: str) -> Figures:
    """All that docs/data has of a machine."""
    found = of_demo(machine) | of_campaign(machine)
    return found | of_flush() if machine == HASHED else found


def figures(machine: str, measured: Iterable[Row] | None) -> Figures:
    """What a row of this machine may be judged by; what was measured here comes first."""
    found = dict(recorded(machine))
    if measured is not None:
        found |= of_rows(measured, machine, "this run")
    return found


def elsewhere(where: str, found: Figures) -> float | None:
    """A figure that stands beside: of another machine, or of another form."""
    file, _, identity = where.partition(":")
    there = {"flush": of_flush, "caches": of_caches}.get(file, lambda: found)()
    return there[identity].value if identity in there else None


def line(e: Entry, measured: list[Row] | None = None) -> Line:
    """One row, judged."""
    machine = e.machine or machines()[e.document].machine
    found = figures(machine, measured)
    mine = None if e.unmeasured else found.get(e.ours)
    value = mine.value if mine else None
    beside = None
    if e.beside:
        other = load()[e.beside]
        reference = found.get(other.ours)
        beside = (reference.value, other.published) if reference else None
        value = value if reference else None
    also = tuple((label, elsewhere(where, found)) for label, where in e.also.items())
    verdict = judge.verdict(value, e, beside)
    compared = value is not None and e.cls in (MEASURED, DERIVED, OTHER)
    times = judge.times(value, e) if compared else None
    return Line(e, machine, verdict, mine, times, also)


def lines(measured: Iterable[Row] | None = None, *classes: str) -> list[Line]:
    """The rows of these classes, of the count if none is named. `measured`: what a demo has
    measured here; without it docs/data is judged."""
    rows = None if measured is None else list(measured)
    return [line(e, rows) for e in of_class(*(classes or (MEASURED,)))]


def count(found: Iterable[Line]) -> dict[str, int]:
    """How many rows have which verdict."""
    tally: dict[str, int] = {}
    for row in found:
        tally[row.verdict] = tally.get(row.verdict, 0) + 1
    return tally


# What a reader must be told why.
OWE = (judge.SAME, judge.OPPOSITE, judge.INCOMPARABLE, judge.TO_MEASURE, judge.UNMEASURED)


def unexplained(found: Iterable[Line]) -> list[Line]:
    """Rows whose catalogue entry owes a reason."""
    told = lambda e: e.reason or e.incomparable or e.unmeasured  # noqa: E731
    return [row for row in found if row.verdict in OWE and not told(row.entry)]


def as_json(row: Line) -> dict:
    """For build/results/scoreboard.json: what `make demo` has judged."""
    source = row.found.source if row.found else ""
    return {
        **{"id": row.entry.id, "verdict": row.verdict, "value": row.value},
        **{"published": row.entry.published, "machine": row.machine, "source": source},
    }


def summary(found: list[Line]) -> str:
    """The count in words."""
    n = count(found)
    judged = sum(row.counted for row in found)
    good = n.get(judge.NEAR, 0) + n.get(judge.AGREES, 0)
    words = ", ".join(f"{n.get(word, 0)} {word}" for word in judge.WORDS)
    left = ", ".join(
        f"{n[word]} {word}" for word in (judge.TO_MEASURE, judge.UNMEASURED) if n.get(word)
    )
    return (
        f"The texts measured {len(found)} figures. {judged} are judged here: {words}.\n"
        f"So {good} of {judged} are near or agree. Not judged: {left or 'none'}."
    )
