"""SVG as text. Colours are CSS variables, so that one drawing serves light and dark pages."""

from html import escape


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


def drawing(width: float, height: float, title: str, *children: str, class_: str = "") -> str:
    """A whole picture; screen readers read its title."""
    return element(
        "svg",
        element("title", escape(title)),
        *children,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        class_=class_ or None,
    )
