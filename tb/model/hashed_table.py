"""The hashed table of translations (docs/hashed-table.md): where an entry may be, and what it
says."""

from dataclasses import dataclass

from .bits import align_down, bit, field, mask
from .memory import Memory

SLOTS, GROUP = 8, 128
HASH_BITS = 18
TRANSLATIONS = 64  # from the tags of a group to its translations


@dataclass(frozen=True)
class Page:
    """`granule`: log2 of its bytes. `asid` None: global."""

    va: int
    granule: int
    asid: int | None
    identity: int = 0

    @property
    def tag(self) -> int:
        page = align_down(self.va, self.granule) >> 12 & mask(36) | bit(self.va, 55) << 36
        asid = 0 if self.asid is None else self.asid << 8
        code = (self.granule - 12) // 2 << 2
        return page << 27 | asid | self.identity << 4 | code | (self.asid is None) << 1 | 1


def hashed(va: int, granule: int, asid: int) -> int:
    """The hash of an address for who runs with `asid`."""
    number = field(va, 47, granule)
    fold = number & mask(HASH_BITS) ^ number >> HASH_BITS
    return fold if bit(va, 55) else fold ^ asid << 2 & mask(HASH_BITS)


@dataclass
class HashedTable:
    """`groups`: log2 of their number."""

    memory: Memory
    base: int
    groups: int

    @property
    def control(self) -> int:
        return self.base | self.groups << 1 | 1

    def tags(self, va: int, granule: int, asid: int) -> list[int]:
        """Addresses of the tags where the page may be, in the order in which they are probed."""
        first = hashed(va, granule, asid)
        groups = [self.base + GROUP * (h & mask(self.groups)) for h in (first, ~first)]
        return [group + 8 * slot for group in groups for slot in range(SLOTS)]

    def of(self, page: Page, asid: int | None = None) -> list[int]:
        """Addresses of the tags that name the page."""
        asid = page.asid or 0 if asid is None else asid
        places = dict.fromkeys(self.tags(page.va, page.granule, asid))
        return [at for at in places if self.memory.read(at) == page.tag]

    def take_away(self, page: Page, asid: int | None = None) -> int:
        """As software does it: a zero in the low half of the tag. How many there were."""
        found = self.of(page, asid)
        for at in found:
            self.memory.write(at, 0, 4)
        return len(found)

    def entries(self) -> list[tuple[int, int]]:
        """Tag and translation of all that are valid."""
        size = GROUP << self.groups
        tags = (a for a in self.memory.words if self.base <= a < self.base + size and not a & 64)
        words = ((self.memory.read(at), self.memory.read(at + TRANSLATIONS)) for at in sorted(tags))
        return [(tag, translation) for tag, translation in words if tag & 1]


def page_of(translation: int) -> int:
    return field(translation, 47, 12) << 12


def is_clean(translation: int) -> bool:
    return bool(bit(translation, 8))
