"""The page of lab 0 gets every sheet as `make lab` prints it."""

import json

import pytest

from labs import answers, lab0
from labs.seed import Seed
from tools.web import lab0 as page


@pytest.mark.parametrize("name", ["anna", "bert", "student 7"])
def test_a_sheet_of_the_page_is_that_of_the_name(name) -> None:
    """Questions, points and right answers, and every number that is printed."""
    printed = lab0.sheet(Seed(name, 0))
    shown = page.sheet(lab0.sheet_number(name))
    walks = shown["walks"].values()
    parts = [*shown["predict"], *(part for walk in walks for part in walk["parts"])]
    assert {part["id"]: part["key"] for part in parts} == answers.key(printed)
    both = [*parts, *shown["explain"]]
    assert [(p["id"], p["points"], p["asks"]) for p in both] == [
        (part.id, part.points, part.asks) for part in printed.parts]  # fmt: skip
    for walk in walks:
        assert walk["va"] in printed.given and walk["registers"]["ttbr0"] in printed.given
        assert all(f"{at}: {word}" in printed.given for at, word in walk["words"])


def test_the_page_has_all_sheets_and_what_must_be_known() -> None:
    content = json.loads(page.content())
    assert len(content["sheets"]) == lab0.SHEETS
    assert "plus 8 times the index" in content["know"]
