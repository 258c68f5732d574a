"""Writes what was measured into README.md, between its markers: an excerpt of the demo's console
and the table of figures, from build/demo.txt and build/results/*.json."""

import re
import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from demo import view  # noqa: E402
from demo.figures import THEIR_MACHINE, Figure  # noqa: E402
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


class MissingResult(click.ClickException):
    """A result file that the table needs has not been made."""


def measured(name: str) -> tuple[list[Figure], str]:
    """The figures of a document, and the commit they are of."""
    document = results.read(name)
    if document is None:
        raise MissingResult(f"build/results/{name}.json is missing; make demo writes it")
    return [Figure.of_row(row) for row in document["figures"]], document["commit"]


# What the README shows: id, configuration, what it is. What differs is shown in any case.
CHOSEN = {
    "document-002": [
        ("A-1.fit", "teaching", "misses a read, 8 lines in 8 ways"),
        ("A-1.over", "teaching", "misses a read, 9 lines in 8 ways"),
        ("H2.2", "teaching", "the same"),
        ("H2.4", "teaching", "time of 9 reads over that of 8, % more"),
        ("H2.5", "teaching", "time a read, the same, % more"),
        ("H2.8", "teaching", "time a read, the same, ratio (its version 3)"),
        ("A-5.single", "ulx3s", "misses with one zero page, ways of 16 KiB"),
        ("A-5.coloured", "ulx3s", "misses with one zero page a colour"),
        ("A-5.faster", "ulx3s", "time a read, one zero page / coloured"),
    ],
    "document-000": [
        ("H0.1", "teaching", "kernel cycles, PTE pages in highmem / not"),
        ("H0.1", "ulx3s", "kernel cycles, the same"),
        ("H0.2", "teaching", "all cycles, the same"),
        ("H0.3", "teaching", "user cycles, the same"),
        ("H0.5", THEIR_MACHINE, "PTE pages in 768 MiB of lowmem"),
        ("H0.7", THEIR_MACHINE, "GiB that they can map"),
    ],
}
MEASURED_COLUMNS = ("id", "what", "cache", *view.GRANULES, "document", "model", "kind", "verdict")
REASON = (
    "H2.4, H2.5 and H2.8 are much larger than published: here the loop does nothing but read, and "
    "there is no second cache behind the first, so that a miss is nearly all the time of a read."
)


def excess(ratio: str) -> str:
    """A published ratio as a person compares it: what is above 1."""
    return f"{ratio} ({100 * (float(ratio) - 1):+.3g} %)"


def shown(group: list[Figure], what: str) -> dict[str, str]:
    """A row of the table; ratios that were published with their excess."""
    row = view.row(group) | {"what": what}
    if group[0].unit == "ratio" and group[0].documented:
        names = [*(f.run for f in group), "document"]
        row |= {name: excess(row[name]) for name in names}
    return row


def wanted(name: str, groups: dict[tuple[str, str], list[Figure]]) -> list[dict[str, str]]:
    """The rows of one document: the chosen ones, and after them all others that differ."""
    rows, chosen = [], set()
    for identity, configuration, what in CHOSEN[name]:
        key = (identity, configuration)
        if key not in groups:
            raise MissingResult(
                f"no figure {identity} of {configuration}; run make demo again, all of it"
            )
        chosen.add(key)
        rows.append(shown(groups[key], what))
    others = [group for key, group in groups.items() if key not in chosen]
    differ = [g for g in others if any(f.verdict != "PASS" for f in g)]
    return rows + [shown(group, group[0].note) for group in differ]


def markdown(columns: tuple[str, ...], rows: list[dict[str, str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([row[c] for c in columns] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table() -> str:
    """The figures of both documents, one row each, granules side by side."""
    parts, commit = [], ""
    for name in CHOSEN:
        figures, commit = measured(name)
        rows = wanted(name, view.grouped(figures))
        parts.append(f"{view.TITLES[name]}\n\n{markdown(MEASURED_COLUMNS, rows)}")
    end = f"Written by `make publish` from the results of `make demo`, commit {commit}."
    return "\n\n".join([*parts, REASON, view.legend(times=False), end])


def put(text: str, marker: str, content: str) -> str:
    """Replaces what stands between `<!-- marker -->` and `<!-- /marker -->`."""
    pattern = rf"(<!-- {marker} -->\n).*?(<!-- /{marker} -->)"
    if not re.search(pattern, text, flags=re.DOTALL):
        raise click.ClickException(
            f"README.md has no markers <!-- {marker} --> ... <!-- /{marker} -->"
        )
    return re.sub(pattern, lambda m: m[1] + content + "\n" + m[2], text, flags=re.DOTALL)


# Of the demo's console: the first boot's banner, these rows of the tables, and its last line.
BANNER_LINES = 12
EXCERPT = ("A-1.over", "A-5.single", "A-5.coloured", "A-5.fewer", "H0.1", "H0.3", "H0.7")


def excerpt() -> str:
    """What a person sees of `make demo`, without most of it."""
    source = ROOT / "build" / "demo.txt"
    if not source.exists():
        raise MissingResult("build/demo.txt is missing; make demo writes it")
    lines = [line.rstrip() for line in source.read_text().splitlines()]
    parts = ["\n".join(["```", *lines[:BANNER_LINES], "  ...", "```"])]
    for name in CHOSEN:
        rows = [row for row in view.rows(measured(name)[0]) if row["id"] in EXCERPT]
        parts.append(f"{view.TITLES[name]} (some rows)\n\n{markdown(view.COLUMNS, rows)}")
    return "\n\n".join([*parts, f"```\n{lines[-1]}\n```"])


@click.command()
def main() -> None:
    """Refreshes what README.md shows of the demo, and its table of measured figures."""
    readme = ROOT / "README.md"
    text = put(readme.read_text(), "measured", table())
    readme.write_text(put(text, "demo", excerpt()))
    click.echo("written: README.md")


if __name__ == "__main__":
    main()
