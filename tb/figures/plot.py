"""Plots for pages: an SVG that is the same bytes whenever its figures are the same."""

from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

matplotlib.rcParams["svg.hashsalt"] = "granule"


def panels(rows: int, columns: int, **more):
    """A figure and its axes."""
    return plt.subplots(rows, columns, constrained_layout=True, **more)


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
