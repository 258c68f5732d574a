"""The tables of translation vectors say what is in the files."""

import re

import pytest

from support.root import ROOT
from tools.report import vectors

BY_AUTHORITY = vectors.by_authority()


def test_every_file_has_an_authority():
    assert {one.authority for one in vectors.counted()} == set(vectors.AUTHORITIES)
    assert sum(BY_AUTHORITY.values()) == sum(one.file.checks for one in vectors.counted())


@pytest.mark.parametrize(("page", "text"), vectors.pages().items(), ids=["sources", "README"])
def test_a_page_has_todays_table(page, text):
    """tb/tools/report/vectors.py writes it."""
    assert page.read_text() == text


def test_verification_md_has_the_same_count():
    """Of its row about `make conformance`."""
    text = (ROOT / "docs" / "verification.md").read_text()
    row = re.search(r"^\| `make conformance` \| ([\d,]+) checks", text, re.M)
    assert row[1] == f"{sum(BY_AUTHORITY.values()):,}"
