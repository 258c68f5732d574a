"""Text of a page that a command writes: tables, and what stands between two markers. As `make
report` does, it needs Python only."""

import re
from collections.abc import Iterable, Sequence


class NoMarkers(ValueError):
    """The page has no place for the text."""


RULES = {"l": "---", "r": "--:"}


def table(head: Sequence, lines: Iterable[Sequence], align: str = "l", *, tight=False) -> str:
    """Markdown. `align`: l or r for each column; the last letter is for all that follow."""
    rules = [RULES[letter] for letter in align.ljust(len(head), align[-1])]
    rule = f"|{'|'.join(rules)}|" if tight else f"| {' | '.join(rules)} |"
    first, *others = (f"| {' | '.join(map(str, line))} |" for line in (head, *lines))
    return "\n".join([first, rule, *others])


def put(text: str, marker: str, content: str) -> str:
    """The text with other content between `<!-- MARKER -->` and `<!-- /MARKER -->`, or between
    `<!-- MARKER begin: who writes it -->` and `<!-- MARKER end -->`."""
    begin, end = rf"<!-- {marker}(?: begin[^>]*)? -->\n", rf"<!-- (?:/{marker}|{marker} end) -->"
    whole = re.compile(f"({begin}).*?({end})", re.DOTALL)
    made, count = whole.subn(lambda m: f"{m[1]}{content}\n{m[2]}", text)
    if not count:
        raise NoMarkers(f"the page has no markers <!-- {marker} --> ... <!-- /{marker} -->")
    return made
