"""Programs and Verilog that are made again, or that several processes want at once."""

import os

from support import host, run


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


def test_a_program_has_its_name_when_it_is_whole(tmp_path):
    """Another process may start the old one meanwhile."""
    output = tmp_path / "program"
    for text in ("old", "new"):
        with host.whole(output) as part:
            part.write_text(text)
            assert not output.exists() or output.read_text() == "old"
        assert output.read_text() == text and list(tmp_path.iterdir()) == [output]
