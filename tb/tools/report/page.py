"""The report as HTML: what repeats on the page. What does not stands in page.html."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template

from figures import judge, scoreboard, view
from figures.catalogue import entry
from figures.rows import Row, recorded, rows_of
from figures.scoreboard import Line
from support import results
from tools.report import plots
from tools.report.cards import CARD_RULE, LOOKS, Card, with_unit
from tools.report.plots import short, strip, trimmed
from tools.report.svg import element as el

FOLDER = Path(__file__).parent
BREAK_EVEN = "H1.8"


# ---- what it is made of: build/results, else what the repository recorded -----------------------
@dataclass(frozen=True)
class Evidence:
    """The rows of one document, where they come from, and the curves beside them. `here`: whether
    a demo of this checkout has measured it."""

    rows: list[Row] = field(default_factory=list)
    source: str = ""
    series: list[dict] = field(default_factory=list)
    here: bool = False


def evidence(document: str) -> Evidence:
    """Of a document by its number, or of the machine itself."""
    found = results.read(view.FILES[document])
    if found and any(row.get("value") is not None for row in found["figures"]):
        source = f"measured here, commit {found['commit']}"
        return Evidence(rows_of(found["figures"]), source, found.get("series", []), True)
    rows, commit = recorded()
    mine = [row for row in rows if row.document == document]
    return Evidence(mine, f"recorded in docs/data, commit {commit}" if mine else "")


# ---- results beside the documents ---------------------------------------------------------------
@dataclass(frozen=True)
class Other:
    name: str
    title: str
    text: str
    command: str = "make test"

    def rows(self) -> list[dict]:
        """Empty if it was not measured."""
        figures = (results.read(self.name) or {"figures": []})["figures"]
        if isinstance(figures, dict):
            return [{"kind": kind, **row} for kind, row in figures["kinds"].items()]
        return [shown(row) for row in figures]


OTHERS = (
    Other("walk", "Cycles of a walk",
          "By the number of levels and the latency N of one descriptor read."),
    Other("invalidate", "Cycles of an invalidation", "Every kind takes the same bounded time."),
    Other("mmu_on_off", "MMU on and off",
          "The same loop of loads and stores, translated and not."),
    Other("cpu", "Cycles per instruction", "The core alone, with caches that always hit."),
    Other("page-sizes", "A page size for each process",
          "The same program with pages of 4, 16 and 64 KiB, side by side under one kernel.",
          "make page-sizes"),
    Other("area", "Area and speed",
          "ECP5, behind registers; Fmax of several seeds: least, median, most.", "make area"),
)  # fmt: skip


def shown(row: dict) -> dict:
    """What fits into cells: one value each, or the least, median and most of several. The flow is
    the tools' command line, which docs/results.md has once."""
    cells = {}
    for name, value in row.items():
        if isinstance(value, dict) and {"min", "median", "max"} <= value.keys():
            cells[name] = f"{value['min']} / {value['median']} / {value['max']}"
        elif not isinstance(value, dict | list) and name != "flow":
            cells[name] = value
    return cells


# ---- HTML ----------------------------------------------------------------------------------------
def show(value) -> str:
    """A cell of a table whose columns are not known beforehand."""
    return trimmed(value, 4) if isinstance(value, int | float) else escape(str(value or ""))


def table(columns: Sequence[str], rows: Iterable[Mapping[str, str]], class_: str) -> str:
    """`rows`: HTML by column; on a phone the names of columns stand beside the cells."""
    head = el("tr", *(el("th", escape(name)) for name in columns))
    body = [
        el("tr", *(el("td", row.get(name, ""), data_label=name) for name in columns))
        for row in rows
    ]
    return el("table", el("thead", head), el("tbody", "\n".join(body)), class_=class_)


def folded(summary: str, *content: str, opened: bool = True) -> str:
    inside = (el("summary", summary), *content)
    return el("details", *inside, class_="table", open="" if opened else None) + "\n"


def mark(verdict: str) -> str:
    sign, style = LOOKS.get(verdict, ("", "none"))
    symbol = el("b", sign, aria_hidden="true")
    return el("span", symbol, f" {verdict}", class_=f"verdict {style}")


def pictures(found: Iterable[plots.Picture]) -> str:
    shown = [el("figure", drawn, el("figcaption", escape(text))) for text, drawn in found]
    return el("div", *shown, class_="pictures") if shown else ""


def command(text: str, more: str = "") -> str:
    return el("p", el("code", escape(text)), more, class_="command")


def named(text: str, *more: str) -> str:
    """What a row is of, and in small letters what tells it from others."""
    return f"{escape(text)} {el('small', escape(', '.join(filter(None, more))))}"


# ---- the head and the cards ----------------------------------------------------------------------
def tally(judged: list[Line], of: str) -> str:
    """How many have which verdict. `of`: the commit of a record, if they are none of this run."""
    counts = scoreboard.count(judged)
    number = sum(row.counted for row in judged)
    record = f"as docs/data records them, commit {escape(of)}"
    by = f"{record} (<code>make demo</code> measures them here):" if of else "by this run:"
    said = f"The texts measured {len(judged)} figures, of which {number} are judged {by}"
    shown = [el("span", el("b", str(counts[word])), f" {word}") for word in judge.WORDS]
    return el("p", "\n".join([el("span", said), *shown]), class_="tally")


def front(c: Card) -> str:
    result = f"{mark(c.row.verdict)} {el('span', escape(c.words))}"
    return el(
        "article",
        el("p", escape(f"Document {c.claim.document} · {c.claim.who}"), class_="who"),
        el("h2", el("a", escape(c.claim.claim), href=f"#document-{c.claim.document}")),
        c.plot,
        el("p", result, class_="result", data_verdict=c.row.verdict),
        command(c.claim.command),
        class_="card",
        id=f"card-{c.claim.document}",
    )


# ---- below: a section a document -----------------------------------------------------------------
def beside(c: Card) -> str:
    """Theirs and ours in a sentence."""
    found, reason = c.row.found, escape(c.row.entry.reason)
    if not found:
        why = f" ({reason})" if reason else ""
        return el("p", f"Not measured yet: {el('code', escape(c.claim.command))}{why}. {c.why}")
    place = f"configuration {c.row.machine}, {scoreboard.GRANULE} pages"
    if found.placements:
        spread = f"{short(found.least)} to {short(found.most)}"
        place += f"; median of {found.placements} places of code and data, {spread}"
    said = f"{mark(c.row.verdict)} {escape(c.words)}" + (f"; {reason}" if reason else "")
    theirs, ours = (el("strong", escape(text)) for text in (c.theirs, c.ours))
    return el("p", f"{theirs} in the document, {ours} here ({place}): {said}. {escape(c.why)}")


def on_three() -> str:
    """What was measured on a machine that is like document 001's, and on others."""
    found = scoreboard.data("flush")["figures"]
    machines = list(found[0]["ours"])
    even = next(row["ours"] for row in found if row["id"] == BREAK_EVEN)
    pages = el("strong", show(entry(BREAK_EVEN).published))
    ours = "; ".join(f"{el('strong', format(even[m], '.1f'))} {m}" for m in machines)
    said = f"A flush of everything costs as much as flushing {pages} pages in the document."
    rows = [
        {"what": escape(row["what"])} | {m: show(row["ours"].get(m)) for m in machines}
        for row in found
    ]
    summary = (
        "The same on three machines: with a hashed table of translations in memory, as theirs, "
        "without it, and with a main TLB (<code>make flush</code>)"
    )
    shown = folded(summary, table(("what", *machines), rows, "own"))
    return el("p", f"{said}\nHere: {ours}.") + shown


def published_row(line: Line) -> dict[str, str]:
    e, cells = line.entry, view.cells(line)
    theirs = cells["the text"] if e.published is None else with_unit(e.published, e.unit)
    times = "" if line.times is None else f"{strip(line.times)} {cells['times']}"
    remarks = el("small", escape(cells["remarks"]), class_="reason") if cells["remarks"] else ""
    return {
        "figure": named(e.what, e.id, cells["machine"]) + remarks,
        "theirs": el("span", escape(theirs), title=cells["the text"]),
        "ours": "" if line.value is None else escape(with_unit(line.value, e.unit)),
        "ours ÷ theirs": times,
        "verdict": mark(line.verdict),
    }


def published(lines: list[Line]) -> str:
    counts = scoreboard.count(line for line in lines if line.counted)
    said = ", ".join(f"{n} {word}" for word, n in counts.items())
    rows = [published_row(line) for line in lines]
    return folded(f"Every number of the text beside ours: {said}",
                  table(tuple(rows[0]), rows, "published"))  # fmt: skip


def own(lines: list[dict]) -> str:
    numbers = (*view.GRANULES, "model", "unit")
    rows = [
        {"figure": named(line["what"], line["id"], line["cache"])}
        | {name: escape(line[name]) for name in numbers}
        for line in lines
    ]
    said = "figures that we measured beside it, at every page size and on two caches"
    shown = table(("figure", *numbers), rows, "own")
    return folded(f"{len(lines)} {said}; none is counted", shown, opened=False)


def document(c: Card, lines: list[Line], found: Evidence) -> str:
    """All that a card rests on."""
    number = c.claim.document
    who = f"Document {number}, {c.claim.who}" + (f" · {found.source}" if found.source else "")
    drawn = plots.of_rows(number, found.rows) + plots.series(found.series) if found.rows else []
    measured, kept = view.lines(found.rows), view.kept(found.rows)
    parts = [
        el("h2", escape(c.claim.claim)),
        el("p", escape(who), class_="who"),
        el("p", escape(c.claim.story)),
        beside(c),
        pictures(drawn),
        on_three() if number == "001" else "",
        published(lines),
        own(measured) if measured else "",
        el("p", escape(kept), class_="who") if kept else "",
        command(c.claim.command),
    ]
    return el("section", *parts, id=f"document-{number}")


def machine() -> str:
    """Results beside the documents, a table each, if they were measured."""
    found = []
    for other in OTHERS:
        if not (rows := other.rows()):
            continue
        columns = dict.fromkeys(k for row in rows for k, v in row.items() if v not in (None, ""))
        shown = [{name: show(value) for name, value in row.items()} for row in rows]
        drawn = pictures(plots.walk(rows) if other.name == "walk" else ())
        file = results.read(other.name)
        end = command(file["command"], f" · commit {escape(file['commit'])}")
        content = (el("p", other.text), drawn, table(tuple(columns), shown, "results"), end)
        found.append(folded(other.title, *content, opened=bool(drawn)))
    return el("section", el("h2", "The machine below"), *found, id="machine") if found else ""


def page(sections: list[tuple[Card, list[Line], Evidence]], head: str, summary: str) -> str:
    """All of it. `head`: the tally; `summary`: the demo's last lines."""
    return Template((FOLDER / "page.html").read_text()).substitute(
        style=(FOLDER / "page.css").read_text(),
        card_rule=escape(CARD_RULE),
        tally=head,
        cards="\n".join(front(card) for card, _, _ in sections),
        documents="\n\n".join(document(*section) for section in sections),
        rule=escape(judge.rule()),
        summary=el("pre", escape(summary)),
        machine=machine(),
        commit=escape(results.commit()),
    )
