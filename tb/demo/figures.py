"""Reads the machine lines of the firmware: `RESULT id=H0.1 run=4k value=1.07 unit=ratio ...`."""

import re
from dataclasses import asdict, dataclass, fields, replace

REQUIRED = ("id", "run", "value", "unit", "doc", "kind", "verdict")
KINDS = {
    "X": "exact",
    "R": "ratio: same direction, roughly the same size",
    "O": "order or sign only",
}
VERDICTS = ("PASS", "DIFF", "FAIL")
# A figure that is further from the expected one than this has the right direction and another size.
ROUGHLY = 2.0
# An expected difference below this is noise of the publication: no size to compare with.
NOISE = 0.001
# Arithmetic about the machine of document 000, which has 4K pages whatever granule was booted.
ARITHMETIC = ("H0.5", "H0.6", "H0.7")
THEIR_MACHINE = "document 000's"
THEIR_GRANULE = "4k"
# Which published document an id of the digest belongs to.
DOCUMENTS = {"H0": "document-000", "C": "document-000", "H2": "document-002", "A": "document-002",
             "W": "walks"}  # fmt: skip


class MalformedResult(ValueError):
    """A RESULT line that cannot be read; names the line and what is missing."""


@dataclass(frozen=True)
class Figure:
    """One measured figure beside what was expected: the published figure, or that of a model."""

    id: str
    run: str
    value: float
    unit: str
    documented: str | None
    model: str | None
    kind: str
    verdict: str
    configuration: str
    note: str = ""

    @property
    def document(self) -> str:
        prefix = self.id.split(".")[0].split("-")[0]
        return DOCUMENTS.get(prefix, "other")

    @property
    def expected(self) -> str | None:
        return self.documented or self.model

    @property
    def times(self) -> float | None:
        """How many times the expected size. Of a ratio the excess over 1 is the size: 1.14 is
        twice as much more as 1.07. None: nothing to compare with."""
        if not self.expected:
            return None
        expected = float(self.expected)
        base = 1.0 if self.unit == "ratio" and expected != 1 else 0.0
        if abs(expected - base) < NOISE:
            return None
        return (self.value - base) / (expected - base)

    def judged(self) -> "Figure":
        """DIFF instead of PASS where the ratio, or its excess, is not roughly the expected one."""
        if self.verdict != "PASS" or self.kind != "R" or self.times is None:
            return self
        sizes = (self.times, self.value / float(self.expected))
        near = all(1 / ROUGHLY <= size <= ROUGHLY for size in sizes)
        return self if near else replace(self, verdict="DIFF")

    def row(self) -> dict:
        return {**asdict(self), "times": self.times}

    @staticmethod
    def of_row(row: dict) -> "Figure":
        """The figure that `row` made a row of."""
        return Figure(**{field.name: row[field.name] for field in fields(Figure)})


def is_published(identity: str) -> bool:
    """Figures of the publications are H...; a control run and the experiments have a model."""
    return identity.startswith("H") and not identity.endswith("-control")


def parse(line: str, configuration: str) -> Figure:
    """One RESULT line. Raises MalformedResult when a key is missing or the value is no number."""
    tokens = dict(t.split("=", 1) for t in line.split()[1:] if "=" in t)
    missing = [key for key in REQUIRED if key not in tokens]
    if missing:
        raise MalformedResult(f"no {', '.join(missing)} in: {line}")
    if tokens["kind"] not in KINDS:
        raise MalformedResult(f"kind {tokens['kind']} is none of {', '.join(KINDS)} in: {line}")
    if tokens["verdict"] not in VERDICTS:
        raise MalformedResult(
            f"verdict {tokens['verdict']} is none of {', '.join(VERDICTS)}: {line}"
        )
    try:
        value = float(tokens["value"])
    except ValueError as error:
        raise MalformedResult(f"value {tokens['value']} is no number in: {line}") from error
    expected = None if tokens["doc"] == "-" else tokens["doc"]
    published = is_published(tokens["id"])
    figure = Figure(
        id=tokens["id"],
        run=tokens["run"],
        value=value,
        unit=tokens["unit"],
        documented=expected if published else None,
        model=None if published else expected,
        kind=tokens["kind"],
        verdict=tokens["verdict"],
        configuration=configuration,
        note=tokens.get("note", "").replace("_", " "),
    )
    return figure.judged()


def once(figures: list[Figure]) -> list[Figure]:
    """The arithmetic about the document's machine once, as that machine's, instead of once a run.
    A run that computed something else keeps its figure."""
    theirs = {"configuration": THEIR_MACHINE, "run": THEIR_GRANULE}
    return list(dict.fromkeys(replace(f, **theirs) if f.id in ARITHMETIC else f for f in figures))


LEVELS = re.compile(r"^ +levels +(\d) \(", re.MULTILINE)
ROUNDING = 1e-5  # of figures with six digits


def walks_agree(single: float, reads: float, levels: int) -> bool:
    """Whether two counters count the same walks: those that did not end after one descriptor read
    at least two, and at most one a level."""
    several = 1 - single
    return several - ROUNDING <= reads - 1 <= several * (levels - 1) + ROUNDING


def with_walks_judged(figures: list[Figure], console: str) -> list[Figure]:
    """W-1 and W-2 have no published value; they are held against each other."""
    by_id = {f.id: f for f in figures}
    levels = LEVELS.search(console)
    if not levels or not {"W-1", "W-2"} <= by_id.keys():
        return figures
    if walks_agree(by_id["W-1"].value, by_id["W-2"].value, int(levels[1])):
        return figures
    return [replace(f, verdict="FAIL") if f.document == "walks" else f for f in figures]


def split(console: str, configuration: str) -> tuple[list[str], list[Figure]]:
    """Console text into what a person reads and what a program reads."""
    text, figures = [], []
    for line in console.splitlines():
        if line.startswith("RESULT "):
            figures.append(parse(line, configuration))
        else:
            text.append(line)
    return text, with_walks_judged(figures, console)


# A line of document 002's table: run, what was read, pages or lines, and eight counters.
PROBE = re.compile(
    r"\s+(?P<run>A-\d)\s+(?P<what>.+?)\s+"
    r"(?:as above|(?P<reads>\d+)\s+(?P<cold>\d+)\s+(?P<steady>\d+)\s+(?P<rate>[\d.]+)"
    r"\s+\d+\s+\d+\s+(?P<cycles>[\d.]+)\s+\d+)\s*"
)


def probes(text: list[str], configuration: str, granule: str) -> list[dict]:
    """The loops of document 002's experiment. A policy that gives as many zero pages as the one
    before was not run again: its row repeats what that one measured."""
    found: list[dict] = []
    for line in text:
        match = PROBE.fullmatch(line)
        if not match:
            continue
        what, _, pages = match["what"].partition(": ")
        row = {"what": what, "zero_pages": int(pages) if pages else None}
        if match["reads"]:
            row |= {
                "run": match["run"],
                "reads": int(match["reads"]),
                "misses": int(match["cold"]) + int(match["steady"]),
                "rate": float(match["rate"]),
                "cycles": float(match["cycles"]),
            }
        found.append(found[-1] | row if not match["reads"] else row)
    return [{"configuration": configuration, "granule": granule, **row} for row in found]
