"""Writes what was measured into README.md (between its markers), docs/figures.md, docs/verdicts.svg
and docs/data/demo.json, from build/demo.txt and build/results/*.json. No figure is chosen. It also
renews the list of contents of docs/decisions.md."""

import json
import re
import subprocess
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from figures import boots, judge, view  # noqa: E402
from figures import rows as judged  # noqa: E402
from figures.catalogue import DOCUMENTS, GRANULES, MACHINE  # noqa: E402
from figures.rows import Row  # noqa: E402
from support import results  # noqa: E402
from support.root import ROOT  # noqa: E402
from tools.report import contents  # noqa: E402
from tools.report.cards import CLAIMS, card  # noqa: E402
from tools.report.facts import facts  # noqa: E402
from tools.report.verdicts import verdicts  # noqa: E402

COPY = ROOT / "docs" / "data" / "demo.json"
PAGE = ROOT / "docs" / "figures.md"
VERDICTS = ROOT / "docs" / "verdicts.svg"
PAGE_HEAD = """\
# All figures

What the firmware measured at 4K, 16K and 64K on two caches, beside what the five documents
published ([sources.md](sources.md) says which they are) and beside what models of ours predict."""
GROUPS = (judge.NEAR, judge.DIRECTION, judge.OTHER, judge.OPEN)
BANNER_LINES = 12
WALK = ("0x7f1234567abc",)


class MissingResult(click.ClickException):
    """A result file that the table needs has not been made."""


def measured() -> tuple[list[Row], str]:
    """All rows of the demo, and the commit they are of."""
    rows, commits = [], []
    for name in (*(f"document-{document}" for document in DOCUMENTS), MACHINE):
        found = results.read(name)
        if found is None:
            raise MissingResult(
                f"build/results/{name}.json is missing; {results.FULL_DEMO} writes it"
            )
        if found["command"] != results.FULL_DEMO:
            raise MissingResult(
                f"build/results/{name}.json is of {found['command']}, which leaves out rows; "
                f"run {results.FULL_DEMO}"
            )
        rows += [judged.with_spread(Row.of_json(row)) for row in found["figures"]]
        commits.append(found["commit"])
    if len(set(commits)) != 1:
        raise MissingResult(
            f"the results are of {', '.join(sorted(set(commits)))}; run {results.FULL_DEMO}"
        )
    return rows, commits[0]


def markdown(columns: tuple[str, ...], rows: list[dict[str, str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([row[c] for c in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def counts(rows: list[Row]) -> str:
    """How many figures of each document came how close."""
    table = []
    for document, title in DOCUMENTS.items():
        tally = judged.count([row for row in rows if row.document == document])
        table.append(
            {"document": f"{document}: {title}"} | {g: str(tally.get(g, 0)) for g in GROUPS}
        )
    return markdown(("document", *GROUPS), table)


def document_page(rows: list[Row], title: str) -> str:
    """Every row of a document: those beside a published figure first, then ours; none is chosen."""
    lines = view.lines(rows)
    parts = (f"## {title}", markdown(view.columns(lines), lines), view.kept(rows))
    return "\n\n".join(part for part in parts if part)


def place(recorded: dict) -> tuple[str, str, str]:
    return recorded["id"], recorded["configuration"], recorded["granule"]


def campaign_only(rows: list[Row]) -> str:
    """What `make figures` measured and the demo does not."""
    shown = {row.id for row in rows}
    recorded = json.loads(judged.SPREADS.read_text())["figures"] if judged.SPREADS.exists() else []
    lines = [
        {
            **{"id": r["id"], "experiment": r["experiment"]},
            **{"cache": r["configuration"], "granule": r["granule"]},
            **{name: view.number(r[name]) for name in ("least", "median", "most")},
            **{"unit": r["unit"], "places": str(r["placements"])},
        }
        for r in recorded
        if r["id"] not in shown or judged.spreads()[place(r)]["experiment"] != r["experiment"]
    ]
    if not lines:
        return ""
    return f"## Measured by `make figures` only\n\n{markdown(tuple(lines[0]), lines)}"


def page(rows: list[Row], commit: str) -> str:
    """docs/figures.md: all rows."""
    parts = [
        document_page(mine, title)
        for document, title in view.TITLES.items()
        if (mine := [row for row in rows if row.document == document])
    ]
    end = f"Written by `make publish` from the results of `{results.FULL_DEMO}`, commit {commit}."
    parts = [PAGE_HEAD, judge.RULE, *parts, campaign_only(rows), end]
    return "\n\n".join(part for part in parts if part) + "\n"


def section(rows: list[Row], commit: str) -> str:
    """What README.md shows of the figures: how many came how close, and where all of them are."""
    few = judged.of_boots(rows, boots.planned(GRANULES, full=False))
    end = (
        "This is of `make demo FULL=1`. `make demo` boots the larger pages on one cache only: "
        f"{judged.closeness(few)}. Every published figure beside ours, with the reason where they "
        "differ: [docs/figures.md](docs/figures.md). Written by `make publish`, commit "
        f"{commit}."
    )
    return "\n\n".join(["```\n" + judged.summary(rows) + "\n```", counts(rows), end])


def put(text: str, marker: str, content: str) -> str:
    """Replaces what stands between `<!-- marker -->` and `<!-- /marker -->`."""
    pattern = rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)"
    if not re.search(pattern, text, flags=re.DOTALL):
        raise click.ClickException(
            f"the page has no markers <!-- {marker} --> ... <!-- /{marker} -->"
        )
    return re.sub(pattern, lambda m: m[1] + content + "\n" + m[2], text, flags=re.DOTALL)


def excerpt(rows: list[Row]) -> str:
    """What a person sees of `make demo`, without most of it."""
    source = ROOT / "build" / "demo.txt"
    if not source.exists():
        raise MissingResult(f"build/demo.txt is missing; {results.FULL_DEMO} writes it")
    lines = [line.rstrip() for line in source.read_text().splitlines()]
    return "\n".join(["```", *lines[:BANNER_LINES], "  ...", judged.summary(rows), "```"])


def copy(rows: list[Row], commit: str) -> str:
    """The rows for the repository, one a line, without what is empty: tests judge them again and
    recount the summary."""
    kept = [{k: v for k, v in row.as_json().items() if v not in (None, "")} for row in rows]
    lines = ",\n".join(json.dumps(row) for row in kept)
    return f'{{"commit": "{commit}", "command": "{results.FULL_DEMO}", "figures": [\n{lines}\n]}}\n'


def walk_example() -> str:
    """What the README's first command prints for the smallest page."""
    command = [sys.executable, str(ROOT / "tb" / "walk.py"), *WALK]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first = done.stdout.split("\n\n")[0]
    return f"```\n{first}\n```"


def readme(text: str, rows: list[Row], commit: str) -> str:
    """README.md with today's figures."""
    text = put(text, "measured", section(rows, commit))
    text = put(text, "facts", facts(rows))
    return put(text, "walk", walk_example())


def picture(rows: list[Row]) -> str:
    """docs/verdicts.svg."""
    return verdicts([card(claim, rows, "") for claim in CLAIMS])


@click.command()
def main() -> None:
    """Refreshes what README.md shows of the demo, and what is made of its figures."""
    rows, commit = measured()
    path = ROOT / "README.md"
    path.write_text(put(readme(path.read_text(), rows, commit), "demo", excerpt(rows)))
    PAGE.write_text(page(rows, commit))
    COPY.write_text(copy(rows, commit))
    VERDICTS.write_text(picture(rows))
    decisions = contents.PAGE.read_text()
    contents.PAGE.write_text(put(decisions, "contents", contents.contents(decisions)))
    files = (path, PAGE, COPY, VERDICTS, contents.PAGE)
    written = ", ".join(str(p.relative_to(ROOT)) for p in files)
    click.echo(f"written: {written}")


if __name__ == "__main__":
    main()
