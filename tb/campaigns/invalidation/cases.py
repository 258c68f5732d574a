"""What is measured: a TLB full of pages of two ASIDs, and commands that cover some of them."""

from dataclasses import dataclass

from model.tlbi import Invalidation, Kind, range_operand, va_operand

PAGE = 1 << 12
OURS, OTHERS = 1, 2  # ASIDs
HOME = {OURS: 0x12_4000_0000, OTHERS: 0x12_8000_0000}
MAIN_HIT = 3  # cycles


@dataclass(frozen=True)
class Case:
    """Commands one after the other, for the first `pages` of OURS; None: no page in particular."""

    name: str
    commands: tuple[Invalidation, ...]
    pages: int | None = None

    def covers(self, asid: int, number: int) -> bool:
        if self.pages is None:
            return asid == OURS or self.name == "all"
        return asid == OURS and number < self.pages


def single(number: int) -> Invalidation:
    return Invalidation(Kind.VA, va_operand(HOME[OURS] + number * PAGE, OURS))


def ranged(num: int, scale: int) -> Invalidation:
    return Invalidation(Kind.RANGE, range_operand(HOME[OURS], 12, num, scale, asid=OURS))


def cases() -> tuple[Case, ...]:
    return (
        Case("a page", (single(0),), 1),
        Case("16 pages, a range", (ranged(7, 0),), 16),
        Case("16 pages, one by one", tuple(map(single, range(16))), 16),
        Case("1,024 pages, a range", (ranged(15, 1),), 1024),
        Case("1,024 pages, one by one", tuple(map(single, range(1024))), 1024),
        Case("an ASID", (Invalidation(Kind.ASID, va_operand(0, OURS)),)),
        Case("all", (Invalidation(Kind.ALL),)),
    )


@dataclass(frozen=True)
class Cost:
    """What a case costs.

    cycles  from the acceptance of its first command to the end of its last one.
    hit     of a page that is not covered, the slowest answer of the micro TLB meanwhile.
    lookup  the same of the main TLB, in cycles more than when nothing goes on.
    walks   to pages that were there and are not covered, meanwhile.
    lost    entries that are not covered and are gone afterwards; stayed: and those that are there.
    """

    case: str
    cycles: int
    hit: int
    lookup: int
    walks: int
    lost: int
    stayed: int
