"""The five verdicts: what a document claims, its figure, ours, and how the two compare.

Which figure stands on a card was decided by what the document claims, before anything was measured;
every other published figure is in the table below the card."""

from dataclasses import dataclass

from figures import judge, scoreboard
from figures.catalogue import entry, machines
from figures.rows import Row
from figures.scoreboard import Line
from tools.report.plots import Bar, bars, trimmed


@dataclass(frozen=True)
class Claim:
    """`figure`: the id that stands for the claim. `story`: what they did, and what we do."""

    document: str
    claim: str
    figure: str
    story: str
    made_by: str = ""  # where one boot of the firmware is not enough

    @property
    def who(self) -> str:
        return machines()[self.document].who

    @property
    def command(self) -> str:
        return self.made_by or f'make run BOOT="pagesize=4k run=e{self.document}"'


CLAIMS = (
    Claim(
        "000",
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
        "A flush of every translation costs more than a thousand flushes of a page.",
        "H1.6",
        "The kernel maps memory through a window of 1024 pages and must flush the TLB before it "
        "can use the window again. The author timed both ways to do it on a PowerPC, where a flush "
        "walks through a hashed table. We flush the same window by page, by range and as a whole, "
        "on a machine with such a table; without one, a flush of everything is one operation.",
        made_by="make flush",
    ),
    Claim(
        "002",
        "Read one cache line more than fits, and reads begin to miss.",
        "H2.2",
        "A cache puts each line into one of a few places, its ways. If a program reads one line "
        "more than there are ways, lines push each other out. All untouched memory is one page of "
        "zeros, so such programs exist; the author proposed several such pages, one a colour. We "
        "count the misses of the same loop, and what colours save where they can.",
    ),
    Claim(
        "003",
        "One kernel for every page size has a price: to copy a process takes an eighth longer.",
        "H3.5",
        "If the page size is decided at boot, the compiler no longer knows it. The author compared "
        "such a kernel with one that has a fixed size. We build our firmware both ways and "
        "measure its image, fork and munmap, with the document's own mechanism, a load at each "
        "use. Our firmware has another one: boot writes the page size into its instructions.",
        made_by="make demo",
    ),
    Claim(
        "004",
        "Parts of a file that were never written read four times faster from one page of zeros.",
        "H4.1",
        "A hole is a part of a file that was never written. The old kernel took a page of memory "
        "for every page of a hole that somebody read; the new one maps the same page of zeros "
        "everywhere. We have both ways and count what one page fault costs, and how much memory "
        "is gone afterwards.",
        made_by="make figures FULL=1",
    ),
)  # fmt: skip

# How a card is judged, for those who know no figure of ours yet.
CARD_RULE = (
    "We compare effects, what a ratio has beyond 1×: +7.6 % beside +6.9 % is 1.1 times the size. "
    "near: ours is between half and twice theirs. same sign: it has their sign, and another size."
)
# A verdict's sign, and the class of a picture or a page that colours it.
LOOKS = {
    judge.NEAR: ("●", "near"),
    judge.AGREES: ("=", "near"),
    judge.SAME: ("≈", "same"),
    judge.OPPOSITE: ("✕", "opposite"),
    judge.INCOMPARABLE: ("–", "none"),
    judge.TO_MEASURE: ("○", "none"),
    judge.UNMEASURED: ("○", "none"),
}
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
        shown = trimmed(value, 3 if abs(value) < 100 else 1)
        shown = shown if abs(value) < 10000 else f"{value:,.0f}"
    if unit == "ratio":
        return f"{shown}×" + (f" ({100 * (value - 1):+.1f} %)" if 0.5 < value < 2 else "")
    return f"{shown} {UNITS.get(unit, unit)}"


@dataclass(frozen=True)
class Card:
    claim: Claim
    row: Line

    @property
    def words(self) -> str:
        """Beside the verdict: ours over theirs, of ratios what is above 1."""
        times = self.row.times
        if times is None:
            return "" if self.row.found else f"not measured yet: {self.claim.command}"
        return f"{times:.2g} times the size" if times > 0 else ""

    @property
    def theirs(self) -> str:
        return with_unit(self.row.entry.published, self.row.entry.unit)

    @property
    def ours(self) -> str:
        return with_unit(self.row.value, self.row.entry.unit) if self.row.found else ""

    @property
    def why(self) -> str:
        m = machines()[self.claim.document]
        return f"The machine was chosen for {m.chosen}. Known before: {m.earlier}."

    @property
    def plot(self) -> str:
        e, found = self.row.entry, self.row.found
        drawn = [Bar(f"theirs: {self.theirs}", e.published, ours=False)]
        if found:
            drawn.append(Bar(f"ours: {self.ours}", found.value, True, found.least, found.most))
        return bars(drawn, e.origin)


def card(claim: Claim, measured: list[Row] | None = None) -> Card:
    """Of what a demo has measured here, or of docs/data."""
    return Card(claim, scoreboard.line(entry(claim.figure), measured))
