"""The report as HTML: what repeats on the page. What does not stands in page.html."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from figures import judge, view
from tools.report.cards import CARD_RULE, GROUPS, Card
from tools.report.charts import short
from tools.report.evidence import Section
from tools.report.plots import Picture
from tools.report.svg import element as el

FOLDER = Path(__file__).parent
TALLY = {
    judge.NEAR: "between half and twice",
    judge.DIRECTION: "same direction, other size",
    judge.OTHER: "neither",
    judge.OPEN: "not measured",
}
HEADS = ("figure", "theirs", *(f"ours, {g}" for g in view.GRANULES), "ours ÷ theirs", "verdict")


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


def verdict(name: str, symbol: str) -> str:
    mark = el("b", escape(symbol), aria_hidden="true")
    return el("span", mark, f" {escape(name)}", class_=f"verdict {name}")


def figure(picture: Picture) -> str:
    caption, svg = picture
    return el("figure", svg, el("figcaption", escape(caption)))


def command(text: str, more: str = "") -> str:
    return el("p", el("code", escape(text)), more, class_="command")


# ---- the head and the cards ----------------------------------------------------------------------
def tally(counts: dict[str, int], of: str, full: str, more: int | None) -> str:
    """How close the figures came. `of`: the commit of a record, if they are none of this run;
    `more`: what the command `full` compares."""
    said = "All published figures that this run compares:"
    if of:
        measures = "(<code>make demo</code> measures them here):"
        said = f"All published figures as docs/data records them, commit {escape(of)} {measures}"
    spans = [el("span", said)]
    for group in GROUPS:
        number = el("b", str(counts.get(group, 0)))
        spans.append(el("span", f"{number} {TALLY[group]}", class_=group.replace(" ", "-")))
    if more:
        spans.append(el("span", f"(<code>{full}</code> compares {more})"))
    return el("p", "\n".join(spans), class_="tally")


def front(c: Card) -> str:
    """A card of the first screen."""
    result = f"{verdict(c.verdict, c.symbol)} {el('span', escape(c.words), class_='words')}"
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
        why = f" ({escape(c.reason)})" if c.reason not in ("", "not measured yet") else ""
        return el("p", f"Not measured yet: <code>make demo</code>{why}.")
    places = ""
    if c.row.placements:
        spread = f"{short(c.row.least)} to {short(c.row.most)}"
        places = f"; median of {c.row.placements} places of code and data, {spread}"
    ours = f"{el('strong', escape(c.ours))} here ({escape(c.place + places)})"
    why = f", because {escape(c.reason)}" if c.reason else ""
    judged = f"{verdict(c.verdict, c.symbol)} {escape(c.words)}{why}."
    return el("p", f"{el('strong', escape(c.theirs))} in the document, {ours}: {judged}")


def like_theirs(lines: list[dict], machines: list[str], break_even: dict) -> str:
    """The same figures on a machine that is like the document's."""
    pages = el("strong", escape(show(break_even["published"])))
    ours = "; ".join(f"{el('strong', format(break_even['ours'][m], '.1f'))} {m}" for m in machines)
    said = f"A flush of everything costs as much as flushing {pages} pages in the document."
    rows = []
    for line in lines:
        texts = [line["id"], line["what"], show(line["published"])]
        texts += [show(line["ours"].get(machine)) for machine in machines]
        rows.append(el("tr", *map(cell, [*texts, line["verdict"]])))
    summary = (
        "On a machine like theirs, with a hashed table of translations in memory "
        "(<code>make flush</code>)"
    )
    heads = ("", "what", "document", *machines, "verdict")
    return el("p", f"{said}\nHere: {ours}.") + folded(summary, table(heads, rows))


def published_line(r: dict) -> str:
    cache = f", {r['cache']}" if r["cache"] and r["cache"] != "the document's" else ""
    said = verdict(r["verdict"], r["symbol"]) if r["verdict"] else ""
    if r["judged"]:
        said += f" {el('small', escape('by ' + r['judged']))}"
    ours = []
    for granule in view.GRANULES:
        same = " same" if r[granule] == "same" else ""
        ours.append(cell(r[granule], f"ours, {granule}", f"number{same}"))
    notes = [r["reason"]] if r["reason"] else []
    if r["spread"]:
        notes.append(f"spread over places of code and data: {r['spread']}")
    line = el(
        "tr",
        el("td", f"{escape(r['what'])} {el('small', escape(r['id'] + cache))}", class_="what"),
        el("td", escape(r["theirs"]), data_label="theirs", class_="theirs", title=r["printed"]),
        *ours,
        el("td", r["strip"] + escape(r["times"]), data_label="ours ÷ theirs", class_="times"),
        el("td", said, data_label="verdict"),
        class_="explained" if notes else None,
    )
    if not notes:
        return line
    reason = el("td", escape(" · ".join(notes)), colspan=len(HEADS))
    return f"{line}\n{el('tr', reason, class_='reason')}"


def published(lines: list[dict], counts: dict[str, int]) -> str:
    said = ", ".join(f"{counts[group]} {group.lower()}" for group in GROUPS if counts[group])
    shown = table(HEADS, map(published_line, lines), "published")
    return folded(f"Every published figure beside ours: {said}", shown)


def own(lines: list[dict]) -> str:
    """What we measured beside it."""
    rows = []
    for r in lines:
        named = f"{escape(r['what'])} {el('small', escape(r['id'] + ', ' + r['cache']))}"
        numbers = [cell(r[name], name, "number") for name in (*view.GRANULES, "model")]
        rows.append(el("tr", el("td", named, class_="what"), *numbers, cell(r["unit"], "unit")))
    shown = table(("figure", *view.GRANULES, "model", "unit"), rows)
    return folded(f"{len(lines)} more that we measured beside it", shown, opened=False)


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
        like_theirs(s["alike"], s["machines"], s["break_even"]) if s["alike"] else "",
        published(s["published"], c.counts) if s["published"] else "",
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
        rule=escape(judge.RULE),
        summary=el("pre", escape(summary)) if summary else "",
        machine=machine(others),
        commit=escape(commit),
    )
