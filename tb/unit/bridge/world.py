"""Pages of several streams that software maps and unmaps while a client uses them, and what each
access may answer."""

import random
from dataclasses import dataclass, field
from math import inf

from model.tables import AF
from model.tlbi import Invalidation, Kind, range_operand, va_operand
from unit.bridge.bench import READ_ONLY, USER, Space
from unit.bridge.bus import word

PAGES, BASE, FRAMES = 12, 0x1000_0000, 0x20_0000
NO_ACCESS_FLAG = USER & ~AF


@dataclass
class Version:
    """What a page was from one cycle to another; `pa` None: no access is allowed."""

    pa: int | None
    writable: bool
    born: float
    died: float = inf

    def allows(self, write: bool) -> bool:
        return self.pa is not None and (self.writable or not write)


@dataclass
class Page:
    space: Space
    va: int
    versions: list[Version] = field(default_factory=list)

    def during(self, start: float, end: float) -> list[Version]:
        return [v for v in self.versions if v.born <= end and v.died >= start]


class World:
    """`spaces` by stream. A page that is taken away may be used until the invalidation that
    covers it is done."""

    def __init__(self, rng: random.Random, spaces: dict[int, Space]):
        self.rng, self.spaces = rng, spaces
        self.pages = {(stream, n): Page(space, BASE + (n << 12), [Version(None, False, -inf)])
                      for stream, space in spaces.items() for n in range(PAGES)}  # fmt: skip
        self.removed: list[Page] = []

    def map(self, page: Page, cycle: int) -> None:
        rng = self.rng
        frame = rng.randrange(FRAMES) << 12
        bits = rng.choices((USER, READ_ONLY, NO_ACCESS_FLAG), (8, 2, 1))[0]
        page.space.map(page.va, frame, bits)
        page.versions[-1].died = cycle
        pa = None if bits == NO_ACCESS_FLAG else frame
        page.versions.append(Version(pa, bits == USER, cycle))
        del page.versions[:-8]

    def unmap(self, cycle: int) -> Invalidation:
        """Takes some pages of a space away that lie side by side, or one, and names what covers
        them."""
        rng = self.rng
        stream, n = rng.choice(list(self.pages))
        page = self.pages[stream, n]
        asid = page.space.asid
        kind = rng.choice((Kind.VA, Kind.VA, Kind.VA_ALL_ASIDS, Kind.RANGE, Kind.ASID, Kind.ALL))
        reach = range(n, n + 1)
        operand = va_operand(page.va, asid)
        if kind is Kind.RANGE:
            reach, operand = (
                range(n, min(n + 2, PAGES)),
                range_operand(page.va, 12, 0, 0, asid=asid),
            )
        elif kind in (Kind.ASID, Kind.ALL):
            reach = range(PAGES)
        for number in reach:
            gone = self.pages[stream, number]
            if self._is_present(gone) and rng.random() < 0.7:
                gone.space.unmap(gone.va)
                gone.versions.append(Version(None, False, cycle))
                self.removed.append(gone)
        return Invalidation(kind, operand, rng.random() < 0.5)

    def invalidated(self, cycle: int) -> None:
        for page in self.removed:
            page.versions[-2].died = min(page.versions[-2].died, cycle)
        self.removed.clear()

    def map_some(self, cycle: int) -> None:
        """Pages that may not be mapped again yet stay away: break before make."""
        free = [p for p in self.pages.values() if p not in self.removed and not self._is_present(p)]
        for page in self.rng.sample(free, min(len(free), self.rng.randrange(4))):
            self.map(page, cycle)

    def _is_present(self, page: Page) -> bool:
        """Also if no access is allowed: it has a descriptor, and may be taken away."""
        try:
            slot = page.space.tables.slot(page.va, 3)
        except KeyError:
            return False
        return page.space.tables.memory.words.get(slot, 0) != 0


def content(pa: int, length: int) -> bytes:
    """What memory holds."""
    start = pa & -4
    words = (word(a).to_bytes(4, "little") for a in range(start, pa + length, 4))
    return b"".join(words)[pa - start :][:length]
