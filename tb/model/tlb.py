"""Residency: what a TLB of unlimited size holds. Two hits mean missing break-before-make."""

from dataclasses import dataclass, field

from .tlbi import Entry, Invalidation, must_go, signed
from .walk import Translation


class MultiHit(Exception):
    """Two entries translate one address: software left out break-before-make (spec 8.1, 8.7)."""


@dataclass
class Tlb:
    """Entries with their translation. Never evicts: whatever may be resident is."""

    entries: dict[Entry, Translation] = field(default_factory=dict)

    def fill(self, va: int, translation: Translation) -> Entry:
        entry = Entry(
            va=signed(va) >> translation.span << translation.span,
            span=translation.span,
            granule=translation.granule,
            level=translation.level,
            asid=translation.asid,
            ng=translation.ng,
        )
        self.entries[entry] = translation
        return entry

    def lookup(self, va: int, asid: int) -> Translation | None:
        hits = [
            translation
            for entry, translation in self.entries.items()
            if entry.start <= signed(va) <= entry.end and (not entry.ng or entry.asid == asid)
        ]
        if len(hits) > 1:
            raise MultiHit(f"{len(hits)} entries translate {va:#x} for ASID {asid:#x}")
        return hits[0] if hits else None

    def invalidate(self, op: Invalidation) -> None:
        self.entries = {e: t for e, t in self.entries.items() if not must_go(op, e)}
