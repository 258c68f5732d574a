"""What the page draws: charts of HTML, which need no package, and curves, which do. Below a card:
of a document's rows and curves, or of other result files. A picture is (caption, HTML); none where
figures are missing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from figures import view
from figures.catalogue import entry
from figures.rows import Row
from figures.scoreboard import of_caches
from tools.report.svg import VARIABLES
from tools.report.svg import element as el

try:
    from figures import plot
except ImportError:  # who has measured has matplotlib, and there are no curves of the record
    plot = None

Picture = tuple[str, str]
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


# ---- of a document -------------------------------------------------------------------------------
# Published ratios that are drawn at each page size: what is above 1, in percent.
RATIOS = {
    "H0.1": "Kernel time with page tables in high memory",
    "H3.5": "Time of a fork, page size chosen at boot",
    "H3.6": "Time of an munmap, page size chosen at boot",
    "H4.1": "Time to answer a read of a hole, old way over new",
}


def ratio(identity: str, rows: list[Row]) -> list[Picture]:
    """Ours on each cache at each granule, below the published one."""

    values = {"theirs": entry(identity).published}
    for granule in view.GRANULES:
        for r in rows:
            if (r.id, r.granule) == (identity, granule) and r.value is not None:
                values[f"{r.configuration}, {r.granule}"] = r.judged_value
    excess = {name: 100 * (value - 1) for name, value in values.items()}
    drawn = [Bar(f"{n}: {short(more)} %", more, n != "theirs") for n, more in excess.items()]
    return [(f"{RATIOS[identity]}, % more.", bars(drawn))] if len(drawn) > 1 else []


def zero_pages() -> Picture:
    """Misses with one zero page and with one a colour, on three designs of a cache whose ways are
    larger than a page, as `make caches` recorded them."""
    designs = {"": "one copy", "_copies": "copies", "_physical": "physical"}
    kinds = {"A-5.single": "one zero page", "A-5.coloured": "one zero page a colour"}
    found = [
        (f"{name}, {text}", int(of_caches()[f"ulx3s{design} {identity}"].value))
        for design, name in designs.items()
        for identity, text in kinds.items()
    ]
    caption = "Misses of 8,000 reads of untouched memory, on three designs of a cache."
    return caption, bars([Bar(f"{name}: {n:,}", n) for name, n in found])


def of_rows(document: str, rows: list[Row]) -> list[Picture]:
    mine = (identity for identity in RATIOS if entry(identity).document == document)
    drawn = [picture for identity in mine for picture in ratio(identity, rows)]
    return [*drawn, zero_pages()] if document == "002" else drawn


# ---- curves --------------------------------------------------------------------------------------
class Curve(NamedTuple):
    name: str
    x: Sequence[float]
    y: Sequence[float]


def curves(drawn: Sequence[Curve], x_name: str, y_name: str) -> str:
    """Lines with points; the horizontal axis is logarithmic when the numbers double and double. As
    narrow as a phone, in the colours of the page."""
    colours = [plot.colours(VARIABLES)[f"--c{n}"] for n in range(1, 7)]
    figure, axes = plot.panels(1, 1, figsize=(4.4, 2.7))
    axes.set_prop_cycle(color=colours, linestyle=["-", "--", ":", "-.", "-", "--"])
    for curve in drawn:
        axes.plot(curve.x, curve.y, marker=".", label=curve.name)
    xs = [x for curve in drawn for x in curve.x]
    if min(xs) > 0 and max(xs) / min(xs) > 16:
        axes.set_xscale("log", base=2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.10g}")
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    axes.set(xlabel=x_name, ylabel=y_name)
    plot.plain(axes, "y")
    if len(drawn) > 1:
        figure.legend(loc="outside upper left", ncols=2, frameon=False, fontsize=9)
    return plot.themed(figure, VARIABLES)


# What the part of a curve's name before the last point shows, and the names of the axes.
CURVES = {
    "e000.writes.ratio": ("Kernel time, tables in high memory over low memory.", "pages written",
                          "ratio"),
    "e000.writes.rate": ("Mappings of page tables.", "pages written", "in 1000 kernel cycles"),
    "e000.writes.cost": ("Cost of one mapping of a page table.", "pages written", "cycles"),
    "e001.cost": ("Cost of a flush, by page, range or of everything.", "pages", "cycles"),
    "e001.operation.range": ("The operation on a range alone.", "pages", "cycles"),
    "e001.fraction.page": ("Cost of a page if only some were accessed.", "percent accessed",
                           "cycles a page"),
    "e001.price": ("Cost of a flush with what others must translate again.", "live pages",
                   "cycles"),
    "e001.misses": ("What others must translate again after a flush.", "live pages", "misses"),
    "e001.crossover": ("Pages for which a flush of everything is cheaper.", "live pages", "pages"),
    "e001.kmap": ("Cost of a kmap, by flush policy.", "slots of the pool", "cycles"),
    "e004.memory": ("Memory taken while a hole is read.", "pages read", "pages"),
    "e002.lines": ("Misses a read, by the number of lines that share a set.", "lines", "misses"),
    "e002.work": ("A read with other work beside it: as many lines as ways (fit), and one more "
                  "(over).", "instructions beside each read", "cycles"),
}  # fmt: skip
MOST_CURVES = 6


def families(found: list[dict]) -> dict[str, list[dict]]:
    """Curves of the first cache that are one picture; of too many those of the first granule."""
    grouped: dict[str, list[dict]] = {}
    for curve in found:
        name = curve["name"]
        family = name if name in CURVES or name.count(".") < 2 else name.rpartition(".")[0]
        if curve["configuration"] == found[0]["configuration"]:
            grouped.setdefault(family, []).append(curve)
    for family, members in grouped.items():
        if len(members) > MOST_CURVES:
            first = [c for c in members if c["granule"] == members[0]["granule"]]
            grouped[family] = first[:MOST_CURVES]
    return grouped


def series(found: list[dict]) -> list[Picture]:
    """The curves that the firmware printed: one picture for each family."""
    pictures = []
    for family, members in families(found).items() if plot else ():
        granules = list(dict.fromkeys(c["granule"] for c in members))
        text, *axes = CURVES.get(family, (f"{family}.", "", ""))
        drawn = [Curve(label(c, family, granules), c["x"], c["y"]) for c in members]
        where = f", {granules[0]} pages" if len(granules) == 1 else ""
        caption = f"{text} Configuration {members[0]['configuration']}{where}."
        pictures.append((caption, curves(drawn, *axes)))
    return pictures


def label(curve: dict, family: str, granules: list[str]) -> str:
    """The last part of the name, and the granule where there are several."""
    name = curve["name"].removeprefix(family).lstrip(".")
    granule = curve["granule"] if len(granules) > 1 or not name else ""
    return f"{name} {granule}".strip()


def walk(figures: list[dict]) -> list[Picture]:
    """Cycles of a walk over the latency of a read, a curve for each number of levels."""
    if not plot:
        return []

    def curve(name: str, of: list[dict], key: str) -> Curve:
        points = sorted({(f["latency"], f[key]) for f in of})
        return Curve(name, *zip(*points, strict=True))

    levels = sorted({f["levels"] for f in figures})
    drawn = [
        curve(f"{n} levels", [f for f in figures if f["levels"] == n], "cycles") for n in levels
    ]
    drawn.append(curve("last table known", figures, "warm_cycles"))
    caption = "Cycles of a walk: k levels take k * (N + 1) + 4, with a known last table N + 5."
    return [(caption, curves(drawn, "N, cycles of one descriptor read", "cycles"))]
