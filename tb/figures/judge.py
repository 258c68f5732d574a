"""How a figure of ours compares with the published one: one rule, here and nowhere else."""

from figures.catalogue import Entry

# A size that is further from the published one than this is another size.
ROUGHLY = 2.0
PASS, DIFF, OPEN, SHOWN = "PASS", "DIFF", "OPEN", "-"
# How close a figure beside a published one came, best first.
NEAR, DIRECTION, OTHER = "within 2x", "same direction", "other"

RULE = """\
How a verdict comes about:
* X, exact: PASS if ours is the published number to the digit.
* R, ratio: PASS if ours has the same direction and 1/2 to 2 times the published size. Of a ratio
  the size is what is above 1. Example: published 1.0686 is 6.86 % more; 13.6 % more is 2.0 times
  as much and still PASS, above 2.0 times it is DIFF. Where `make figures` recorded a spread over
  places of code and data, and this boot lies within it, the spread's median is judged.
* O, order: PASS if ours has the same direction; where the published difference is noise, none.
Anything else is DIFF, with its reason on its row. OPEN: published, but not measured here."""
DIGITS = 9  # more than a value has, so that 1.0113 - 1 is 0.0113


def size(value: float, unit: str) -> float:
    """What is compared: of a ratio its excess over 1, so that 1.14 is twice as much as 1.07."""
    return round(value - 1, DIGITS) if unit == "ratio" else value


def direction(value: float, entry: Entry) -> int:
    """1 more, -1 less, 0 none beyond the noise of the publication."""
    difference = size(value, entry.unit)
    if abs(difference) <= entry.noise:
        return 0
    return 1 if difference > 0 else -1


def times(value: float, entry: Entry) -> float | None:
    """How many times the published size; None where there is none to compare with."""
    if entry.published is None or direction(entry.published, entry) == 0:
        return None
    published = size(entry.published, entry.unit)
    return size(value, entry.unit) / published if published else None


def closeness(value: float, entry: Entry) -> str:
    """What the summary counts, whatever the kind."""
    ratio = times(value, entry)
    if value == entry.published or (ratio is not None and 1 / ROUGHLY <= ratio <= ROUGHLY):
        return NEAR
    same = direction(value, entry) == direction(entry.published, entry)
    return DIRECTION if same else OTHER


def verdict(value: float, entry: Entry, granule: str) -> str | None:
    """PASS or DIFF; SHOWN where the two only stand side by side; None: nothing was published."""
    kind = entry.kind_at(granule)
    if kind in ("", "-"):
        return SHOWN if kind else None
    if kind == "X":
        good = value == entry.published
    elif kind == "R":
        good = closeness(value, entry) == NEAR
    else:
        good = direction(value, entry) == direction(entry.published, entry)
    return PASS if good else DIFF
