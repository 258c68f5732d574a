"""Curves that the firmware prints: `SERIES name=e001.cost.range run=4k x=64 y=19.25`, a point each.

A curve is all points of one name in one boot. The name begins with the experiment: e001 measures
document 001, whose result file gets its curves."""

import re

POINT = re.compile(r"SERIES name=(e(\d{3})\.\S+) run=(\S+) x=(-?\d+) y=(-?[\d.]+)")


class MalformedPoint(ValueError):
    """A SERIES line that cannot be read."""


def take(text: list[str], configuration: str) -> tuple[list[str], list[dict]]:
    """The text without its SERIES lines, and their curves in the order of their first points."""
    rest: list[str] = []
    curves: dict[str, dict] = {}
    for line in text:
        if not line.startswith("SERIES "):
            rest.append(line)
            continue
        match = POINT.fullmatch(line.rstrip())
        if not match:
            want = "SERIES name=eNNN.NAME run=GRANULE x=INTEGER y=NUMBER"
            raise MalformedPoint(f"want {want}, got: {line}")
        name, document, granule, x, y = match.groups()
        curve = curves.setdefault(
            name,
            {"name": name, "document": f"document-{document}", "configuration": configuration,
             "granule": granule, "x": [], "y": []},
        )  # fmt: skip
        curve["x"].append(int(x))
        curve["y"].append(float(y))
    return rest, list(curves.values())
