"""Charts: bars of what was published beside ours, columns, curves, and the strip that says how many
times the published size ours has. All are narrow, so that they can be read on a phone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tools.report.svg import drawing, line, number, text
from tools.report.svg import element as el

WIDTH = 380
COLOURS = ("var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)")
DASHES = (None, "7 4", "2 3", "9 3 2 3", "4 2", "1 2")


def short(value: float) -> str:
    """As a label in a drawing: 8,000; 1.08; 0.004."""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


# ---- what was published beside ours -------------------------------------------------------------
@dataclass(frozen=True)
class Bar:
    """`least` and `most`: spread over places of code and data."""

    name: str
    value: float
    label: str
    ours: bool
    least: float | None = None
    most: float | None = None


def beside(bars: Sequence[Bar], title: str, base: float = 0.0, width: float = 240) -> str:
    """Horizontal bars from `base`, which is 1 for ratios. Published ones are hollow."""
    ends = [base, *(b.value for b in bars), *(b.most for b in bars if b.most is not None)]
    low, high = min(ends), max(ends)
    room = width - 8
    scale = room / ((high - low) or 1)

    def x(value: float) -> float:
        return 2 + (value - low) * scale

    parts = []
    for i, bar in enumerate(bars):
        top = 36 * i
        left, right = sorted((x(base), x(bar.value)))
        parts.append(text(2, top + 12, f"{bar.name}: {bar.label}", class_="label"))
        parts.append(
            el("rect", x=left, y=top + 17, width=max(right - left, 2.0), height=11, rx=2,
               class_="ours" if bar.ours else "theirs")
        )  # fmt: skip
        if bar.least is not None and bar.most is not None:
            parts.append(line(x(bar.least), top + 22.5, x(bar.most), top + 22.5, class_="whisker"))
        parts.append(line(x(base), top + 15, x(base), top + 30, class_="axis"))
    return drawing(width, 36 * len(bars), title, *parts, class_="beside")


# ---- how many times the published size ----------------------------------------------------------
STRIP_WIDTH, STRIP_HEIGHT = 132, 26
FARTHEST = 4  # log2: 16 times


def strip(times: float, title: str) -> str:
    """A circle on a logarithmic scale around 1. Inside the band is "within 2x"; what is further
    away than 16 times stands at the edge with an arrow, the opposite direction as a cross."""
    middle, unit = STRIP_WIDTH / 2, (STRIP_WIDTH / 2 - 8) / FARTHEST
    y = STRIP_HEIGHT / 2
    parts = [
        el("rect", x=middle - unit, y=2, width=2 * unit, height=STRIP_HEIGHT - 4, class_="band"),
        line(4, y, STRIP_WIDTH - 4, y, class_="axis"),
        line(middle, 2, middle, STRIP_HEIGHT - 2, class_="axis"),
    ]
    if times <= 0:
        parts.append(text(4, y + 4, "✕", class_="label"))
    else:
        place = math.log2(times)
        x = middle + unit * max(-FARTHEST, min(FARTHEST, place))
        parts.append(el("circle", cx=x, cy=y, r=4, class_="ours"))
        if abs(place) > FARTHEST:
            arrow, shift = ("›", 5) if place > 0 else ("‹", -5)
            parts.append(text(x + shift, y - 4, arrow, class_="label", text_anchor="middle"))
    return drawing(STRIP_WIDTH, STRIP_HEIGHT, title, *parts, class_="strip")


# ---- axes ---------------------------------------------------------------------------------------
def ticks(high: float, low: float = 0.0, count: int = 4) -> list[float]:
    """Round numbers from low to high, about `count` of them."""
    span = (high - low) or 1.0
    step = 10 ** math.floor(math.log10(span / count))
    step *= next(m for m in (1, 2, 2.5, 5, 10) if span / (m * step) <= count + 0.5)
    first = math.ceil(low / step)
    return [round(step * i, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


@dataclass(frozen=True)
class Frame:
    """Where the data go: pixels of a chart and the scale of its vertical axis."""

    low: float
    high: float
    top: float
    bottom: float
    left: float = 64
    right: float = WIDTH - 10

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def grid(self) -> list[str]:
        marks = []
        for tick in ticks(self.high, self.low):
            y = self.y(tick)
            marks.append(line(self.left, y, self.right, y, class_="grid"))
            marks.append(text(self.left - 6, y + 4, short(tick), class_="tick", text_anchor="end"))
        return marks


def legend(names: Sequence[str], top: float, key) -> tuple[list[str], float]:
    """Keys with their names, as many a line as fit; and where they end."""
    parts, x, y = [], 4.0, top
    for i, name in enumerate(names):
        wide = 34 + 6.6 * len(name)
        if x > 4 and x + wide > WIDTH:
            x, y = 4.0, y + 17
        parts += [key(i, x, y - 4), text(x + 26, y, name, class_="label")]
        x += wide
    return parts, y


def rotated(y: float, content: str) -> str:
    return text(0, 0, content, class_="tick", text_anchor="middle",
                transform=f"translate(11 {number(y)}) rotate(-90)")  # fmt: skip


# ---- columns ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Series:
    """A value, or none, for each group; `published` is drawn as a dashed line."""

    name: str
    values: Sequence[float | None]
    published: float | None = None


def columns(groups: Sequence[str], series: Sequence[Series], title: str, unit: str) -> str:
    """Grouped columns from zero up, each with its value on top."""
    names = [s.name for s in series]

    def key(i: int, x: float, y: float) -> str:
        return el("rect", x=x, y=y - 5, width=18, height=10, rx=2, fill=COLOURS[i])

    parts, end = legend(names, 14, key) if len(series) > 1 else ([], 0)
    values = [v for s in series for v in (*s.values, s.published) if v is not None]
    frame = Frame(min(0.0, *values), max(0.0, *values) * 1.12 or 1.0, end + 14, end + 180)
    parts += frame.grid()
    step = (frame.right - frame.left) / len(groups)
    width = 0.8 * step / len(series)
    for g, group in enumerate(groups):
        middle = frame.left + (g + 0.5) * step
        parts.append(text(middle, frame.bottom + 16, group, class_="tick", text_anchor="middle"))
        for i, s in enumerate(series):
            if (value := s.values[g]) is None:
                continue
            x = middle - 0.4 * step + i * width
            top, low = sorted((frame.y(value), frame.y(0)))
            parts.append(el("rect", x=x + 1, y=top, width=width - 2, height=max(low - top, 1.0),
                            rx=1.5, fill=COLOURS[i]))  # fmt: skip
            parts.append(text(x + width / 2, top - 4, short(value), class_="value",
                              text_anchor="middle"))  # fmt: skip
    for s in series:
        if s.published is not None:
            y = frame.y(s.published)
            parts.append(line(frame.left, y, frame.right, y, class_="published"))
    parts += [line(frame.left, frame.y(0), frame.right, frame.y(0), class_="axis"),
              rotated((frame.top + frame.bottom) / 2, unit)]  # fmt: skip
    return drawing(WIDTH, frame.bottom + 26, title, *parts)


# ---- curves -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Curve:
    name: str
    x: Sequence[float]
    y: Sequence[float]


def is_wide(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) / min(values) > 16


def curves(drawn: Sequence[Curve], title: str, x_name: str, y_name: str) -> str:
    """Lines with points; the horizontal axis is logarithmic when the numbers double and double."""
    names = [c.name for c in drawn]

    def key(i: int, x: float, y: float) -> str:
        return line(x, y, x + 20, y, class_="curve", stroke=COLOURS[i % 6],
                    stroke_dasharray=DASHES[i % 6])  # fmt: skip

    parts, end = legend(names, 14, key) if len(drawn) > 1 else ([], 0)
    xs = sorted({x for c in drawn for x in c.x})
    ys = [y for c in drawn for y in c.y]
    frame = Frame(min(0.0, *ys, 0.0), max(*ys, 0.0) * 1.05 or 1.0, end + 14, end + 190)
    logarithmic = is_wide(xs)

    def place(x: float) -> float:
        low, high = (math.log2(v) if logarithmic else v for v in (xs[0], xs[-1]))
        at = math.log2(x) if logarithmic else x
        return frame.left + 8 + (at - low) / ((high - low) or 1) * (frame.right - frame.left - 16)

    parts += frame.grid()
    shown = xs if len(xs) <= 8 else ticks(xs[-1], xs[0], 6) if not logarithmic else xs[::2]
    for x in shown:
        parts.append(text(place(x), frame.bottom + 16, short(x), class_="tick",
                          text_anchor="middle"))  # fmt: skip
    for i, c in enumerate(drawn):
        points = " ".join(
            f"{number(place(x))},{number(frame.y(y))}" for x, y in zip(c.x, c.y, strict=True)
        )
        parts.append(el("polyline", points=points, class_="curve", stroke=COLOURS[i % 6],
                        stroke_dasharray=DASHES[i % 6]))  # fmt: skip
        parts += [
            el("circle", cx=place(x), cy=frame.y(y), r=2.5, fill=COLOURS[i % 6])
            for x, y in zip(c.x, c.y, strict=True)
        ]
    parts += [
        line(frame.left, frame.y(0), frame.right, frame.y(0), class_="axis"),
        text((frame.left + frame.right) / 2, frame.bottom + 32, x_name, class_="tick",
             text_anchor="middle"),
        rotated((frame.top + frame.bottom) / 2, y_name),
    ]  # fmt: skip
    return drawing(WIDTH, frame.bottom + 38, title, *parts)
