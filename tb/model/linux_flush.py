"""How Linux v6.9 and later splits a range of pages into invalidations (spec 8.5)."""

from dataclasses import dataclass

from .bits import mask
from .tlbi import range_length


@dataclass(frozen=True)
class Step:
    """A range operation, or one page when scale is None."""

    va: int
    pages: int
    scale: int | None = None
    num: int | None = None


def plan(va: int, pages: int, granule: int, *, lpa2: bool = False) -> list[Step]:
    """Descending scales; pages one by one while LPA2's base needs more alignment."""
    steps, scale = [], 3
    while pages:
        unaligned = lpa2 and va & mask(16)
        if pages == 1 or unaligned:
            step = Step(va, 1)
        else:
            shift = 5 * scale + 1
            num = (min(pages, 32 << shift) >> shift) - 1
            if num < 0:
                scale -= 1
                continue
            step = Step(va, range_length(num, scale), scale, num)
            scale -= 1
        steps.append(step)
        va += step.pages << granule
        pages -= step.pages
    return steps
