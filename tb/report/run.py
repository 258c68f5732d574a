"""Turns build/results/*.json into one HTML page with plots, build/report.html."""

import json
import sys
from pathlib import Path

import click
import jinja2

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from demo.catalogue import KINDS  # noqa: E402
from report.plots import PLOTS  # noqa: E402
from support import results  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
KINDS_TEXT = "Kinds: " + "; ".join(f"{kind}: {meaning}" for kind, meaning in KINDS.items()) + "."
# Title, what it is about, and the command that measures it.
SECTIONS = {
    "document-002": (
        "Document 002: coloured zero pages",
        "Misses and cycles when lines share one cache set, and what colours save on a cache "
        f"whose way is larger than a page. {KINDS_TEXT}",
        "make demo",
    ),
    "document-000": (
        "Document 000: PTE pages in highmem",
        "What mapping each user PTE page costs the kernel, beside userpte=nohigh, at each "
        f"granule. {KINDS_TEXT}",
        "make demo",
    ),
    "walk": (
        "Cycles of a walk",
        "Walk cycles by the number of levels and the latency N of one descriptor read.",
        "make test",
    ),
    "walks": (
        "Walks of a workload",
        "How many descriptors the walks of document 000's task read, with the walk cache.",
        "make demo",
    ),
    "invalidate": (
        "Cycles of an invalidation",
        "Every kind takes the same bounded time.",
        "make test",
    ),
    "mmu_on_off": (
        "MMU on and off",
        "The same loop of loads and stores, translated and untranslated.",
        "make test",
    ),
    "cpu": (
        "Cycles per instruction",
        "The core alone, with caches that always hit.",
        "make test",
    ),
    "area": (
        "Area and Fmax",
        "ECP5, out of context behind registers; other open MMUs beside.",
        "make area",
    ),
}


def show(value) -> str:
    """A cell: floats with the digits that matter, nested values as text."""
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


def rows_of(figures) -> list[dict]:
    """Figures as rows: a list of objects as it is, anything else as name and value."""
    if isinstance(figures, list):
        return [f if isinstance(f, dict) else {"value": f} for f in figures]
    flat = []
    for name, value in figures.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            flat += [{"group": name, **row} for row in value]
        elif isinstance(value, dict) and all(isinstance(v, dict) for v in value.values()):
            flat += [{name: inner, **row} for inner, row in value.items()]
        elif isinstance(value, dict):
            flat.append({"name": name, **value})
        else:
            flat.append({"name": name, "value": value})
    return flat


def section(document: dict) -> dict:
    """What the template needs of one result file."""
    rows = rows_of(document["figures"])
    # A column that no row fills says nothing.
    columns = list(
        dict.fromkeys(k for row in rows for k, value in row.items() if value not in (None, ""))
    )
    name = document["name"]
    title, text, _ = SECTIONS.get(name, (name, "", ""))
    plots = [plot for draw in PLOTS.get(name, []) if (plot := draw(document))]
    return {
        **document,
        "title": title,
        "text": text,
        "rows": rows,
        "columns": columns,
        "plots": plots,
    }


def measured(files: list[Path]) -> dict[str, dict]:
    """The result files by name; those that hold no figures are not measured yet."""
    documents = {f.stem: json.loads(f.read_text()) for f in files}
    return {name: document for name, document in documents.items() if document["figures"]}


@click.command()
@click.option("--out", default=ROOT / "build" / "report.html", type=Path, show_default=True)
def main(out: Path) -> None:
    """Writes the page; says which results are not there yet and which command makes them."""
    files = sorted(results.RESULTS.glob("*.json"))
    if not files:
        raise click.ClickException("build/results holds no figures yet; run make demo or make test")
    documents = measured(files)
    order = [n for n in SECTIONS if n in documents] + [n for n in documents if n not in SECTIONS]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True
    )
    environment.globals["show"] = show
    page = environment.get_template("page.html").render(
        commit=results.commit(), sections=[section(documents[n]) for n in order]
    )
    out.write_text(page)
    click.echo(f"written: {out} ({len(order)} sections)")
    for name, (_, _, command) in SECTIONS.items():
        if name not in documents:
            click.echo(f"not measured yet: {name}; run `{command}`")


if __name__ == "__main__":
    main()
