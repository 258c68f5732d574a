"""Writes build/report.html: the five verdicts, and below each what it rests on. Before anything was
measured it needs Python and no package; the curves of a demo need matplotlib, as the demo did."""

import argparse
from pathlib import Path

from figures import rows, scoreboard
from figures.catalogue import ARITHMETIC, INVARIANT, MACHINE, MEASURED
from figures.rows import Row, recorded
from figures.scoreboard import Line
from support.root import ROOT
from tools.report import plots
from tools.report.cards import CLAIMS, card
from tools.report.page import OTHERS, Evidence, evidence, page, tally


def published(document: str, measured: list[Row] | None) -> list[Line]:
    """The rows of a document: those of the count, then what holds."""
    classes = (MEASURED, INVARIANT, ARITHMETIC)
    lines = scoreboard.lines(measured, *classes)
    mine = [row for row in lines if row.entry.document == document]
    return sorted(mine, key=lambda row: (not row.counted, classes.index(row.entry.cls)))


def all_evidence() -> tuple[dict[str, Evidence], list[Row] | None]:
    """By document, and all rows that a demo measured here; None: docs/data is judged."""
    found = {name: evidence(name) for name in (*(c.document for c in CLAIMS), MACHINE)}
    here = [row for e in found.values() if e.here for row in e.rows]
    return found, here or None


def render() -> tuple[str, list[str]]:
    """The page, and what is not on it yet, with the command that measures it."""
    found, measured = all_evidence()
    judged = scoreboard.lines(measured)
    sections = [
        (card(claim, measured), published(claim.document, measured), found[claim.document])
        for claim in CLAIMS
    ]
    head = tally(judged, recorded()[1] if measured is None else "")
    said = rows.summary([row for e in found.values() for row in e.rows])
    html = page(sections, head, f"{said}\n{scoreboard.summary(judged)}")
    absent = [(f"document {c.document}", "make demo") for c in CLAIMS if not found[c.document].rows]
    absent += [(other.title, other.command) for other in OTHERS if not other.rows()]
    said = [f"not measured yet: {name}; run `{command}`" for name, command in absent]
    if not plots.plot and any(e.series for e in found.values()):
        said.append("not drawn: curves, which need matplotlib; run `make setup`")
    return html, said


def main(arguments: list[str] | None = None) -> None:
    """Writes the page; says which results are not there yet and which command makes them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", default=ROOT / "build" / "report.html", type=Path)
    out = parser.parse_args(arguments).out
    html, said = render()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(html)
    print("\n".join([f"written: {out}", *said]))
