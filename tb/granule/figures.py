"""Reads the machine lines of the firmware: `RESULT id=H0.1 run=4k class=figure value=1.07 ...`, and
`SERIES name=e001.cost.range run=4k x=64 y=19.25`.

A RESULT has one of four classes (sw/experiments/experiment.h): a figure is measured and not judged
by the firmware; a model, an invariant and arithmetic are, and their verdict is part of the line."""

import re
from dataclasses import dataclass, replace

FIGURE, MODEL, INVARIANT, ARITHMETIC = "figure", "model", "invariant", "arithmetic"
# What a line of each class needs beside id, run, class, value, unit and what.
CLASSES = {
    FIGURE: (),
    MODEL: ("model", "tolerance", "verdict"),
    INVARIANT: ("verdict",),
    ARITHMETIC: ("expected", "verdict"),
}
REQUIRED = ("id", "run", "value", "unit", "what")
NUMBERS = ("value", "model", "tolerance", "expected")
VERDICTS = ("PASS", "FAIL")


class MalformedResult(ValueError):
    """A RESULT line that cannot be read; names the line and what is missing."""


@dataclass(frozen=True)
class Figure:
    """One line of one boot. `verdict` is the firmware's own: None for a measured figure."""

    id: str
    run: str
    cls: str
    value: float
    unit: str
    what: str
    configuration: str
    model: float | None = None
    tolerance: float | None = None
    expected: float | None = None
    verdict: str | None = None


def number(tokens: dict[str, str], name: str, line: str) -> float | None:
    if name not in tokens:
        return None
    try:
        return float(tokens[name])
    except ValueError as error:
        raise MalformedResult(f"{name} {tokens[name]} is no number in: {line}") from error


def parse(line: str, configuration: str) -> Figure:
    """One RESULT line. Raises MalformedResult when a key is missing or a value is no number."""
    tokens = dict(t.split("=", 1) for t in line.split()[1:] if "=" in t)
    cls = tokens.get("class", "")
    if cls not in CLASSES:
        raise MalformedResult(f"class '{cls}' is none of {', '.join(CLASSES)} in: {line}")
    missing = [key for key in (*REQUIRED, *CLASSES[cls]) if key not in tokens]
    if missing:
        raise MalformedResult(f"no {', '.join(missing)} in: {line}")
    verdict = tokens.get("verdict")
    if verdict and (cls == FIGURE or verdict not in VERDICTS):
        raise MalformedResult(f"verdict {verdict} of a {cls} in: {line}")
    numbers = {name: number(tokens, name, line) for name in NUMBERS}
    what = tokens["what"].replace("_", " ")
    return Figure(id=tokens["id"], run=tokens["run"], cls=cls, unit=tokens["unit"], what=what,
                  configuration=configuration, verdict=verdict, **numbers)  # fmt: skip


LEVELS = re.compile(r"^ +levels +(\d) \(", re.MULTILINE)
ROUNDING = 1e-5  # of figures with six digits


def walks_agree(single: float, reads: float, levels: int) -> bool:
    """Whether two counters count the same walks: those that did not end after one descriptor read
    at least two, and at most one a level."""
    several = 1 - single
    return several - ROUNDING <= reads - 1 <= several * (levels - 1) + ROUNDING


def with_walks_judged(figures: list[Figure], console: str) -> list[Figure]:
    """W-1 and W-2 are held against each other: an invariant of the counters, judged here."""
    by_id = {f.id: f for f in figures}
    levels = LEVELS.search(console)
    if not levels or not {"W-1", "W-2"} <= by_id.keys():
        return figures
    single, reads = by_id["W-1"], by_id["W-2"]
    agree = walks_agree(single.value, reads.value, int(levels[1]))
    value, verdict = (0.0, "PASS") if agree else (1.0, "FAIL")
    what = "counters of walks that contradict each other"
    judged = replace(single, id="W.agree", cls=INVARIANT, value=value, unit="violations",
                     what=what, verdict=verdict)  # fmt: skip
    return [*figures, judged]


# What the firmware says at the end of a boot.
COUNTED = re.compile(r"^(\d+) results, \d+ failed, \d+ warnings", re.MULTILINE)


def split(console: str, configuration: str) -> tuple[list[str], list[Figure]]:
    """Console text into what a person reads and what a program reads. The firmware counts what it
    prints: if a line of it was not found, that is a MalformedResult, too."""
    lines = console.splitlines()
    text = [line for line in lines if not line.startswith("RESULT ")]
    figures = [parse(line, configuration) for line in lines if line.startswith("RESULT ")]
    counted = sum(map(int, COUNTED.findall(console)))
    if counted > len(figures):
        raise MalformedResult(
            f"the firmware printed {counted} results and {len(figures)} lines begin with RESULT; "
            "the text is damaged, or not whole"
        )
    return text, with_walks_judged(figures, console)


# A point of a curve. Its name begins with the experiment: e001 measures document 001, whose result
# file gets its curves.
POINT = re.compile(r"SERIES name=(e(\d{3})\.\S+) run=(\S+) x=(-?\d+) y=(-?[\d.]+)")


class MalformedPoint(ValueError):
    """A SERIES line that cannot be read."""


def curves(console: str, configuration: str) -> list[dict]:
    """All points of one name in one boot are a curve; they are in the order of their first points.
    Raises MalformedPoint."""
    found: dict[str, dict] = {}
    for line in console.splitlines():
        if not line.startswith("SERIES "):
            continue
        if not (match := POINT.fullmatch(line.rstrip())):
            want = "SERIES name=eNNN.NAME run=GRANULE x=INTEGER y=NUMBER"
            raise MalformedPoint(f"want {want}, got: {line}")
        name, document, granule, x, y = match.groups()
        new = {"name": name, "document": f"document-{document}", "configuration": configuration,
               "granule": granule, "x": [], "y": []}  # fmt: skip
        curve = found.setdefault(name, new)
        curve["x"].append(int(x))
        curve["y"].append(float(y))
    return list(found.values())
