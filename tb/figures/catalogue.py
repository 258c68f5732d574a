"""The catalogue of published figures, docs/data/published.toml: what each id is, what was published
and of which kind it is. What the fields mean stands at its head."""

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from support.root import ROOT

PUBLISHED = ROOT / "docs" / "data" / "published.toml"
GRANULES = ("4k", "16k", "64k")
KINDS = {
    "X": "exact",
    "R": "ratio: same direction and roughly the same size",
    "O": "order: only the direction",
    "-": "shown beside ours, not compared",
}
DOCUMENTS = {
    "002": "coloured zero pages",
    "000": "page tables in highmem, and userpte=nohigh",
    "003": "page size chosen at boot",
    "004": "holes of a file on the common zero page",
    "001": "what a flush of the TLB costs",
}
# Figures of no document: what the MMU refuses to the kernel, and its timer.
MACHINE = "machine"
# How many figures chapter 1 of linux-mm has for each document: H0.1 .. H0.10 and so on.
PUBLISHED_COUNT = {"0": 10, "1": 13, "2": 9, "3": 10, "4": 7}
# Figures of our own by the letters that their ids begin with.
OWN = {"C": "000", "A": "002", "W": "000", "B": "001", "D": "001", "E": "003", "F": "004",
       "P": MACHINE}  # fmt: skip


class BadCatalogue(ValueError):
    """The catalogue cannot be used; says which entry and why."""


@dataclass(frozen=True)
class Entry:
    """One figure. Without `kind` it is no published one."""

    id: str
    document: str = ""
    what: str = ""
    printed: str = ""
    published: float | None = None
    unit: str = ""
    kind: str = ""
    kinds: Mapping[str, str] = field(default_factory=dict)
    kind_reason: str = ""
    noise: float = 0.0
    reason: str = ""
    open: str = ""
    per_granule: bool = True
    per_cache: bool = True

    def kind_at(self, granule: str) -> str:
        return self.kinds.get(granule, self.kind)


def document_of(identity: str) -> str:
    """The document that a figure belongs to: by the number of H, else by its first letter."""
    if match := re.match(r"H(\d)\.", identity):
        return f"00{match[1]}"
    return OWN.get(identity[0], MACHINE)


def entry_of(identity: str, table: dict) -> Entry:
    """One table of the file, checked."""
    unknown = set(table) - {f.name for f in fields(Entry)}
    if unknown:
        raise BadCatalogue(f"{identity}: no field is called {', '.join(sorted(unknown))}")
    entry = Entry(id=identity, **{"document": document_of(identity), **table})
    for kind in (entry.kind, *entry.kinds.values()):
        if kind and kind not in KINDS:
            raise BadCatalogue(f"{identity}: kind {kind} is none of {', '.join(KINDS)}")
    if entry.kind:
        missing = [n for n in ("what", "printed", "unit") if not getattr(entry, n)]
        if missing or entry.published is None:
            raise BadCatalogue(f"{identity}: {', '.join([*missing, 'published'])} is missing")
    if entry.kinds and not entry.kind_reason:
        raise BadCatalogue(f"{identity}: other kinds at some granules, but no kind_reason")
    return entry


def parse(text: str) -> dict[str, Entry]:
    return {name: entry_of(name, table) for name, table in tomllib.loads(text).items()}


@functools.cache
def load() -> dict[str, Entry]:
    """All entries by id, in the order of the file; every published figure must be there."""
    entries = parse(PUBLISHED.read_text())
    wanted = {f"H{d}.{n}" for d, count in PUBLISHED_COUNT.items() for n in range(1, count + 1)}
    missing = sorted(name for name in wanted if not entries.get(name, Entry(name)).kind)
    if missing:
        raise BadCatalogue(f"{PUBLISHED.name} has no figure {', '.join(missing)}")
    return entries


def entry(identity: str) -> Entry:
    return load().get(identity) or Entry(identity, document=document_of(identity))
