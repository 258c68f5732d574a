"""What the page is made of: build/results where something was measured here, else what the
repository recorded (docs/data/demo.json), and it says which."""

from dataclasses import dataclass, field

from figures.record import recorded, rows_of
from figures.rows import Row
from support import results

HERE = "measured here"


@dataclass(frozen=True)
class Evidence:
    """The rows of one document, where they come from, and the curves beside them."""

    rows: list[Row] = field(default_factory=list)
    source: str = ""
    series: list[dict] = field(default_factory=list)

    @property
    def measured(self) -> bool:
        return bool(self.rows)

    @property
    def here(self) -> bool:
        """Whether a demo of this checkout has measured it."""
        return self.source.startswith(HERE)


def evidence(document: str) -> Evidence:
    """Of a document by its number, or of the machine itself."""
    name = document if document == "machine" else f"document-{document}"
    found = results.read(name)
    if found and any(row.get("value") is not None for row in found["figures"]):
        curves = found.get("attached", {}).get("series", {}).get("value", [])
        source = f"{HERE}, commit {found['commit']}"
        return Evidence(rows_of(found["figures"]), source, curves)
    rows, commit = recorded()
    mine = [row for row in rows if row.document == document]
    return Evidence(mine, f"recorded in docs/data, commit {commit}" if mine else "")


# ---- results beside the documents ---------------------------------------------------------------
# Title, what it is about, and the command that measures it.
OTHERS = {
    "walk": (
        "Cycles of a walk",
        "By the number of levels and the latency N of one descriptor read.",
        "make test",
    ),
    "invalidate": (
        "Cycles of an invalidation",
        "Every kind takes the same bounded time.",
        "make test",
    ),
    "mmu_on_off": (
        "MMU on and off",
        "The same loop of loads and stores, translated and not.",
        "make test",
    ),
    "cpu": ("Cycles per instruction", "The core alone, with caches that always hit.", "make test"),
    "area": (
        "Area and speed",
        "ECP5, behind registers; Fmax of several seeds: least, median, most.",
        "make area",
    ),
}


@dataclass(frozen=True)
class Section:
    """A result file as a table."""

    name: str
    title: str
    text: str
    command: str
    commit: str
    figures: list | dict

    @property
    def rows(self) -> list[dict]:
        return flat(self.figures)

    @property
    def columns(self) -> list[str]:
        """Without those that no row fills."""
        used = (k for row in self.rows for k, value in row.items() if value not in (None, ""))
        return list(dict.fromkeys(used))


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


def flat(figures: list | dict) -> list[dict]:
    """Figures as rows: a list of objects as it is, anything else as name and value."""
    if isinstance(figures, list):
        return [shown(f) if isinstance(f, dict) else {"value": f} for f in figures]
    rows = []
    for name, value in figures.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows += [{"group": name, **row} for row in value]
        elif isinstance(value, dict) and all(isinstance(v, dict) for v in value.values()):
            rows += [{name: inner, **row} for inner, row in value.items()]
        elif isinstance(value, dict):
            rows.append({"name": name, **value})
        else:
            rows.append({"name": name, "value": value})
    return rows


def others() -> tuple[list[Section], list[tuple[str, str]]]:
    """The other results that are there; of those that are not, title and command."""
    there, missing = [], []
    for name, (title, text, command) in OTHERS.items():
        found = results.read(name)
        if found and found["figures"]:
            there.append(Section(name, title, text, found["command"], found["commit"],
                                 found["figures"]))  # fmt: skip
        else:
            missing.append((title, command))
    return there, missing
