"""Charts of HTML: bars of what was published beside ours, and the strip that says how many times
the published size ours has. They need no package; curves, which do, are in plots.py."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tools.report.svg import element as el

FARTHEST = 4  # log2: 16 times


def trimmed(value: float, digits: int) -> str:
    """With so many digits behind the point, or as many as it has."""
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def short(value: float) -> str:
    """As a label in a drawing: 8,000; 1.08; 0.004."""
    return trimmed(value, 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3)


@dataclass(frozen=True)
class Bar:
    """`least` and `most`: spread over places of code and data."""

    label: str
    value: float
    ours: bool = True
    least: float | None = None
    most: float | None = None


def bars(drawn: Sequence[Bar], base: float = 0.0) -> str:
    """Horizontal bars from `base`, which is 1 for ratios. Published ones are hollow."""
    ends = [base, *(v for b in drawn for v in (b.value, b.least, b.most) if v is not None)]
    low, span = min(ends), (max(ends) - min(ends)) or 1

    def place(class_: str, *between: float) -> str:
        left, right = sorted(100 * (value - low) / span for value in between)
        return el("i", "", class_=class_, style=f"left: {left:.1f}%; width: {right - left:.1f}%")

    rows = []
    for b in drawn:
        parts = [place("ours" if b.ours else "theirs", base, b.value), place("axis", base, base)]
        if b.least is not None and b.most is not None:
            parts.append(place("whisker", b.least, b.most))
        rows.append(escape(b.label) + el("div", *parts, class_="bar"))
    return el("div", *rows, class_="bars")


def strip(times: float) -> str:
    """A circle on a logarithmic scale around 1. Inside the band is "within 2x"; what is further
    away than 16 times stands at the edge as an arrow, the opposite direction as a cross."""
    place = math.log2(times) if times > 0 else -FARTHEST
    mark = "✕" if times <= 0 else "›" if place > FARTHEST else "‹" if place < -FARTHEST else ""
    at = 50 + 45 * max(-1, min(1, place / FARTHEST))
    return el("span", el("i", mark, style=f"left: {at:.1f}%"), class_="strip")
