"""The five verdicts: what a document claims, its figure, ours, and how the two compare.

Which figure stands on a card was decided by what the document claims, before anything was measured;
every other published figure is in the table below the card."""

from dataclasses import dataclass

from figures import judge
from figures import rows as judged
from figures.catalogue import entry
from figures.rows import Row
from tools.report import alike
from tools.report.charts import Bar, beside


@dataclass(frozen=True)
class Claim:
    """`figure`: the id that stands for the claim. `story`: what they did, and what we do."""

    document: str
    who: str
    claim: str
    figure: str
    story: str
    several_images: bool = False  # one boot is not enough: it compares images

    @property
    def command(self) -> str:
        run = f'make run BOOT="pagesize=4k run=e{self.document}"'
        return "make demo" if self.several_images else run


CLAIMS = (
    Claim(
        "000",
        "Ian Campbell, 2010",
        "Page tables in high memory make the kernel slower.",
        "H0.1",
        "A kernel with 32-bit addresses cannot reach all memory at once: high memory is what it "
        "must first map to an address. If page tables lie there, each change of one costs such a "
        "mapping. The author added a switch that keeps them in low memory, and timed the compiling "
        "of a kernel. We run a small program that starts processes, touches memory and gives it "
        "back, with page tables in high and in low memory, and count the cycles of the kernel.",
    ),
    Claim(
        "001",
        "Paul Mackerras, 2001",
        "Flush the translations that changed, not all: it is three times cheaper.",
        "H1.4",
        "The kernel maps memory through a window of 1024 pages and must flush the TLB before it "
        "can use the window again. The author timed both ways to do it on a PowerPC, where a flush "
        "walks through a hashed table. We flush the same window by page, by range and as a whole, "
        "and count what the flush costs and what others have to translate again.",
    ),
    Claim(
        "002",
        "Gavin Shan, 2020",
        "Read one cache line more than fits, and reads begin to miss.",
        "H2.2",
        "A cache puts each line into one of a few places, its ways. If a program reads one line "
        "more than there are ways, lines push each other out. All untouched memory is one page of "
        "zeros, so such programs exist; the author proposed several such pages, one a colour. We "
        "count the misses of the same loop, and what colours save where they can.",
    ),
    Claim(
        "003",
        "Ryan Roberts, 2024",
        "One kernel for every page size has a price: to copy a process takes an eighth longer.",
        "H3.5",
        "If the page size is decided at boot, the compiler no longer knows it. The author compared "
        "such a kernel with one that has a fixed size. We build our firmware both ways and "
        "measure its image, fork and munmap. Boot writes the page size into our kernel's "
        "instructions, so ours should cost less than the document's.",
        several_images=True,
    ),
    Claim(
        "004",
        "Ross Zwisler, 2017",
        "Parts of a file that were never written read four times faster from one page of zeros.",
        "H4.1",
        "A hole is a part of a file that was never written. The old kernel took a page of memory "
        "for every page of a hole that somebody read; the new one maps the same page of zeros "
        "everywhere. We have both ways and count what one page fault costs, and how much memory "
        "is gone afterwards.",
    ),
)  # fmt: skip

WORDS = {
    judge.NEAR: "near theirs",
    judge.DIRECTION: "same direction",
    judge.OTHER: "not the same direction",
    judge.OPEN: "open",
    judged.FAILED: "failed",
}
OPPOSITE = "the opposite direction"
# How a card is judged, for those who know no figure of ours yet.
CARD_RULE = (
    "We compare effects, what a ratio has beyond 1×: +7.6 % beside +6.9 % is 1.1 times the size. "
    "PASS: our effect is between half and twice theirs. DIFF: it is not."
)
SYMBOLS = {"PASS": "●", "DIFF": "≠", "OPEN": "○", "FAIL": "✕", "-": "–"}
# Of these 1 is shown as 1.00: it was measured, not counted.
RATES = ("miss/read", "cycles/miss", "cycles/map", "reads/walk")
UNITS = {"miss/read": "misses a read", "cycles/miss": "cycles a miss", "percent": "%"}


def with_unit(value: float, unit: str) -> str:
    """A value as a person says it: 1.084 times; 0.52 misses a read; 8,000 pages."""
    if unit in RATES:
        shown = f"{value:,.2f}" if abs(value) >= 0.1 else f"{value:.2g}"
    elif unit == "ratio" and value >= 2:
        shown = f"{value:,.2f}"
    else:
        shown = f"{value:,.3f}".rstrip("0").rstrip(".") if abs(value) < 10000 else f"{value:,.0f}"
    if unit == "ratio":
        return f"{shown}×" + (f" ({100 * (value - 1):+.1f} %)" if 0.5 < value < 2 else "")
    return f"{shown} {UNITS.get(unit, unit)}"


@dataclass(frozen=True)
class Card:
    """A claim with its figure, judged; without a row nothing was measured or recorded. `alike`: the
    same figure on a machine that is like the document's."""

    claim: Claim
    row: Row | None
    source: str
    counts: dict[str, int]
    alike: float | None = None

    @property
    def measured(self) -> bool:
        return self.row is not None and self.row.value is not None

    @property
    def verdict(self) -> str:
        return self.row.verdict if self.row else judge.OPEN

    @property
    def symbol(self) -> str:
        return SYMBOLS.get(self.verdict, "")

    @property
    def words(self) -> str:
        if not self.measured:
            return "not measured yet: make demo"
        group = judged.group_of(self.row)
        if self.ratio is None or group not in (judge.NEAR, judge.DIRECTION, judge.OTHER):
            return WORDS[group]
        if self.ratio < 0:
            return OPPOSITE
        return f"{WORDS[group]}, {self.ratio:.2g} times the size"

    @property
    def reason(self) -> str:
        return self.row.reason if self.row else ""

    @property
    def theirs(self) -> str:
        published = entry(self.claim.figure)
        return with_unit(published.published, published.unit)

    @property
    def ours(self) -> str:
        return with_unit(self.row.judged_value, self.row.unit) if self.measured else ""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs; of ratios what is above 1."""
        published = entry(self.claim.figure)
        if not self.measured or not published.published:
            return None
        base = 1.0 if published.unit == "ratio" else 0.0
        return (self.row.judged_value - base) / (published.published - base)

    @property
    def place(self) -> str:
        """Where ours was measured."""
        if not self.measured:
            return ""
        granule = "" if self.row.granule == judged.ANY else f", {self.row.granule} pages"
        return f"configuration {self.row.configuration}{granule}"

    @property
    def plot(self) -> str:
        published = entry(self.claim.figure)
        bars = [Bar("theirs", published.published, self.theirs, ours=False)]
        if self.measured:
            r = self.row
            bars.append(Bar("ours", r.judged_value, self.ours, True, r.least, r.most))
        if self.alike is not None:
            label = with_unit(self.alike, published.unit)
            bars.append(Bar("ours, with a table as theirs", self.alike, label, True))
        base = 1.0 if published.unit == "ratio" else 0.0
        return beside(bars, f"{published.what}: {self.words}", base)


def headline(claim: Claim, rows: list[Row]) -> Row | None:
    """The row of the card: with pages of 4K, which the documents had, on the teaching machine."""
    mine = [row for row in rows if row.id == claim.figure]

    def rank(row: Row) -> tuple:
        return (row.granule not in ("4k", judged.ANY), row.configuration != "teaching")

    return min(mine, key=rank, default=None)


GROUPS = (judge.NEAR, judge.DIRECTION, judge.OTHER, judge.OPEN)


def card(claim: Claim, rows: list[Row], source: str) -> Card:
    mine = [row for row in rows if row.document == claim.document]
    tally = judged.count(mine)
    counts = {g: tally.get(g, 0) for g in GROUPS}
    like = alike.value(claim.document, claim.figure)
    return Card(claim, headline(claim, mine), source, counts, like)
