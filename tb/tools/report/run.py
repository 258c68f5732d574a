"""Writes build/report.html: the five verdicts, and below each what it rests on."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import judge, view  # noqa: E402
from figures import rows as judged  # noqa: E402
from figures.catalogue import MACHINE  # noqa: E402
from figures.rows import Row  # noqa: E402
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from tools.report import alike, plots  # noqa: E402
from tools.report.cards import CLAIMS, SYMBOLS, card, with_unit  # noqa: E402
from tools.report.charts import short, strip  # noqa: E402
from tools.report.evidence import Evidence, evidence, others, recorded  # noqa: E402
from tools.report.page import page, tally  # noqa: E402

# How a figure is judged, by its kind.
BY = {"X": "digits", "R": "size", "O": "direction"}


def times_strip(group: list[Row]) -> str:
    """The strip of a figure that has a size to compare; nothing for the others."""
    points = [(r.granule, r.times) for r in group if r.times is not None and r.kind != "X"]
    if not points or group[0].published is None:
        return ""
    said = ", ".join(f"{granule}: {short(times)} times" for granule, times in points)
    return strip(points, f"of the published size: {said}")


def published_lines(rows: list[Row]) -> list[dict]:
    """Every published figure of a document, a line for each cache."""
    groups = view.grouped([row for row in rows if row.published is not None])
    return [
        view.line(group)
        | {
            "theirs": with_unit(group[0].published, group[0].unit),
            "printed": group[0].printed,
            "strip": times_strip(group),
            "judged": " / ".join(dict.fromkeys(BY[r.kind] for r in group if r.kind in BY)),
            "symbol": SYMBOLS.get(view.line(group)["verdict"], ""),
        }
        for group in groups
    ]


def own_lines(rows: list[Row]) -> list[dict]:
    """Everything else but the invariants that held."""
    return view.lines([row for row in rows if row.published is None])


def pictures(document: str, found: Evidence) -> list[plots.Picture]:
    drawn = [picture for draw in plots.DRAWN[document] for picture in draw(found.rows)]
    return drawn + plots.series(found.series)


def compared(rows: list[Row]) -> int:
    counts = judged.count(rows)
    return sum(counts.get(group, 0) for group in (judge.NEAR, judge.DIRECTION, judge.OTHER))


def more_by_full(rows: list[Row]) -> int | None:
    """How many figures the record in docs/data compares, if this run measured fewer."""
    full = compared(recorded()[0])
    return full if compared(rows) < full else None


def recorded_only() -> str:
    """The commit of the record in docs/data, if nothing was measured here; else nothing."""
    here = any(evidence(claim.document).source.startswith("measured here") for claim in CLAIMS)
    return "" if here else recorded()[1]


def section(claim) -> dict:
    """One card with all that is below it."""
    found = evidence(claim.document)
    return {
        "card": card(claim, found.rows, found.source),
        "pictures": pictures(claim.document, found) if found.measured else [],
        "published": published_lines(found.rows),
        "own": own_lines(found.rows),
        "kept": view.kept(found.rows),
        "alike": alike.rows(claim.document),
        "machines": alike.machines(claim.document),
        "break_even": alike.break_even(claim.document),
    }


def render() -> tuple[str, list[str]]:
    """The page, and the names of what is not on it yet with the command that measures it."""
    sections = [section(claim) for claim in CLAIMS]
    rows = [row for name in (*(c.document for c in CLAIMS), MACHINE) for row in evidence(name).rows]
    there, missing = others()
    head = ""
    if rows:
        head = tally(judged.count(rows), recorded_only(), results.FULL_DEMO, more_by_full(rows))
    html = page(
        sections,
        [(s, plots.walk(s.figures) if s.name == "walk" else []) for s in there],
        head,
        judged.summary(rows) if rows else "",
        results.commit(),
    )
    absent = [(f"document {s['card'].claim.document}", "make demo") for s in sections
              if not s["card"].measured]  # fmt: skip
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
