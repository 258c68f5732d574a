"""Writes what was measured into README.md (between its markers), docs/figures.md, docs/verdicts.svg
and docs/data/demo.json, from build/results/*.json. No figure is chosen."""

import click

from figures import catalogue, judge, scoreboard, view
from figures import rows as firmware
from figures.page import put, table
from figures.rows import Row
from figures.scoreboard import Line
from support import commits, results
from support.root import ROOT
from tools.report.cards import CLAIMS, card
from tools.report.facts import configurations, facts
from tools.report.verdicts import verdicts

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
    files = {name: results.read(name) for name in view.FILES.values()}
    for name, found in files.items():
        if not found or found["command"] != results.FULL_DEMO:
            why = f"of {found['command']}, which leaves out rows" if found else "missing"
            raise MissingResult(f"build/results/{name}.json is {why}; run {results.FULL_DEMO}")
    of = sorted({found["commit"] for found in files.values()})
    if len(of) != 1:
        raise MissingResult(f"the results are of {', '.join(of)}; run {results.FULL_DEMO}")
    return [row for found in files.values() for row in firmware.rows_of(found["figures"])], of[0]


def markdown(rows: list[dict[str, str]], without: tuple[str, ...] = ()) -> str:
    columns = view.columns(rows, without)
    return table(columns, ([row[c] for c in columns] for row in rows), tight=True)


def board_table(lines: list[Line], *without: str) -> str:
    return markdown([view.cells(row) for row in lines], without)


# What is in the catalogue and not in the count: title, text, and a column that means nothing there.
OUTSIDE = {
    catalogue.INVARIANT: ("True by construction", "There and here: never counted.", "times"),
    catalogue.ARITHMETIC: ("Arithmetic of the texts", "From other numbers of theirs.", "times"),
    catalogue.DERIVED: (
        "Derived by us from what they print",
        "No text draws these quotients; outside of the count, without a verdict.",
        "verdict",
    ),
    catalogue.OTHER: (
        "Of another text",
        "Version 3 of document 002's patch: outside of the count, without a verdict. It is of a "
        "second level whose ways are 32 KiB: [caches](caches.md) has it on one.",
        "verdict",
    ),
    catalogue.SETUP: ("Their machines and programs", "Numbers that are no results.", "verdict"),
}


def outside(class_: str) -> str:
    title, text, without = OUTSIDE[class_]
    return f"### {title}\n\n{text}\n\n{board_table(scoreboard.lines(None, class_), without)}"


def stale_rows() -> str:
    """What is known to be older than the sources."""
    if rows := [{"id": name, "why": reason} for name, reason in scoreboard.stale().items()]:
        text = "Rows that are known to be older than the sources, or are still to be measured."
        return f"### To be measured again\n\n{text}\n\n{markdown(rows)}"
    return "No row waits to be measured; `make renew` lists what the sources left behind."


def count_page() -> str:
    """The count, document by document, and what stands outside of it."""
    lines = scoreboard.lines()
    parts = ["## The count", "```\n" + scoreboard.summary(lines) + "\n```"]
    parts.append(markdown(view.tally(lines)))
    parts.append("\n".join(f"* {text}" for text in view.sources(lines, commits.said)))
    for document, title in sorted(view.DOCUMENTS.items()):
        mine = [row for row in lines if row.entry.document == document]
        judged = [row for row in mine if row.verdict != judge.UNMEASURED]
        parts += [f"### Document {document}: {title}", view.on(document), board_table(judged)]
    left = [row for row in lines if row.verdict == judge.UNMEASURED]
    parts += ["### Not measured here", board_table(left, "verdict")]
    return "\n\n".join([*parts, stale_rows(), *map(outside, OUTSIDE)])


def campaign_only(rows: list[Row]) -> str:
    shown, spreads = {row.id for row in rows}, firmware.spreads()
    lines = []
    for r in firmware.campaign():
        cache, granule, experiment = r["configuration"], r["granule"], r["experiment"]
        if r["id"] in shown and spreads[r["id"], cache, granule]["experiment"] == experiment:
            continue
        cells = {"id": r["id"], "experiment": experiment, "cache": cache, "granule": granule}
        cells |= {name: view.number(r[name]) for name in ("least", "median", "most")}
        lines.append(cells | {"unit": r["unit"], "places": str(r["placements"])})
    return f"## Measured by `make figures` only\n\n{markdown(lines)}" if lines else ""


def page(rows: list[Row], commit: str) -> str:
    parts = [PAGE_HEAD, judge.rule(), count_page()]
    for document, title in view.TITLES.items():
        if mine := [row for row in rows if row.document == document]:
            lines = view.lines(mine)
            parts += [f"## {title}, as measured", markdown(lines) if lines else "", view.kept(mine)]
    source = f"from the results of `{results.FULL_DEMO}`, {commits.said(commit)}"
    parts += [campaign_only(rows), f"Written by `make publish` {source}."]
    return "\n\n".join(filter(None, parts)) + "\n"


def section(commit: str) -> str:
    """What README.md shows of the figures: the texts, and the count."""
    lines = scoreboard.lines()
    tally = []
    for row in view.tally(lines):
        document = row.pop("document").partition(":")[0]
        text = catalogue.machines()[document]
        tally.append({"text": f"{document}: [{text.title}]({text.link}), {text.who}", **row})
    end = f"Written by `make publish`, {commits.said(commit)}."
    return "\n\n".join([markdown(tally), f"{scoreboard.summary(lines)}\n{end}"])


def copy(rows: list[Row], commit: str) -> str:
    """The rows for the repository, one a line, without what is empty: tests judge them again and
    recount the summary."""
    kept = [{k: v for k, v in row.as_json().items() if v not in (None, "")} for row in rows]
    return results.by_lines({"commit": commit, "command": results.FULL_DEMO, "figures": kept})


def readme(text: str, rows: list[Row], commit: str) -> str:
    shown = {"measured": section(commit), "configurations": configurations(), "facts": facts(rows)}
    for marker, content in shown.items():
        text = put(text, marker, content)
    return text


def picture() -> str:
    return verdicts([card(claim) for claim in CLAIMS])


@click.command()
@click.option("--recorded", is_flag=True, help="from docs/data, not from a demo of this checkout")
def main(recorded: bool) -> None:
    """Refreshes what README.md shows of the demo, and what is made of its figures."""
    rows, commit = firmware.recorded() if recorded else measured()
    if not recorded:
        commits.note(commit)
    rows = [firmware.with_spread(row) for row in rows]
    firmware.RECORDED.write_text(copy(rows, commit))  # which the pages are made of
    path = ROOT / "README.md"
    files = {path: readme(path.read_text(), rows, commit), PAGE: page(rows, commit)}
    files[VERDICTS] = picture()
    for name, text in files.items():
        name.write_text(text)
    written = ", ".join(str(p.relative_to(ROOT)) for p in (firmware.RECORDED, *files))
    click.echo(f"written: {written}")
