"""Which tests of a module run, and on which Verilog."""

import os
import re

import pytest

from support import run
from support.run import only

NAMES = ["unit.x.reads", "unit.x.reads/write=True", "unit.x.long_reads", "unit.x.reads_all"]


def test_names_choose_tests_and_their_parameters():
    chosen = [name for name in NAMES if re.search(only(["reads", "writes"]), name)]
    assert chosen == ["unit.x.reads", "unit.x.reads/write=True"]


def test_one_name_is_no_list():
    with pytest.raises(TypeError, match="'reads' is one name; a list"):
        only("reads")


def test_verilog_that_is_older_than_its_sources_is_made_again(tmp_path, monkeypatch):
    """Of a unit that `make verilog` does not make by itself."""
    asked = []
    monkeypatch.setattr(run, "RTL", tmp_path)
    monkeypatch.setattr(run, "built", lambda *target: asked.append(target))
    path = tmp_path / "mmu_teaching_hashed.v"
    for time, again in ((1, [("verilog", "UNITS=mmu:teaching_hashed")]), (None, [])):
        path.touch()
        os.utime(path, time and (time, time))
        asked.clear()
        assert run.verilog("mmu", "teaching_hashed") == path
        assert asked == [("verilog",), *again]
