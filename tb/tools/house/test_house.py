"""The counts of `make house`."""

import pytest

from tools.house import run


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("val a = if (config.pmp) b else c", 1),
        ("when(a) { b := c } // if and match\n/* generate */", 0),
        ('val a = (p > 0) generate in(Bool())\nx match { case "if" => y }', 2),
        ("field.map(_.bool(word)).getOrElse(False)", 1),
    ],
)
def test_branches_are_of_code_that_writes_circuits(text, wanted):
    assert run.branches(text) == wanted


def test_routes_name_files_that_are_there():
    assert all(path.exists() for paths in run.routes().values() for path in paths)
