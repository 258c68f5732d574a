"""Tests of one xdist_group share a process, and so what they boot once. xdist tells by a name that
it gives a test; with a pytest that keeps the old name every process boots for itself."""

import re
import sys
from pathlib import Path

from support.host import output

TESTS = """
import time
import pytest

@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize(
    "group", [pytest.param(g, marks=pytest.mark.xdist_group(g)) for g in ("one", "two")]
)
def test_it(group, turn):
    time.sleep(0.1)
"""


def test_a_group_stays_in_one_process(tmp_path: Path):
    (tmp_path / "test_it.py").write_text(TESTS)
    words = ("-m", "pytest", "-v", "-n", "2", "--dist", "loadgroup", tmp_path)
    said = output(sys.executable, *words, cwd=tmp_path)
    ran = re.findall(r"^\[(\w+)\].* PASSED .*::test_it\[(?:\d-)?(one|two)", said, re.M)
    assert len(ran) == 6, said
    assert len(set(ran)) == 2, f"a group is in several processes: {sorted(ran)}"
