"""Where a link of a page leads in the site, and which lead nowhere."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from tools.site.markdown import Link, Page

OUTSIDE = re.compile(r"[a-z]+:")
PICTURES = {".svg", ".gif"}
NOT_SOURCES = {"build", "out", ".venv", ".git"}


class Broken(Exception):
    """A line a link."""


def place(path: Path) -> Path:
    """Where a file or folder of the checkout stands in the site; `path` is relative to its root."""
    if path.name == "README.md":
        return path.parent / "index.html"
    if path.suffix == ".md":
        return path.with_suffix(".html")
    # Hosts leave out folders whose names begin with a dot.
    return path if path.suffix in PICTURES else Path("source") / f"{path}.html".lstrip(".")


def between(here: Path, there: Path) -> str:
    return os.path.relpath(there, here.parent)


@dataclass
class Resolver:
    """Turns links into addresses within the site and keeps what they need."""

    root: Path
    pages: dict[Path, Page]  # by path relative to root

    def __post_init__(self) -> None:
        self.files: set[Path] = set()
        self.broken: list[str] = []

    def resolve(self, page: Path, link: Link) -> None:
        if OUTSIDE.match(link.target):
            return
        name, _, anchor = link.target.partition("#")
        wanted = (self.root / page.parent / name).resolve() if name else self.root / page
        reason = self._reason(wanted, anchor)
        if reason:
            self.broken.append(f"{page}:{link.line}: {link.target}: {reason}")
            return
        path = self._page_of(wanted.relative_to(self.root))
        if path not in self.pages:
            self.files.add(path)
        address = between(place(page), place(path)) if path != page else ""
        link.point_to(address + (f"#{anchor}" if anchor else "") or place(page).name)

    def _page_of(self, path: Path) -> Path:
        """A folder's README stands for it."""
        return path / "README.md" if path / "README.md" in self.pages else path

    def _reason(self, wanted: Path, anchor: str) -> str:
        """Why a link is broken; empty if it is not."""
        if not wanted.is_relative_to(self.root):
            return "it leaves the repository"
        path = self._page_of(wanted.relative_to(self.root))
        if not wanted.exists() or path.parts and path.parts[0] in NOT_SOURCES:
            return "no such file"
        if path.suffix == ".md" and path not in self.pages:
            return "a page that the site does not have (tb/tools/site/build.py names its pages)"
        if not anchor:
            return ""
        if path in self.pages:
            return "" if anchor in self.pages[path].anchors else "no such heading"
        line = re.fullmatch(r"L(\d+)", anchor)
        there = path.suffix not in PICTURES and wanted.is_file() and line
        return "" if there and 0 < int(line[1]) <= lines(wanted) else "no such line"


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


class _Html(HTMLParser):
    """The identifiers of a page, and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value is not None:
                self.links.append((self.getpos()[0], value))


def check_site(site: Path, but: Callable[[Path], bool] = lambda path: False) -> list[str]:
    """Broken links of the finished folder; `but` names pages that scripts write."""
    read: dict[Path, _Html] = {}
    for path in site.rglob("*.html"):
        read[path.resolve()] = parser = _Html()
        parser.feed(path.read_text())
    found = []
    for path, parser in sorted(read.items()):
        for line, target in parser.links:
            if OUTSIDE.match(target) or but(path):
                continue
            name, _, anchor = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            missing = anchor and there in read and anchor not in read[there].anchors
            if not there.is_file() or missing and not but(there):
                found.append(f"{path.relative_to(site.resolve())}:{line}: {target}: leads nowhere")
    return found
