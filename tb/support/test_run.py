"""Which tests of a module run."""

import re

import pytest

from support.run import only

NAMES = ["unit.x.reads", "unit.x.reads/write=True", "unit.x.long_reads", "unit.x.reads_all"]


def test_names_choose_tests_and_their_parameters():
    chosen = [name for name in NAMES if re.search(only(["reads", "writes"]), name)]
    assert chosen == ["unit.x.reads", "unit.x.reads/write=True"]


def test_one_name_is_no_list():
    with pytest.raises(TypeError, match="'reads' is one name; a list"):
        only("reads")
