"""SVG and HTML as text, without a package. Colours are CSS variables, so that one drawing serves
light and dark pages."""

from html import escape
from pathlib import Path

# The variables at the head of the page's style; the page and its pictures have the same colours.
VARIABLES = (Path(__file__).parent / "page.css").read_text().split("* {")[0]
FONT = "text { font-family: system-ui, 'DejaVu Sans', sans-serif; fill: var(--ink) }"


def element(tag: str, *children: str, **attributes) -> str:
    """`class_` is class, `stroke_width` is stroke-width; numbers get as few digits as they need."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    inside = "".join(
        f' {name}="{escape(number(value) if isinstance(value, float) else str(value))}"'
        for name, value in named.items()
        if value is not None
    )
    return f"<{tag}{inside}>{''.join(children)}</{tag}>" if children else f"<{tag}{inside}/>"


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def text(x: float, y: float, content: str, **attributes) -> str:
    return element("text", escape(content), x=x, y=y, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def standalone(width: float, height: float, title: str, style: str, *children: str) -> str:
    """An SVG file; screen readers read its title. As an image on a page it follows the reader's
    colour scheme."""
    head = (element("title", escape(title)), element("style", VARIABLES + FONT + style))
    view = f"0 0 {number(width)} {number(height)}"
    svg = element("svg", *head, *children, viewBox=view, role="img")
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"
