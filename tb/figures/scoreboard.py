"""The scoreboard: every number that the texts print, beside ours, judged.

What ours is comes from the rows of a demo, or else from what the repository has recorded: of a
machine with a hashed table from docs/data/flush.json, of other caches from caches.json, of all else
from figures.json and demo.json. README, the demo and the report show this and nothing else."""

import functools
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from figures import judge
from figures.catalogue import (
    DERIVED,
    MEASURED,
    OTHER,
    BadCatalogue,
    Entry,
    load,
    machines,
    of_class,
)
from figures.rows import ANY, PLACES, THEIRS, Row, campaign, rows_of
from support.root import ROOT

DATA = ROOT / "docs" / "data"
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
def data(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text())


def of_flush() -> dict[str, Found]:
    """Of the machine with the table."""
    return {
        row["id"]: Found(row["ours"][TABLE], "make flush", data("flush")["commit"])
        for row in data("flush")["figures"]
        if row["id"] and TABLE in row["ours"]
    }


def of_caches() -> dict[str, Found]:
    commit = data("caches")["commit"]
    values = data("caches")["figures"].items()
    return {name: Found(value, "make caches", commit) for name, value in values}


def of_linux() -> dict[str, Found]:
    """What Linux itself measured, by the row that it stands beside."""
    values = data("linux-boots")["beside"].items()
    return {name: Found(value, "make linux-documents") for name, value in values}


def of_campaign(machine: str) -> dict[str, Found]:
    """What `make figures` recorded; of two experiments that print one figure that at more places
    of code and data."""
    found = {}
    for r in sorted(campaign(), key=PLACES):
        if here(machine, r["configuration"], r["granule"]):
            ends = (r["least"], r["most"], r["placements"]) if r["placements"] > 1 else ()
            source = f"make figures, {r['experiment']}"
            found[r["id"]] = Found(r["median"], source, r["commit"], *ends)
    return found


def of_rows(rows: Iterable[Row], machine: str, source: str, commit: str = "") -> dict[str, Found]:
    """What a demo measured: the median of a recorded spread if this boot lies within it."""
    found = {}
    for row in rows:
        if here(machine, row.configuration, row.granule):
            ends = (row.least, row.most, row.placements) if row.within else ()
            found[row.id] = Found(row.judged_value, source, commit, *ends)
    return found


@functools.cache
def recorded(machine: str) -> dict[str, Found]:
    demo = data("demo")
    found = of_rows(rows_of(demo["figures"]), machine, demo["command"], demo["commit"])
    found |= of_campaign(machine)
    return found | of_flush() if machine == HASHED else found


def elsewhere(where: str, found: Mapping[str, Found]) -> float | None:
    """A figure that stands beside: of another machine, or of another form."""
    file, _, identity = where.partition(":")
    there = {"flush": of_flush, "caches": of_caches, "linux": of_linux}.get(file, lambda: found)()
    return there[identity].value if identity in there else None


def line(e: Entry, measured: list[Row] | None = None) -> Line:
    machine = e.machine or machines()[e.document].machine
    found = recorded(machine) | of_rows(measured or (), machine, "this run")
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


def count(found: Iterable[Line]) -> Counter[str]:
    return Counter(row.verdict for row in found)


# What a reader must be told why.
OWE = (judge.SAME, judge.OPPOSITE, judge.INCOMPARABLE, judge.TO_MEASURE, judge.UNMEASURED)


def unexplained(found: Iterable[Line]) -> list[Line]:
    """Rows whose catalogue entry owes a reason."""
    return [
        row
        for row in found
        if row.verdict in OWE
        and not (row.entry.reason or row.entry.incomparable or row.entry.unmeasured)
    ]


def summary(found: list[Line]) -> str:
    n = count(found)
    judged = sum(row.counted for row in found)
    good = n[judge.NEAR] + n[judge.AGREES]
    words = ", ".join(f"{n[word]} {word}" for word in judge.WORDS)
    waiting = (judge.TO_MEASURE, judge.UNMEASURED)
    left = ", ".join(f"{n[word]} {word}" for word in waiting if n[word])
    return (
        f"The texts measured {len(found)} figures. {judged} are judged here: {words}.\n"
        f"So {good} of {judged} are near or agree. Not judged: {left or 'none'}."
    )


# Names, with the reason, each row that was published with another verdict than is measured today,
# or that is to be measured. Any other is a defect.
STALE = DATA / "stale.toml"


def parse_stale(text: str) -> dict[str, str]:
    reasons = {name: table.get("reason", "") for name, table in tomllib.loads(text).items()}
    for name, reason in reasons.items():
        if name not in load() or not reason:
            raise BadCatalogue(f"{STALE.name}: {name} is no row of the catalogue, or has no reason")
    return reasons


def stale() -> dict[str, str]:
    """Reasons, by row."""
    return parse_stale(STALE.read_text())


def differing(published: Iterable[Line], verdicts: dict[str, str]) -> list[str]:
    """Rows that were published with another verdict than was measured since."""
    return [
        f"{row.entry.id}: published {row.verdict}, measured {verdicts[row.entry.id]}"
        for row in published
        if verdicts.get(row.entry.id, row.verdict) != row.verdict
    ]


def unlisted(published: Iterable[Line], measured: Iterable[Line]) -> list[str]:
    """Of these and of what is to be measured, what the list does not name."""
    rows, names = list(published), stale()
    found = differing(rows, {row.entry.id: row.verdict for row in measured})
    found += [f"{r.entry.id}: to be measured" for r in rows if r.verdict == judge.TO_MEASURE]
    return [text for text in found if text.partition(":")[0] not in names]
