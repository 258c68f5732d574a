"""Plots for pages: an SVG that is the same bytes whenever its figures are the same."""

import io
import re
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

matplotlib.rcParams["svg.hashsalt"] = "granule"


def panels(rows: int, columns: int, layout: str | None = "constrained", **more):
    return plt.subplots(rows, columns, layout=layout, **more)


def plain(axes, grid: str) -> None:
    """`grid`: the axis that has values."""
    axes.grid(axis=grid, alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def save(figure, path: Path, handles: list, **legend) -> None:
    """With a legend above, in one line."""
    figure.legend(
        handles=handles, loc="outside upper center", ncols=len(handles), frameon=False, **legend
    )
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def colours(style: str) -> dict[str, str]:
    """The variables of a page's style by name, as they are by day."""
    return dict(re.findall(r"(--\w+): (#\w{6})", style.partition("@media")[0]))


def themed(figure, style: str) -> str:
    """The element of a page whose variables are in `style`: what was drawn in one of their colours
    follows them by night, black is the colour of its text; letters stay text, in its font."""
    written = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(written, format="svg", metadata=nothing)
    plt.close(figure)
    svg = written.getvalue().partition("<svg")[2]
    away = r' id="\w+_\d+"| (?:width|height)="[\d.]+pt"|;? ?font-family: [^;"]+'
    svg = re.sub(away, "", svg)
    for name, colour in [("--ink", "#000000"), *colours(style).items()]:
        svg = svg.replace(colour, f"var({name})")
    return f"<svg{svg}"
