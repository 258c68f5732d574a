"""Writes the measured tables into README.md, between its markers, from build/results/*.json."""

import re
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


class MissingResult(click.ClickException):
    """A result file that the table needs has not been made."""


def figures(name: str) -> tuple[list[dict], str]:
    document = results.read(name)
    if document is None:
        raise MissingResult(
            f"build/results/{name}.json is missing; make demo and make test write it"
        )
    return document["figures"], document["commit"]


def one(rows: list[dict], identity: str, configuration: str, run: str) -> dict:
    for row in rows:
        if (row["id"], row["configuration"], row["run"]) == (identity, configuration, run):
            return row
    raise MissingResult(f"no figure {identity} of {configuration} {run}; run make demo again")


# What the README shows: id, configuration, what it is.
CHOSEN = {
    "document-002": [
        ("A-1.fit", "teaching", "misses a read, 8 lines in 8 ways"),
        ("A-1.over", "teaching", "misses a read, 9 lines in 8 ways"),
        ("A-5.single", "ulx3s", "misses with one zero page, ways of 16 KiB"),
        ("A-5.coloured", "ulx3s", "misses with one zero page a colour"),
        ("A-5.faster", "ulx3s", "time a read, one zero page / coloured"),
    ],
    "document-000": [
        ("H0.1", "teaching", "kernel cycles, PTE pages in highmem / not"),
        ("H0.2", "teaching", "all cycles, the same"),
        ("H0.3", "teaching", "user cycles, the same"),
        ("H0.5", "teaching", "PTE pages in 768 MiB of lowmem"),
        ("H0.7", "teaching", "GiB that they can map"),
    ],
}
GRANULES = ("4k", "16k", "64k")


def number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4f}"


def table() -> str:
    """The figures of both documents, one row each, granules side by side."""
    lines = [
        "| document | figure | ours, 4K | 16K | 64K | document, or its model |",
        "|---|---|---|---|---|---|",
    ]
    commit = ""
    for document, rows in CHOSEN.items():
        measured, commit = figures(document)
        for identity, configuration, what in rows:
            cells, printed = [], None
            for run in GRANULES:
                try:
                    row = one(measured, identity, configuration, run)
                except MissingResult:
                    if run == "4k":
                        raise
                    cells.append("")
                    continue
                printed = printed or row["documented"]
                cells.append(number(row["value"]))
            lines.append(
                f"| {document[-3:]} {identity} | {what} | {' | '.join(cells)} | {printed or ''} |"
            )
    lines.append(f"\nWritten by `make publish` from the results of `make demo`, commit {commit}.")
    return "\n".join(lines)


def put(text: str, marker: str, content: str) -> str:
    """Replaces what stands between `<!-- marker -->` and `<!-- /marker -->`."""
    pattern = rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)"
    if not re.search(pattern, text, flags=re.DOTALL):
        raise click.ClickException(
            f"README.md has no markers <!-- {marker} --> ... <!-- /{marker} -->"
        )
    return re.sub(pattern, lambda m: m[1] + content + "\n" + m[2], text, flags=re.DOTALL)


# Of the demo's console: the first boot's banner, and these rows of the tables, and its last line.
BANNER_LINES = 12
SHOWN = ("A-1.over", "A-5.single", "A-5.coloured", "A-5.fewer", "H0.1 ", "H0.3 ", "H0.7 ")


def excerpt() -> str:
    """What a person sees of `make demo`, without most of it."""
    source = ROOT / "build" / "demo.txt"
    if not source.exists():
        raise MissingResult("build/demo.txt is missing; make demo writes it")
    lines = [line.rstrip() for line in source.read_text().splitlines()]
    header = [line for line in lines if line.startswith("┃ id")][:1]
    rows = [line for line in lines if line.startswith(tuple(f"│ {name}" for name in SHOWN))]
    tables = [line.replace("┃", "|").replace("│", "|") for line in header + rows]
    return "\n".join(["```", *lines[:BANNER_LINES], "  ...", *tables, "  ...", lines[-1], "```"])


@click.command()
def main() -> None:
    """Refreshes what README.md shows of the demo, and its table of measured figures."""
    readme = ROOT / "README.md"
    text = put(readme.read_text(), "measured", table())
    readme.write_text(put(text, "demo", excerpt()))
    click.echo("written: README.md")


if __name__ == "__main__":
    main()
