"""Draws what the firmware printed: curves as lines, figures as bars. Needs matplotlib."""

from collections.abc import Sequence
from pathlib import Path

from granule.figures import Figure

INSTALL = "plots need matplotlib: pip install '.[plot]' in a checkout, or pip install matplotlib"


def axes_of():
    """A new figure of matplotlib and its axes. Raises ValueError without matplotlib."""
    try:
        from matplotlib.figure import Figure as Canvas  # noqa: PLC0415 (an extra of the package)
    except ModuleNotFoundError:
        raise ValueError(INSTALL) from None
    canvas = Canvas(figsize=(7, 4), layout="constrained")
    return canvas, canvas.add_subplot()


def curves(found: Sequence[dict]):
    """One line for each curve (as of Run.curves); the figure of matplotlib,
    whose savefig writes it."""
    if not found:
        raise ValueError("no curve to draw; the firmware prints them with run=e001")
    canvas, axes = axes_of()
    for curve in found:
        label = f"{curve['name']}, {curve['granule']}, {curve['configuration']}"
        axes.plot(curve["x"], curve["y"], marker="o", markersize=3, label=label)
    axes.legend(fontsize="small")
    axes.set_ylim(bottom=min(0, *axes.get_ylim()))
    return canvas


def bars(figures: Sequence[Figure]):
    """One bar for each figure, all of one unit."""
    if not figures:
        raise ValueError("no figure to draw")
    units = sorted({figure.unit for figure in figures})
    if len(units) > 1:
        raise ValueError(f"figures of {', '.join(units)} have no common axis; choose those of one")
    canvas, axes = axes_of()
    labels = [f"{f.id} {f.run}\n{f.configuration}" for f in figures]
    axes.barh(range(len(figures)), [f.value for f in figures], tick_label=labels)
    axes.invert_yaxis()
    axes.set_xlabel(units[0])
    what = {figure.what for figure in figures}
    axes.set_title(what.pop() if len(what) == 1 else "", fontsize="medium")
    return canvas


def save(canvas, path: Path) -> None:
    """The format is that of the file's name. Raises ValueError for one that matplotlib has not."""
    try:
        canvas.savefig(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
