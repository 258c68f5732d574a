"""Five facts for README.md, each from a file that a command wrote."""

import gzip
import json
import statistics

from demo import judge, rows
from demo.catalogue import ROOT
from demo.rows import Row

AREA = ROOT / "docs" / "data" / "area.json"
CACHES = ROOT / "docs" / "data" / "caches.json"
# The three designs of a cache whose ways are larger than a page.
DESIGNS = {
    "ulx3s": "where a line may be there once",
    "ulx3s_copies": "where copies may be",
    "ulx3s_physical": "where it is found by its physical address",
}
PEERS = ROOT / "tb" / "area" / "peers.json"
VECTORS = ROOT / "tb" / "data" / "vectors"
OURS = ("mmu", "ulx3s-plain")  # mapped as the peers were
PEER = "CVA6 MMU alone, Sv39, 16+16"


def beside(found: list[Row]) -> str:
    n = rows.count(found)
    near, direction, other, still_open = (
        n.get(group, 0) for group in (judge.NEAR, judge.DIRECTION, judge.OTHER, judge.OPEN)
    )
    return (
        f"{near + direction + other} figures of ours stand beside one that kernel developers "
        f"published: {near} are within a factor of 2, {direction} have the same direction and "
        f"another size, {other} have not; {still_open} published figures are open."
    )


def one_binary(found: list[Row]) -> str:
    held = rows.count(found)[rows.HELD]
    caches = len({r.configuration for r in found if r.cls == "invariant"})
    return (
        f"One firmware binary runs with pages of 4, 16 and 64 KiB, as a boot argument says; all "
        f"{held} checks of its invariants held, on {caches} caches."
    )


def misses(machine: str, identity: str) -> int:
    """Of document 002's experiment on one of the data caches of `make caches`."""
    return int(json.loads(CACHES.read_text())["figures"][f"{machine} {identity}"])


def colours() -> str:
    told = []
    for machine, what in DESIGNS.items():
        single, coloured = (misses(machine, f"A-5.{pages}") for pages in ("single", "coloured"))
        verb = "stay" if single == coloured else "becomes" if single == 1 else "become"
        told.append(f"{single:,} {verb} {coloured} {what}")
    return (
        "A page of zeros for each colour of the cache instead of a single one changes the misses "
        f"of 8,000 reads, or does not: {', '.join(told)}."
    )


def area() -> str:
    """LUTs and the median of the clock, ours beside the nearest open MMU."""
    figures = json.loads(AREA.read_text())["figures"]
    ours = next(f for f in figures if (f["unit"], f["config"]) == OURS)
    peer = next(p for p in json.loads(PEERS.read_text())["rows"] if p["block"] == PEER)
    return (
        f"The MMU takes {ours['lut4']:,} LUTs of an ECP5 and reaches {ours['fmax']['median']:.0f} "
        f"MHz, with 8+16 TLB entries; CVA6's with 16+16 entries and one page size takes "
        f"{peer['lut4']:,} and reaches {statistics.median(peer['fmax']):.0f}."
    )


def conformance() -> str:
    checks = 0
    for path in sorted(VECTORS.glob("*.json.gz")):
        cases = json.loads(gzip.decompress(path.read_bytes()))["cases"]
        checks += sum(len(case["checks"]) for case in cases)
    return (
        f"{checks:,} translations, whose answers come from an independent CPU emulator, come out "
        "of the hardware as they should."
    )


def facts(found: list[Row]) -> str:
    """As a Markdown list."""
    told = (one_binary(found), beside(found), colours(), area(), conformance())
    return "\n".join(f"- {fact}" for fact in told)
