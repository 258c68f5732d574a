"""The tables of `make demo`: all can be read, on a terminal of 110 columns or more."""

import json
from io import StringIO

import pytest
from rich.console import Console

from figures import view
from figures.rows import Row
from support.root import ROOT
from tools.demo.run import FILE_WIDTH, table

RECORDED = json.loads((ROOT / "docs" / "data" / "demo.json").read_text())["figures"]


def printed(document: str, width: int) -> str:
    rows = [Row.of_json(row) for row in RECORDED if row["document"] == document]
    console = Console(width=width, file=StringIO(), soft_wrap=True)
    console.print(table(view.TITLES[document], rows, width))
    return console.file.getvalue()


@pytest.mark.parametrize("document", view.DOCUMENTS)
@pytest.mark.parametrize("width", [110, 120, FILE_WIDTH])
def test_nothing_is_cut_off(document: str, width: int) -> None:
    text = printed(document, width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    words = {word.strip("┃ ") for word in text.splitlines()[2].split("┃")}
    assert {"id", "what", "cache", *view.GRANULES, "published", "verdict"} <= words


def test_a_wide_terminal_has_the_reasons() -> None:
    wide, narrow = printed("001", FILE_WIDTH), printed("001", 110)
    assert "the other regime" in wide and "reason" not in narrow
