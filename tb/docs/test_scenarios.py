"""docs/scenarios.md names tests that exist."""

import re

import pytest

from support.run import ROOT

NAMES = sorted(set(re.findall(r"`([a-z_0-9/]+)::([a-z_0-9]+)`", (ROOT / "docs/scenarios.md")
                              .read_text())))  # fmt: skip


def test_the_page_names_tests():
    assert len(NAMES) > 40


@pytest.mark.parametrize("file, test", NAMES)
def test_named_test_exists(file, test):
    text = (ROOT / "tb" / f"{file}.py").read_text()
    assert re.search(rf"^(async )?def {test}\(", text, re.MULTILINE), f"{file} has no {test}"
