"""Writes build/report.html: the five verdicts, and below each what it rests on."""

import sys
from pathlib import Path

import click
import jinja2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import board, judge, scoreboard, view  # noqa: E402
from figures import rows as measured_rows  # noqa: E402
from figures.catalogue import ARITHMETIC, INVARIANT, MACHINE, MEASURED  # noqa: E402
from figures.rows import Row  # noqa: E402
from figures.scoreboard import Line  # noqa: E402
from support import results  # noqa: E402
from support.run import ROOT  # noqa: E402
from tools.report import (
    alike,
    plots,  # noqa: E402
)
from tools.report.cards import (  # noqa: E402
    CARD_RULE,
    CLAIMS,
    STYLES,
    SYMBOLS,
    card,
    with_unit,
)
from tools.report.charts import short, strip  # noqa: E402
from tools.report.evidence import Evidence, evidence, others, recorded  # noqa: E402

FOLDER = Path(__file__).parent


def show(value) -> str:
    """A cell of a table whose columns are not known beforehand."""
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


def published_line(row: Line) -> dict:
    """A row of the scoreboard as the page shows it."""
    strip_of = ""
    if row.times is not None:
        said = f"{short(row.times)} times the published size"
        strip_of = strip([(scoreboard.GRANULE, row.times)], said)
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
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"show": show, "short": short, "styles": STYLES, "words": judge.WORDS}
    page = environment.get_template("page.html").render(
        style=(FOLDER / "page.css").read_text(),
        commit=results.commit(),
        sections=sections,
        summary=f"{measured_rows.summary(rows)}\n{scoreboard.summary(judged)}",
        counts=scoreboard.count(judged),
        judged=sum(row.counted for row in judged),
        printed=len(judged),
        rule=judge.rule(),
        card_rule=CARD_RULE,
        of=recorded_only(),
        granules=view.GRANULES,
        others=[(s, plots.walk(s.figures) if s.name == "walk" else []) for s in there],
    )
    absent = [(f"document {s['card'].claim.document}", "make demo") for s in sections
              if not evidence(s["card"].claim.document).measured]  # fmt: skip
    return page, [f"{name}; run `{command}`" for name, command in absent + missing]


@click.command()
@click.option("--out", default=ROOT / "build" / "report.html", type=Path, show_default=True)
def main(out: Path) -> None:
    """Writes the page; says which results are not there yet and which command makes them."""
    page, missing = render()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    click.echo(f"written: {out}")
    for text in missing:
        click.echo(f"not measured yet: {text}")


if __name__ == "__main__":
    main()
