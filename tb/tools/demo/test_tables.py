"""The tables of `make demo`: all can be read, on a terminal of 110 columns or more."""

import json
from io import StringIO

import pytest
from rich.console import Console
from rich.table import Table

from figures import scoreboard, view
from figures.rows import Row
from support.root import ROOT
from tools.demo.run import FILE_WIDTH, board_table, table

RECORDED = json.loads((ROOT / "docs" / "data" / "demo.json").read_text())["figures"]


def printed(shown: Table, width: int) -> str:
    console = Console(width=width, file=StringIO(), soft_wrap=True)
    console.print(shown)
    return console.file.getvalue()


def heads(text: str) -> set[str]:
    line = next(line for line in text.splitlines() if "┃" in line)
    return {word.strip("┃ ") for word in line.split("┃")}


def whole(text: str, width: int) -> bool:
    return "…" not in text and max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize("document", view.DOCUMENTS)
@pytest.mark.parametrize("width", [110, 120, FILE_WIDTH])
def test_nothing_is_cut_off(document: str, width: int) -> None:
    rows = [Row.of_json(row) for row in RECORDED if row["document"] == document]
    text = printed(table(view.TITLES[document], rows, width), width)
    assert whole(text, width)
    assert {"id", "what", "cache", *view.GRANULES} <= heads(text)


@pytest.mark.parametrize("width", [110, 120, FILE_WIDTH])
def test_the_scoreboard_is_whole_and_a_wide_one_has_the_remarks(width: int) -> None:
    text = printed(board_table(scoreboard.lines(), width), width)
    assert whole(text, width)
    assert {"id", "what", "verdict", "published", "ours", "times"} <= heads(text)
    assert ("remarks" in heads(text)) == (width == FILE_WIDTH)
