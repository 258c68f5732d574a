"""Imports go one way. docs/verification.md has the order of the folders of rtl, tb and sw; this
draws the graph of imports from the sources and fails on an arrow that goes back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.run import ROOT

PAGE = ROOT / "docs" / "verification.md"
ORDER = re.compile(r"^```order (\w+)\n(.*?)^```$", re.M | re.S)
# In the page: `a < b` b may import a; `a, b` neither imports the other.
Order = dict[str, int]  # room -> step
Arrow = tuple[Path, str]  # a file, and the room that it imports


def order(tree: str) -> Order:
    text = dict(ORDER.findall(PAGE.read_text()))[tree]
    steps = [[room.strip() for room in step.split(",")] for step in text.split("<")]
    return {room: number for number, rooms in enumerate(steps) for room in rooms}


def room_of(path: Path, top: Path, rooms: Order) -> str:
    """The innermost room that a file is in; its first folder when it is in none."""
    names = [str(place) for place in (path.relative_to(top), *path.relative_to(top).parents)]
    return next((name for name in names if name in rooms), names[-2])


def scala(rooms: Order) -> Iterator[Arrow]:
    for top in ("rtl/src/granule", "rtl/bench"):
        for path in (ROOT / top).rglob("*.scala"):
            text = re.sub(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"", "", path.read_text(), flags=re.S)
            for name in re.findall(r"(?<![\w.])granule\.([a-z]+)\.(?=[A-Z_{])", text):
                yield path, name


def python(rooms: Order) -> Iterator[Arrow]:
    """A name that is imported may be a module, or a thing of the module before it."""
    top = ROOT / "tb"
    for path in top.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                place = top / name.replace(".", "/")
                if (top / name.split(".")[0]).is_dir():
                    yield path, room_of(place, top, rooms)


def headers(rooms: Order) -> Iterator[Arrow]:
    """Of the folders where the compiler looks; generated headers are in none of them."""
    top = ROOT / "sw"
    for path in top.rglob("*.[chS]"):
        for name in re.findall(r'^\s*#\s*include "(.*?)"', path.read_text(), re.M):
            for folder in (path.parent, top, top / "include", top / "tests"):
                if (folder / name).exists():
                    yield path, room_of((folder / name).resolve(), top, rooms)
                    break


TREES = {"rtl": scala, "tb": python, "sw": headers}


def home(path: Path, tree: str, rooms: Order) -> str:
    if tree == "rtl":
        return path.parent.name
    return room_of(path, ROOT / tree, rooms)


@pytest.mark.parametrize("tree", TREES)
def test_imports_go_one_way(tree: str) -> None:
    rooms = order(tree)
    seen, back = set(), []
    for path, target in TREES[tree](rooms):
        source = home(path, tree, rooms)
        assert source in rooms, f"{path.relative_to(ROOT)}: {PAGE.name} has no room '{source}'"
        assert target in rooms, f"{path.relative_to(ROOT)}: {PAGE.name} has no room '{target}'"
        seen |= {source, target}
        if source != target and rooms[target] >= rooms[source]:
            back.append(f"{path.relative_to(ROOT)}: {source} imports {target}")
    assert not back, "\n".join(sorted(set(back)))
    assert seen == set(rooms), f"rooms without an arrow: {sorted(set(rooms) - seen)}"
