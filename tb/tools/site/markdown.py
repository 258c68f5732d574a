"""A page of Markdown: its headings as GitHub names them, its links with their lines, its HTML."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")
# Letters of a cell from which on it wants a width of its own (style.css).
WORDS, SENTENCES = 20, 80


@dataclass
class Link:
    line: int
    target: str  # as it is written
    token: Token
    attribute: str  # of the token: href or src

    def point_to(self, address: str) -> None:
        self.token.attrSet(self.attribute, address)


@dataclass
class Page:
    path: Path
    tokens: list[Token]
    title: str = ""
    anchors: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)

    def html(self) -> str:
        return PARSER.renderer.render(self.tokens, PARSER.options, {})


def slug(heading: str) -> str:
    """What GitHub makes of it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def said(inline: Token) -> str:
    """The words of a heading or a link, without their marks."""
    return "".join(child.content for child in inline.children or [])


def read(path: Path) -> Page:
    text = path.read_text()
    page = Page(path, PARSER.parse(text))
    lines = text.splitlines()
    first = 0
    for before, token in zip([Token("", "", 0), *page.tokens], page.tokens, strict=False):
        first = token.map[0] if token.map else first
        if before.type == "heading_open":
            words = said(token)
            page.title = page.title or words
            before.attrSet("id", _unused(slug(words), page.anchors))
        if before.type == "td_open" and len(said(token)) >= WORDS:
            before.attrSet("class", "sentences" if len(said(token)) >= SENTENCES else "words")
        for child in token.children or []:
            attribute = {"link_open": "href", "image": "src"}.get(child.type)
            if attribute:
                target = unquote(str(child.attrGet(attribute)))
                page.links.append(Link(_line(lines, first, target), target, child, attribute))
    return page


def _unused(name: str, anchors: set[str]) -> str:
    """The second heading of one name ends in -1."""
    number, unused = 0, name
    while unused in anchors:
        number += 1
        unused = f"{name}-{number}"
    anchors.add(unused)
    return unused


def _line(lines: list[str], first: int, target: str) -> int:
    """A paragraph knows where it begins; the target is on that line or on a later one."""
    return next((n for n in range(first, len(lines)) if target in unquote(lines[n])), first) + 1
