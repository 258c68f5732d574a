"""What stands around the text of every page."""

import html
import re
from pathlib import Path
from string import Template

from tools.site.links import between
from tools.site.navigation import Entry, Group

TEMPLATE = Template((Path(__file__).parent / "page.html").read_text())
STYLE = Path("style.css")
START = Path("index.html")


def framed(here: Path, title: str, text: str, groups: list[Group]) -> str:
    return TEMPLATE.substitute(
        title=html.escape(title),
        style=between(here, STYLE),
        start=between(here, START),
        text=text,
        groups="\n".join(_group(here, group) for group in groups),
    )


def _group(here: Path, group: Group) -> str:
    entries = "".join(f"<li>{_entry(here, entry)}</li>\n" for entry in group.entries)
    return f"<h2>{html.escape(group.title)}</h2>\n<ul>\n{entries}</ul>"


def _entry(here: Path, entry: Entry) -> str:
    mark = ' aria-current="page"' if entry.address == here else ""
    return f'<a href="{between(here, entry.address)}"{mark}>{html.escape(entry.title)}</a>'


def scrolling(text: str) -> str:
    """Wide tables and listings scroll by themselves, by keyboard too."""
    text = text.replace("<table", '<div class="wide" tabindex="0"><table')
    text = text.replace("</table>", "</table></div>")
    return text.replace("<pre>", '<pre tabindex="0">')


def listing(name: str, text: str) -> str:
    """A source file; line 12 is #L12."""
    numbered = "\n".join(
        f'<span id="L{n}">{html.escape(line)}</span>'
        for n, line in enumerate(text.splitlines(), start=1)
    )
    return f'<h1>{html.escape(name)}</h1>\n<pre class="source" tabindex="0">{numbered}</pre>'


def folder(name: str, entries: list[Entry], here: Path) -> str:
    items = "".join(f"<li>{_entry(here, entry)}</li>\n" for entry in entries)
    return f"<h1>{html.escape(name)}</h1>\n<ul>\n{items}</ul>"


def registers(title: str, page: str) -> str:
    """The table of a page that regif wrote; its style, head and foot stay behind."""
    found = re.search(r"<body>.*?(<table.*</table>).*</body>", page, re.S)
    if not found:
        raise ValueError("no table in its <body>; make includes writes it again")
    return f'<h1>{html.escape(title)}</h1>\n<div class="registers">\n{found[1]}\n</div>'
