"""Pictures that stand for themselves in README.md: with their own colours, light and dark."""

from pathlib import Path

from tools.report.svg import drawing
from tools.report.svg import element as el

# The variables at the head of the page's style; the page and its pictures have the same colours.
VARIABLES = (Path(__file__).parent / "page.css").read_text().split("* {")[0]
FONT = "text { font-family: system-ui, 'DejaVu Sans', sans-serif; fill: var(--ink) }"


def standalone(width: float, height: float, title: str, style: str, *children: str) -> str:
    """An SVG file. As an image on a page it follows the reader's colour scheme."""
    inside = el("style", VARIABLES + FONT + style)
    svg = drawing(width, height, title, inside, *children)
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"
