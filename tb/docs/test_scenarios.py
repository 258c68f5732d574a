"""docs/scenarios.md names tests that exist."""

import re

from support.run import ROOT

NAMES = sorted(set(re.findall(r"`([a-z_0-9/]+)::([a-z_0-9]+)`", (ROOT / "docs/scenarios.md")
                              .read_text())))  # fmt: skip


def test_named_tests_exist():
    assert NAMES
    for file, test in NAMES:
        text = (ROOT / "tb" / f"{file}.py").read_text()
        assert re.search(rf"^(async )?def {test}\(", text, re.MULTILINE), f"{file} has no {test}"
