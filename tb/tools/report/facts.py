"""Five facts for README.md, each from a file that a command wrote."""

import json
import statistics

from figures import judge, rows, scoreboard
from figures.rows import Row
from granule.figures import INVARIANT
from support.root import ROOT
from tools.report.vectors import by_authority

AREA = ROOT / "docs" / "data" / "area.json"
CACHES = ROOT / "docs" / "data" / "caches.json"
# The three designs of a cache whose ways are larger than a page.
DESIGNS = {
    "ulx3s": "the cache holds each piece of memory once",
    "ulx3s_copies": "it may hold copies",
    "ulx3s_physical": "it is searched by physical address",
}
PEERS = ROOT / "tb" / "tools" / "area" / "peers.json"
OURS = ("mmu", "unprotected-plain")  # as the peers: their mapping, no PMP
PEER = "CVA6 MMU alone, Sv39, 16+16"


def beside() -> str:
    lines = scoreboard.lines()
    n = scoreboard.count(lines)
    judged = sum(row.counted for row in lines)
    good = n.get(judge.NEAR, 0) + n.get(judge.AGREES, 0)
    return (
        f"The five texts measured {len(lines)} figures; we measure {judged} of them. Of ours "
        f"{good} are within a factor of 2 or agree that there is no difference, "
        f"{n.get(judge.SAME, 0)} have the same sign and another size, "
        f"{n.get(judge.OPPOSITE, 0)} the opposite one, {n.get(judge.INCOMPARABLE, 0)} cannot be "
        "compared."
    )


def one_binary(found: list[Row]) -> str:
    held = rows.count(found)[INVARIANT]
    caches = len({r.configuration for r in found if r.cls == INVARIANT})
    return (
        f"One program runs with pages of 4, 16 and 64 KiB, chosen when it starts; all {held} "
        f"checks that it makes of itself passed, on {caches} designs of the caches."
    )


def misses(machine: str, identity: str) -> int:
    """Of document 002's experiment on one of the data caches of `make caches`."""
    return int(json.loads(CACHES.read_text())["figures"][f"{machine} {identity}"])


def colours() -> str:
    told = []
    for machine, what in DESIGNS.items():
        single, coloured = (misses(machine, f"A-5.{pages}") for pages in ("single", "coloured"))
        told.append(f"{single:,} and {coloured} if {what}")
    return (
        "An operating system can keep one page of zeros for everybody, or several. Which is better "
        "depends on the cache, the fast memory beside the processor. Of 8,000 reads these miss it, "
        f"with one page and with several: {'; '.join(told)}."
    )


def area() -> str:
    """LUTs and the median of the clock, ours beside the nearest open MMU."""
    figures = json.loads(AREA.read_text())["figures"]
    ours = next(f for f in figures if (f["unit"], f["config"]) == OURS)
    peer = next(p for p in json.loads(PEERS.read_text())["rows"] if p["block"] == PEER)
    return (
        f"On the same FPGA (ECP5) the tools count {ours['lut4']:,} logic cells (LUT4) and "
        f"{ours['fmax']['median']:.0f} MHz for this MMU, which keeps 8+16 translations (TLB "
        f"entries) of three page sizes, without physical memory protection; and "
        f"{peer['lut4']:,} and {statistics.median(peer['fmax']):.0f} MHz for that of CVA6, another "
        f"open processor, which keeps 16+16 of one page size."
    )


def conformance() -> str:
    answered = by_authority()
    said = ", ".join(f"{checks:,} as {name}" for name, checks in answered.items())
    return (
        f"{sum(answered.values()):,} accesses that the simulated hardware translates come out as "
        f"others say: {said}."
    )


def facts(found: list[Row]) -> str:
    """As a Markdown list."""
    told = (one_binary(found), beside(), colours(), area(), conformance())
    return "\n".join(f"- {fact}" for fact in told)
