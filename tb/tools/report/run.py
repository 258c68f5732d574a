"""Writes build/report.html: the five verdicts, and below each what it rests on."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import board, scoreboard, view  # noqa: E402
from figures import rows as measured_rows  # noqa: E402
from figures.catalogue import ARITHMETIC, INVARIANT, MACHINE, MEASURED  # noqa: E402
from figures.rows import Row  # noqa: E402
from figures.scoreboard import Line  # noqa: E402
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from tools.report import alike, plots  # noqa: E402
from tools.report.cards import CLAIMS, STYLES, SYMBOLS, card, with_unit  # noqa: E402
from tools.report.charts import short, strip  # noqa: E402
from tools.report.evidence import Evidence, evidence, others, recorded  # noqa: E402
from tools.report.page import page, tally  # noqa: E402


def published_line(row: Line) -> dict:
    """A row of the scoreboard as the page shows it."""
    strip_of = ""
    if row.times is not None:
        said = f"{short(row.times)} times the published size"
        strip_of = strip(row.times, said)
    e = row.entry
    theirs = with_unit(e.published, e.unit) if e.published is not None else e.line
    return board.cells(row) | {
        "theirs": theirs,
        "mine": with_unit(row.value, e.unit) if row.value is not None else "",
        "strip": strip_of,
        "symbol": SYMBOLS.get(row.verdict, ""),
        "style": STYLES.get(row.verdict, "none"),
    }


def published(document: str, measured: list[Row] | None) -> list[Line]:
    """The rows of a document: those of the count, then what holds."""
    classes = (MEASURED, INVARIANT, ARITHMETIC)
    lines = scoreboard.lines(measured, *classes)
    mine = [row for row in lines if row.entry.document == document]
    return sorted(mine, key=lambda row: (not row.counted, classes.index(row.entry.cls)))


def pictures(document: str, found: Evidence) -> list[plots.Picture]:
    drawn = [picture for draw in plots.DRAWN[document] for picture in draw(found.rows)]
    return drawn + plots.series(found.series)


def all_measured() -> list[Row] | None:
    """What a demo measured here; None: nothing, so that docs/data is judged."""
    found = [evidence(name) for name in (*(c.document for c in CLAIMS), MACHINE)]
    here = [e for e in found if e.here]
    return [row for e in here for row in e.rows] if here else None


def recorded_only() -> str:
    """The commit of the record in docs/data, if nothing was measured here; else nothing."""
    here = any(evidence(claim.document).here for claim in CLAIMS)
    return "" if here else recorded()[1]


def section(claim, measured: list[Row] | None) -> dict:
    """One card with all that is below it."""
    found = evidence(claim.document)
    lines = published(claim.document, measured)
    return {
        "card": card(claim, measured, found.source),
        "pictures": pictures(claim.document, found) if found.measured else [],
        "published": [published_line(row) for row in lines],
        "counts": scoreboard.count(row for row in lines if row.counted),
        "own": view.lines(found.rows),
        "kept": view.kept(found.rows),
        "alike": alike.rows(claim.document),
        "machines": alike.machines(claim.document),
        "break_even": alike.break_even(claim.document),
    }


def render() -> tuple[str, list[str]]:
    """The page, and the names of what is not on it yet with the command that measures it."""
    measured = all_measured()
    judged = scoreboard.lines(measured)
    sections = [section(claim, measured) for claim in CLAIMS]
    rows = [row for name in (*(c.document for c in CLAIMS), MACHINE) for row in evidence(name).rows]
    there, missing = others()
    html = page(
        sections,
        [(s, plots.walk(s.figures) if s.name == "walk" else []) for s in there],
        tally(judged, recorded_only()),
        f"{measured_rows.summary(rows)}\n{scoreboard.summary(judged)}",
        results.commit(),
    )
    absent = [(f"document {s['card'].claim.document}", "make demo") for s in sections
              if not evidence(s["card"].claim.document).measured]  # fmt: skip
    return html, [f"{name}; run `{command}`" for name, command in absent + missing]


def main(arguments: list[str] | None = None) -> None:
    """Writes the page; says which results are not there yet and which command makes them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", default=ROOT / "build" / "report.html", type=Path)
    out = parser.parse_args(arguments).out
    html, missing = render()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(html)
    print(f"written: {out}")
    for text in missing:
        print(f"not measured yet: {text}")


if __name__ == "__main__":
    main()
