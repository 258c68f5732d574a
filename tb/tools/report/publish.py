"""Writes what was measured into README.md (between its markers), docs/figures.md, docs/verdicts.svg
and docs/data/demo.json, from build/results/*.json. No figure is chosen. It also
renews the list of contents of docs/decisions.md."""

import json
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import board, judge, record, scoreboard, stale, view  # noqa: E402
from figures import rows as firmware  # noqa: E402
from figures.catalogue import (  # noqa: E402
    ARITHMETIC,
    DERIVED,
    DOCUMENTS,
    INVARIANT,
    MACHINE,
    OTHER,
    SETUP,
    machines,
)
from figures.page import put, table  # noqa: E402
from figures.rows import Row  # noqa: E402
from figures.scoreboard import Line  # noqa: E402
from support import commits, results  # noqa: E402
from support.root import ROOT  # noqa: E402
from tools.report import contents  # noqa: E402
from tools.report.cards import CLAIMS, card  # noqa: E402
from tools.report.facts import configurations, facts  # noqa: E402
from tools.report.verdicts import verdicts  # noqa: E402

PAGE = ROOT / "docs" / "figures.md"
VERDICTS = ROOT / "docs" / "verdicts.svg"
PAGE_HEAD = """\
# All figures

Every number that the five documents print ([sources.md](sources.md) says which they are) beside
ours; then all that the firmware measured at 4K, 16K and 64K on two caches.

![What each text claims, beside ours](verdicts.svg)"""


class MissingResult(click.ClickException):
    """A result file that the table needs has not been made."""


def measured() -> tuple[list[Row], str]:
    """All rows of the demo, and the commit they are of."""
    names = (*(f"document-{document}" for document in DOCUMENTS), MACHINE)
    files = {name: results.read(name) for name in names}
    for name, found in files.items():
        if not found or found["command"] != results.FULL_DEMO:
            why = f"of {found['command']}, which leaves out rows" if found else "missing"
            raise MissingResult(f"build/results/{name}.json is {why}; run {results.FULL_DEMO}")
    of = sorted({found["commit"] for found in files.values()})
    if len(of) != 1:
        raise MissingResult(f"the results are of {', '.join(of)}; run {results.FULL_DEMO}")
    return [row for found in files.values() for row in record.rows_of(found["figures"])], of[0]


def markdown(rows: list[dict[str, str]], without: tuple[str, ...] = ()) -> str:
    columns = view.columns(rows, without)
    return table(columns, ([row[c] for c in columns] for row in rows), tight=True)


def board_table(lines: list[Line], without: tuple[str, ...] = ()) -> str:
    """Rows of the catalogue."""
    return markdown([board.cells(row) for row in lines], without)


# What is in the catalogue and not in the count: class, title, and columns that mean nothing there.
OUTSIDE = {
    (INVARIANT,): ("True by construction", "There and here: never counted.", ("times",)),
    (ARITHMETIC,): ("Arithmetic of the texts", "From other numbers of theirs.", ("times",)),
    (DERIVED,): (
        "Derived by us from what they print",
        "No text draws these quotients; outside of the count, without a verdict.",
        ("verdict",),
    ),
    (OTHER,): (
        "Of another text",
        "Version 3 of document 002's patch: outside of the count, without a verdict, to be tried "
        "again on a second level whose ways are 32 KiB.",
        ("verdict",),
    ),
    (SETUP,): ("Their machines and programs", "Numbers that are no results.", ("verdict",)),
}


def outside(classes: tuple[str, ...]) -> str:
    title, text, without = OUTSIDE[classes]
    lines = scoreboard.lines(None, *classes)
    return "\n\n".join((f"### {title}", text, board_table(lines, without)))


def stale_rows() -> str:
    """What is known to be older than the sources."""
    rows = [{"id": name, "why": reason} for name, reason in stale.listed().items()]
    if not rows:
        return "No row waits to be measured; `make renew` lists what the sources left behind."
    text = "Rows that are known to be older than the sources, or are still to be measured."
    return "\n\n".join(("### To be measured again", text, markdown(rows)))


def count_page() -> str:
    """The count, document by document, and what stands outside of it."""
    lines = scoreboard.lines()
    parts = ["## The count", "```\n" + scoreboard.summary(lines) + "\n```"]
    parts.append(markdown(board.tally(lines)))
    parts.append("\n".join(f"* {text}" for text in board.sources(lines, commits.said)))
    for document, title in sorted(DOCUMENTS.items()):
        mine = [row for row in lines if row.entry.document == document]
        judged = [row for row in mine if row.verdict != judge.UNMEASURED]
        parts += [f"### Document {document}: {title}", board.on(document), board_table(judged)]
    left = [row for row in lines if row.verdict == judge.UNMEASURED]
    parts += ["### Not measured here", board_table(left, ("verdict",))]
    return "\n\n".join([*parts, stale_rows(), *map(outside, OUTSIDE)])


def document_page(rows: list[Row], title: str) -> str:
    """All that was measured beside a document: none is chosen."""
    lines = view.lines(rows)
    parts = (f"## {title}, as measured", markdown(lines) if lines else "", view.kept(rows))
    return "\n\n".join(part for part in parts if part)


def place(recorded: dict) -> tuple[str, str, str]:
    return recorded["id"], recorded["configuration"], recorded["granule"]


def campaign_only(rows: list[Row]) -> str:
    """What `make figures` measured and the demo does not."""
    shown = {row.id for row in rows}
    spreads = firmware.SPREADS
    recorded = json.loads(spreads.read_text())["figures"] if spreads.exists() else []
    lines = [
        {
            **{"id": r["id"], "experiment": r["experiment"]},
            **{"cache": r["configuration"], "granule": r["granule"]},
            **{name: view.number(r[name]) for name in ("least", "median", "most")},
            **{"unit": r["unit"], "places": str(r["placements"])},
        }
        for r in recorded
        if r["id"] not in shown or firmware.spreads()[place(r)]["experiment"] != r["experiment"]
    ]
    if not lines:
        return ""
    return f"## Measured by `make figures` only\n\n{markdown(lines)}"


def page(rows: list[Row], commit: str) -> str:
    """docs/figures.md: all rows."""
    parts = [
        document_page(mine, title)
        for document, title in view.TITLES.items()
        if (mine := [row for row in rows if row.document == document])
    ]
    source = f"from the results of `{results.FULL_DEMO}`, {commits.said(commit)}"
    end = f"Written by `make publish` {source}."
    parts = [PAGE_HEAD, judge.rule(), count_page(), *parts, campaign_only(rows), end]
    return "\n\n".join(part for part in parts if part) + "\n"


def section(commit: str) -> str:
    """What README.md shows of the figures: the texts, and the count."""
    lines = scoreboard.lines()
    tally = []
    for row in board.tally(lines):
        document = row.pop("document").partition(":")[0]
        text = machines()[document]
        tally.append({"text": f"{document}: [{text.title}]({text.link}), {text.who}", **row})
    end = f"Written by `make publish`, {commits.said(commit)}."
    return "\n\n".join([markdown(tally), f"{scoreboard.summary(lines)}\n{end}"])


def copy(rows: list[Row], commit: str) -> str:
    """The rows for the repository, one a line, without what is empty: tests judge them again and
    recount the summary."""
    kept = [{k: v for k, v in row.as_json().items() if v not in (None, "")} for row in rows]
    lines = ",\n".join(json.dumps(row) for row in kept)
    return f'{{"commit": "{commit}", "command": "{results.FULL_DEMO}", "figures": [\n{lines}\n]}}\n'


def readme(text: str, rows: list[Row], commit: str) -> str:
    """README.md with today's figures."""
    text = put(text, "measured", section(commit))
    text = put(text, "configurations", configurations())
    return put(text, "facts", facts(rows))


def picture() -> str:
    """docs/verdicts.svg."""
    return verdicts([card(claim) for claim in CLAIMS])


@click.command()
@click.option("--recorded", is_flag=True, help="from docs/data, not from a demo of this checkout")
def main(recorded: bool) -> None:
    """Refreshes what README.md shows of the demo, and what is made of its figures."""
    rows, commit = record.recorded() if recorded else measured()
    if not recorded:
        commits.note(commit)
    rows = [firmware.with_spread(row) for row in rows]
    record.RECORDED.write_text(copy(rows, commit))  # which the pages are made of
    path, decisions = ROOT / "README.md", contents.PAGE.read_text()
    files = {
        path: readme(path.read_text(), rows, commit),
        PAGE: page(rows, commit),
        VERDICTS: picture(),
        contents.PAGE: put(decisions, "contents", contents.contents(decisions)),
    }
    for name, text in files.items():
        name.write_text(text)
    written = ", ".join(str(p.relative_to(ROOT)) for p in (record.RECORDED, *files))
    click.echo(f"written: {written}")


if __name__ == "__main__":
    main()
