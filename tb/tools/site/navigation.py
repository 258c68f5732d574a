"""The groups of pages: README's sections, by the pages that each names first."""

from dataclasses import dataclass
from os.path import normpath
from pathlib import Path

from tools.site.links import place
from tools.site.markdown import Page, said

START = Path("README.md")


@dataclass(frozen=True)
class Entry:
    title: str
    address: Path  # within the site


@dataclass
class Group:
    title: str
    entries: list[Entry]


def groups(pages: dict[Path, Page]) -> list[Group]:
    """A folder with a README is a group of its own; what README never names comes last."""
    start = pages[START]
    folders = [path.parent for path in pages if path.name == START.name and path != START]
    left = {path for path in pages if path != START and path.parent not in folders}
    found = [Group("Start", [Entry(start.title, place(START))])]
    for title, targets in _sections(start):
        named = [path for path in dict.fromkeys(targets) if path in left]
        left -= set(named)
        if title == start.title:
            found[0].entries.extend(_entries(pages, named))
        elif named:
            found.append(Group(title, _entries(pages, named)))
    for folder in folders:
        inside = [path for path in pages if path.parent == folder]
        first = sorted(inside, key=lambda path: (path.name != START.name, _natural(path)))
        found.append(Group(pages[folder / START.name].title, _entries(pages, first)))
    if left:
        found.append(Group("More", _entries(pages, sorted(left))))
    return found


def _entries(pages: dict[Path, Page], paths: list[Path]) -> list[Entry]:
    return [Entry(pages[path].title, place(path)) for path in paths]


def _natural(path: Path) -> tuple[int, str]:
    """lab10 after lab9."""
    return len(path.name), path.name


def _sections(page: Page) -> list[tuple[str, list[Path]]]:
    """Its headings, and whole pages (not places in them) that stand below each."""
    found: list[tuple[str, list[Path]]] = []
    heading = False
    for token in page.tokens:
        if token.type == "inline" and heading:
            found.append((said(token), []))
        heading = token.type == "heading_open"
        for child in token.children or []:
            target = str(child.attrGet("href")) if child.type == "link_open" else ""
            if target and "#" not in target:
                found[-1][1].append(Path(normpath(page.path.parent / target)))
    root = page.path.parent
    inside = [(title, [p for p in paths if p.is_relative_to(root)]) for title, paths in found]
    return [(title, [path.relative_to(root) for path in paths]) for title, paths in inside]
