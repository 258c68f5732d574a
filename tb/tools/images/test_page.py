"""docs/page-size.md names places in the sources: they must be there."""

import re

import pytest

from figures.page import put
from support.run import ROOT
from tools.images.page import PAGE

# `sw/mm/early.c` `early_alloc`: a file and a word in it.
PLACE = re.compile(r"`(sw/[\w/.]+)`(?:\s+`(\w+)`)?")
CLASSES = re.compile(r"^\| (\d)\. .* \| (.*) \| (.*) \|$", re.MULTILINE)


def missing(text: str) -> list[str]:
    """Places that the text names and that are not there."""
    found = []
    for file, word in PLACE.findall(text):
        path = ROOT / file
        if not path.exists():
            found.append(file)
        elif word and not re.search(rf"\b{word}\b", path.read_text()):
            found.append(f"{file} {word}")
    return found


def test_every_place_is_there() -> None:
    text = PAGE.read_text()
    assert len(PLACE.findall(text)) >= 12
    assert not missing(text)


def test_each_class_of_problem_has_a_place_or_does_not_occur() -> None:
    rows = CLASSES.findall(PAGE.read_text())
    assert [number for number, _, _ in rows] == list("123456")
    for _, where, what in rows:
        assert where == "does not occur" or PLACE.search(where), where
        assert what


@pytest.mark.parametrize("place", ["`sw/mm/nowhere.c`", "`sw/mm/fork.c` `no_such_word`"])
def test_what_is_not_there_is_found(place: str) -> None:
    assert missing(place) == [place.replace("`", "")]


def test_the_page_has_room_for_its_tables() -> None:
    markers = ("forms", "va_bits", "code", "functions", "entry_sizes", "entry_choice")
    for marker in markers:
        assert f"<!-- {marker} -->\nhere\n<!--" in put(PAGE.read_text(), marker, "here")
