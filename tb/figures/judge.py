"""How a figure of ours compares with the published one: one rule, here and nowhere else."""

from figures.catalogue import ARITHMETIC, INVARIANT, MEASURED, Entry, of_class

# A size that is further from the published one than this is another size.
ROUGHLY = 2.0
NEAR, AGREES, SAME = "near", "agrees", "same sign"
OPPOSITE, INCOMPARABLE = "opposite", "not comparable"
WORDS = (NEAR, AGREES, SAME, OPPOSITE, INCOMPARABLE)
HOLDS, FAILS = "holds", "fails"
UNMEASURED, TO_MEASURE = "not measured here", "to be measured"

WORDED = """\
How a verdict comes about, in five words:

* near: ours has the sign of the published figure, and half to twice its size. Of a ratio the size
  is what is beyond 1, of a figure that the text sets beside 1024 what is beyond 1024. Example:
  published 1.0686 is 6.86 % more; 13.6 % more is 2.0 times as much and near, 14 % is not.
* agrees: the text has no difference, and neither have we, within the noise that the row names.
* same sign: the same sign, and another size.
* opposite: the other sign; or none where the text has a difference, or one where it has none.
* not comparable: unit or meaning differ, and the row says how.

A cost (cycles, misses) has no sign of its own, so that "same sign" would always be true: its sign
is whether it is more or less than the figure of the same text that the row names as `beside`, ours
against ours, and a cost on the wrong side of it is opposite even where its size is near. That
touches {n} rows: {ids}.
What is true by construction, or is arithmetic, holds: it stands in a table of its own and is never
counted. One row judges one value on one machine with pages of 4K: the median of several places of
code and data where `make figures` recorded a spread and the boot lies within, else the boot.
Other page sizes, other caches, models of ours and invariants are not in the count."""
DIGITS = 9  # more than a value has, so that 1.0113 - 1 is 0.0113


def rule() -> str:
    touched = [e for e in of_class(MEASURED) if e.beside]
    return WORDED.format(n=len(touched), ids=", ".join(e.id for e in touched))


def size(value: float, e: Entry) -> float:
    """What is compared: of a ratio its excess over 1, so that 1.14 is twice as much as 1.07."""
    return round(value - e.origin, DIGITS)


def sign(difference: float, noise: float = 0.0) -> int:
    """1 more, -1 less, 0 none beyond the noise."""
    if abs(difference) <= noise:
        return 0
    return 1 if difference > 0 else -1


def direction(value: float, e: Entry) -> int:
    return sign(size(value, e), e.noise)


def times(value: float, e: Entry) -> float | None:
    """How many times the published size; None where there is none to compare with."""
    if e.published is None or e.incomparable or direction(e.published, e) == 0:
        return None
    return size(value, e) / size(e.published, e)


def same_sign(value: float, e: Entry, beside: tuple[float, float] | None) -> bool:
    """Whether ours goes where theirs goes; of a cost against (ours, theirs) of the other figure."""
    if beside is None:
        return direction(value, e) == direction(e.published, e)
    ours, theirs = beside
    return sign(value - ours) == sign(e.published - theirs)


def verdict(value: float | None, e: Entry, beside: tuple[float, float] | None = None) -> str:
    """One of WORDS, or what stands in their place; nothing for what is derived by us or of another
    text. `beside`: ours and theirs of `e.beside`."""
    if e.cls not in (MEASURED, ARITHMETIC, INVARIANT):
        return ""
    if e.unmeasured:
        return UNMEASURED
    if e.incomparable:
        return INCOMPARABLE
    if value is None:
        return TO_MEASURE
    if e.cls != MEASURED:
        return HOLDS if value == e.published else FAILS
    if direction(e.published, e) == 0:
        return AGREES if direction(value, e) == 0 else OPPOSITE
    if direction(value, e) == 0 or not same_sign(value, e, beside):
        return OPPOSITE
    return NEAR if 1 / ROUGHLY <= times(value, e) <= ROUGHLY else SAME
