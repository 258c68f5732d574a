"""The report as HTML: what repeats on the page. What does not stands in page.html."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from figures import judge, scoreboard, view
from figures.scoreboard import Line
from tools.report.cards import CARD_RULE, Card
from tools.report.charts import short
from tools.report.evidence import Section
from tools.report.plots import Picture
from tools.report.svg import element as el

FOLDER = Path(__file__).parent
HEADS = ("figure", "theirs", "ours", "ours ÷ theirs", "verdict")


def show(value) -> str:
    """A cell of a table whose columns are not known beforehand."""
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)


def cell(text: str, label: str | None = None, class_: str | None = None) -> str:
    return el("td", escape(text), data_label=label, class_=class_)


def table(heads: Iterable[str], lines: Iterable[str], class_: str | None = None) -> str:
    head = el("thead", el("tr", *(el("th", escape(name)) for name in heads)))
    return el("table", head, "\n", el("tbody", "\n".join(lines)), class_=class_)


def folded(summary: str, *content: str, opened: bool = True) -> str:
    """What a reader can fold away."""
    inside = (el("summary", summary), *content)
    return el("details", *inside, class_="table", open="" if opened else None) + "\n"


def verdict(style: str, symbol: str, name: str) -> str:
    mark = el("b", escape(symbol), aria_hidden="true")
    return el("span", mark, f" {escape(name)}", class_=f"verdict {style}")


def figure(picture: Picture) -> str:
    caption, svg = picture
    return el("figure", svg, el("figcaption", escape(caption)))


def command(text: str, more: str = "") -> str:
    return el("p", el("code", escape(text)), more, class_="command")


# ---- the head and the cards ----------------------------------------------------------------------
def tally(judged: list[Line], of: str) -> str:
    """How many have which verdict. `of`: the commit of a record, if they are none of this run."""
    counts = scoreboard.count(judged)
    number = sum(row.counted for row in judged)
    said = f"The texts measured {len(judged)} figures, of which {number} are judged"
    if of:
        measures = "(<code>make demo</code> measures them here):"
        said = f"{said} as docs/data records them, commit {escape(of)} {measures}"
    else:
        said = f"{said} by this run:"
    spans = [el("span", said)]
    for word in judge.WORDS:
        count = el("b", str(counts.get(word, 0)))
        spans.append(el("span", f"{count} {word}", class_=word.replace(" ", "-")))
    return el("p", "\n".join(spans), class_="tally")


def front(c: Card) -> str:
    """A card of the first screen."""
    words = el("span", escape(c.words), class_="words")
    result = f"{verdict(c.style, c.symbol, c.verdict)} {words}"
    return el(
        "article",
        el("p", escape(f"Document {c.claim.document} · {c.claim.who}"), class_="who"),
        el("h2", el("a", escape(c.claim.claim), href=f"#document-{c.claim.document}")),
        el("figure", c.plot),
        el("p", result, class_="result", data_verdict=c.verdict),
        command(c.claim.command),
        class_="card",
        id=f"card-{c.claim.document}",
    )


# ---- below: a section a document -----------------------------------------------------------------
def beside(c: Card) -> str:
    """Theirs and ours in a sentence."""
    if not c.measured:
        why = f" ({escape(c.reason)})" if c.reason else ""
        by = el("code", escape(c.claim.command))
        return el("p", f"Not measured yet: {by}{why}. {escape(c.why)}")
    places, found = "", c.row.found
    if found.placements:
        spread = f"{short(found.least)} to {short(found.most)}"
        places = f"; median of {found.placements} places of code and data, {spread}"
    ours = f"{el('strong', escape(c.ours))} here ({escape(c.place + places)})"
    why = f"; {escape(c.reason)}" if c.reason else ""
    judged = f"{verdict(c.style, c.symbol, c.verdict)} {escape(c.words)}{why}. {escape(c.why)}"
    return el("p", f"{el('strong', escape(c.theirs))} in the document, {ours}: {judged}")


def on_three(lines: list[dict], machines: list[str], break_even: dict) -> str:
    """What was measured on a machine that is like the document's, and on others."""
    pages = el("strong", escape(show(break_even["published"])))
    ours = "; ".join(f"{el('strong', format(break_even['ours'][m], '.1f'))} {m}" for m in machines)
    said = f"A flush of everything costs as much as flushing {pages} pages in the document."
    rows = []
    for line in lines:
        texts = [line["what"], *(show(line["ours"].get(machine)) for machine in machines)]
        rows.append(el("tr", *map(cell, texts)))
    summary = (
        "The same on three machines: with a hashed table of translations in memory, as theirs, "
        "without it, and with a main TLB (<code>make flush</code>)"
    )
    shown = table(("what", *machines), rows)
    return el("p", f"{said}\nHere: {ours}.") + folded(summary, shown)


def published_line(r: dict) -> str:
    machine = f", {r['machine']}" if r["machine"] else ""
    line = el(
        "tr",
        el("td", f"{escape(r['what'])} {el('small', escape(r['id'] + machine))}", class_="what"),
        el("td", escape(r["theirs"]), data_label="theirs", class_="theirs", title=r["the text"]),
        cell(r["mine"], "ours", "number"),
        el("td", r["strip"] + escape(r["times"]), data_label="ours ÷ theirs", class_="times"),
        el("td", verdict(r["style"], r["symbol"], r["verdict"]), data_label="verdict"),
        class_="explained" if r["remarks"] else None,
    )
    if not r["remarks"]:
        return line
    reason = el("td", escape(r["remarks"]), colspan=len(HEADS))
    return f"{line}\n{el('tr', reason, class_='reason')}"


def published(lines: list[dict], counts: dict[str, int]) -> str:
    said = ", ".join(f"{n} {word}" for word, n in counts.items())
    shown = table(HEADS, map(published_line, lines), "published")
    return folded(f"Every number of the text beside ours: {said}", shown)


def own(lines: list[dict]) -> str:
    """What we measured beside it."""
    rows = []
    for r in lines:
        named = f"{escape(r['what'])} {el('small', escape(r['id'] + ', ' + r['cache']))}"
        numbers = [cell(r[name], name, "number") for name in (*view.GRANULES, "model")]
        rows.append(el("tr", el("td", named, class_="what"), *numbers, cell(r["unit"], "unit")))
    shown = table(("figure", *view.GRANULES, "model", "unit"), rows)
    said = "figures that we measured beside it, at every page size and on two caches"
    return folded(f"{len(lines)} {said}; none is counted", shown, opened=False)


def document(s: dict) -> str:
    """All that a card rests on."""
    c = s["card"]
    who = f"Document {c.claim.document}, {c.claim.who}" + (f" · {c.source}" if c.source else "")
    pictures = "\n".join(map(figure, s["pictures"]))
    parts = [
        el("h2", escape(c.claim.claim)),
        el("p", escape(who), class_="who"),
        el("p", escape(c.claim.story)),
        beside(c),
        el("div", pictures, class_="pictures") if pictures else "",
        on_three(s["alike"], s["machines"], s["break_even"]) if s["alike"] else "",
        published(s["published"], s["counts"]) if s["published"] else "",
        own(s["own"]) if s["own"] else "",
        el("p", escape(s["kept"]), class_="who") if s["kept"] else "",
        command(c.claim.command),
    ]
    return el("section", *parts, id=f"document-{c.claim.document}")


def machine(others: list[tuple[Section, list[Picture]]]) -> str:
    """Results beside the documents, a table each."""
    found = []
    for s, drawn in others:
        rows = []
        for row in s.rows:
            cells = []
            for name in s.columns:
                value = row.get(name, "")
                class_ = "number" if isinstance(value, int | float) else None
                cells.append(cell(show(value), name, class_))
            rows.append(el("tr", *cells))
        pictures = [el("div", figure(picture), class_="pictures") for picture in drawn]
        end = command(s.command, f" · commit {escape(s.commit)}")
        content = (el("p", escape(s.text)), *pictures, table(s.columns, rows), end)
        found.append(folded(escape(s.title), *content, opened=bool(drawn)))
    title = el("h2", "The machine below")
    return el("section", title, *found, id="machine") if found else ""


def page(sections: list[dict], others: list[tuple[Section, list[Picture]]], head: str,
         summary: str, commit: str) -> str:  # fmt: skip
    """All of it. `head`: the tally; `summary`: the demo's last lines."""
    return Template((FOLDER / "page.html").read_text()).substitute(
        style=(FOLDER / "page.css").read_text(),
        card_rule=escape(CARD_RULE),
        tally=head,
        cards="\n".join(front(s["card"]) for s in sections),
        documents="\n\n".join(map(document, sections)),
        rule=escape(judge.rule()),
        summary=el("pre", escape(summary)),
        machine=machine(others),
        commit=escape(commit),
    )
