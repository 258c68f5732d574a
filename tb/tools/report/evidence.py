"""What the page is made of: build/results where something was measured here, else what the
repository recorded (docs/data/demo.json), and it says which."""

from dataclasses import dataclass, field

from figures.record import recorded, rows_of
from figures.rows import Row
from support import results


@dataclass(frozen=True)
class Evidence:
    """The rows of one document, where they come from, and the curves beside them. `here`: whether
    a demo of this checkout has measured it."""

    rows: list[Row] = field(default_factory=list)
    source: str = ""
    series: list[dict] = field(default_factory=list)
    here: bool = False


def evidence(document: str) -> Evidence:
    """Of a document by its number, or of the machine itself."""
    name = document if document == "machine" else f"document-{document}"
    found = results.read(name)
    if found and any(row.get("value") is not None for row in found["figures"]):
        curves = found.get("attached", {}).get("series", {}).get("value", [])
        source = f"measured here, commit {found['commit']}"
        return Evidence(rows_of(found["figures"]), source, curves, True)
    rows, commit = recorded()
    mine = [row for row in rows if row.document == document]
    return Evidence(mine, f"recorded in docs/data, commit {commit}" if mine else "")


# ---- results beside the documents ---------------------------------------------------------------
@dataclass(frozen=True)
class Other:
    """A result file as a table: what it is about, and the command that makes it."""

    name: str
    title: str
    text: str
    command: str = "make test"

    def rows(self) -> list[dict]:
        """Empty if it was not measured."""
        figures = (results.read(self.name) or {"figures": []})["figures"]
        if isinstance(figures, dict):
            return [{"kind": kind, **row} for kind, row in figures["kinds"].items()]
        return [shown(row) for row in figures]


OTHERS = (
    Other("walk", "Cycles of a walk",
          "By the number of levels and the latency N of one descriptor read."),
    Other("invalidate", "Cycles of an invalidation", "Every kind takes the same bounded time."),
    Other("mmu_on_off", "MMU on and off",
          "The same loop of loads and stores, translated and not."),
    Other("cpu", "Cycles per instruction", "The core alone, with caches that always hit."),
    Other("area", "Area and speed",
          "ECP5, behind registers; Fmax of several seeds: least, median, most.", "make area"),
)  # fmt: skip


def shown(row: dict) -> dict:
    """What fits into cells: one value each, or the least, median and most of several. The flow is
    the tools' command line, which docs/results.md has once."""
    cells = {}
    for name, value in row.items():
        if isinstance(value, dict) and {"min", "median", "max"} <= value.keys():
            cells[name] = f"{value['min']} / {value['median']} / {value['max']}"
        elif not isinstance(value, dict | list) and name != "flow":
            cells[name] = value
    return cells
