"""Which cover points of the RTL a simulation has reached (verify/CoverPoints)."""

import json
import re
from collections import defaultdict
from pathlib import Path

from support.root import ROOT

FOLDER = ROOT / "build" / "covered"
POINTS = ROOT / "build" / "include" / "granule_cover.json"
_PRINTED = re.compile(r"^NOTE cover: ([\w.]+)$", re.M)


def note(run: str, output: str, folder: Path = FOLDER) -> None:
    """Adds what a run has printed to the file of its name, one point a line."""
    points = sorted(set(_PRINTED.findall(output)))
    if points:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / run).open("a") as file:
            file.write("".join(f"{point}\n" for point in points))


def runs(folder: Path = FOLDER) -> dict[str, set[str]]:
    """Point -> the runs that have reached it."""
    found = defaultdict(set)
    for path in folder.glob("*") if folder.exists() else ():
        for point in path.read_text().split():
            found[point].add(path.name)
    return dict(found)


def points() -> dict[str, str]:
    """Point -> what it is, in the order of the table."""
    return json.loads(POINTS.read_text())
