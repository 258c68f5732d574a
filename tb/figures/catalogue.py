"""The catalogue of published figures, docs/data/published.toml: what each text prints, of which
class it is, and what of ours is judged by it. What the fields mean stands at its head."""

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from support.root import ROOT

PUBLISHED = ROOT / "docs" / "data" / "published.toml"
GRANULES = ("4k", "16k", "64k")
MEASURED, ARITHMETIC, INVARIANT = "measured", "arithmetic", "invariant"
SETUP, DERIVED, OTHER = "setup", "derived", "other"
CLASSES = (MEASURED, ARITHMETIC, INVARIANT, SETUP, DERIVED, OTHER)
# A difference of these has a sign of its own; all other units are costs or counts.
SIGNED = ("ratio", "percent")
DOCUMENTS = {
    "002": "coloured zero pages",
    "000": "page tables in highmem, and userpte=nohigh",
    "003": "page size chosen at boot",
    "004": "holes of a file on the common zero page",
    "001": "what a flush of the TLB costs",
}
DOCUMENT = "document "  # how the name of a table about a document begins
# Figures of no document: what the MMU refuses to the kernel, and its timer.
MACHINE = "machine"
# An id stays for ever: H0.1 .. H0.20 of document 000, and so on.
PUBLISHED_COUNT = {"0": 20, "1": 19, "2": 12, "3": 19, "4": 12}
# Figures of our own by the letters that their ids begin with.
OWN = {"C": "000", "A": "002", "W": "000", "B": "001", "D": "001", "E": "003", "F": "004",
       "P": MACHINE}  # fmt: skip


class BadCatalogue(ValueError):
    """The catalogue cannot be used; says which entry and why."""


@dataclass(frozen=True)
class Machine:
    """Which text a document is; what its rows are judged on, why, and what was known of others
    before."""

    title: str
    who: str
    link: str
    machine: str
    chosen: str
    earlier: str


@dataclass(frozen=True)
class Entry:
    """One number of a text. Without `cls` it is a figure of ours."""

    id: str
    document: str = ""
    cls: str = ""
    line: str = ""
    what: str = ""
    published: float | None = None
    unit: str = ""
    base: float | None = None
    beside: str = ""
    noise: float = 0.0
    figure: str = ""
    machine: str = ""
    also: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    incomparable: str = ""
    unmeasured: str = ""
    per_granule: bool = True
    per_cache: bool = True

    @property
    def ours(self) -> str:
        """The id under which our figure is recorded."""
        return self.figure or self.id

    @property
    def origin(self) -> float:
        """The size of a figure is what is beyond: 1 of a ratio, or what the text sets it beside."""
        return self.base if self.base is not None else float(self.unit == "ratio")

    @property
    def signed(self) -> bool:
        """Whether a difference has a sign without another figure."""
        return self.unit in SIGNED or self.base is not None


def document_of(identity: str) -> str:
    """The document that a figure belongs to: by the number of H, else by its first letter."""
    if match := re.match(r"H(\d)\.", identity):
        return f"00{match[1]}"
    return OWN.get(identity[0], MACHINE)


def problem(e: Entry) -> str:
    """What is wrong with a row; nothing if it can be used."""
    needed = ["line", "what"]
    if not e.unmeasured and e.cls != SETUP:
        needed += ["published", "unit"]
    missing = [name for name in needed if getattr(e, name) in ("", None)]
    if missing:
        return f"{', '.join(missing)} is missing"
    compared = e.cls == MEASURED and not (e.unmeasured or e.incomparable)
    if compared and not (e.signed or e.beside or e.noise):
        return f"a cost in {e.unit} has no sign: name the figure `beside` it"
    return ""


def entry_of(identity: str, table: dict) -> Entry:
    table = {"cls" if name == "class" else name: value for name, value in table.items()}
    unknown = set(table) - {f.name for f in fields(Entry)}
    if unknown:
        raise BadCatalogue(f"{identity}: no field is called {', '.join(sorted(unknown))}")
    entry = Entry(id=identity, **{"document": document_of(identity), **table})
    if entry.cls and entry.cls not in CLASSES:
        raise BadCatalogue(f"{identity}: class {entry.cls} is none of {', '.join(CLASSES)}")
    if entry.cls and (wrong := problem(entry)):
        raise BadCatalogue(f"{identity}: {wrong}")
    return entry


def parse(text: str) -> dict[str, Entry]:
    tables = tomllib.loads(text)
    found = {n: entry_of(n, t) for n, t in tables.items() if not n.startswith(DOCUMENT)}
    for e in found.values():
        other = found.get(e.beside, Entry(""))
        if e.beside and (other.unit, other.document) != (e.unit, e.document):
            raise BadCatalogue(f"{e.id}: beside {e.beside}, which is no {e.unit} of its text")
    return found


@functools.cache
def load() -> dict[str, Entry]:
    """All entries by id, in the order of the file; every published figure must be there."""
    entries = parse(PUBLISHED.read_text())
    wanted = {f"H{d}.{n}" for d, count in PUBLISHED_COUNT.items() for n in range(1, count + 1)}
    missing = sorted(name for name in wanted if not entries.get(name, Entry(name)).cls)
    if missing:
        raise BadCatalogue(f"{PUBLISHED.name} has no figure {', '.join(missing)}")
    return entries


@functools.cache
def machines() -> dict[str, Machine]:
    tables = tomllib.loads(PUBLISHED.read_text()).items()
    named = ((name.removeprefix(DOCUMENT), table) for name, table in tables)
    return {name: Machine(**table) for name, table in named if name in DOCUMENTS}


def of_class(*classes: str) -> list[Entry]:
    return [e for e in load().values() if e.cls in classes]


def entry(identity: str) -> Entry:
    return load().get(identity) or Entry(identity, document=document_of(identity))
