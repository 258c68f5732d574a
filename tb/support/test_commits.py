"""What a page says of the commit that its figures are of."""

import json

import pytest

from support import commits, results


@pytest.fixture(name="root")
def fixture_root(tmp_path, monkeypatch):
    monkeypatch.setattr(commits, "ROOT", tmp_path)
    monkeypatch.setattr(commits, "FILE", tmp_path / "commits.json")
    for names in commits.PARTS.values():
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(name)
    return tmp_path


def test_a_commit_is_noted_with_what_was_built_of_it(root):
    (root / "figures.json").write_text(json.dumps({"commit": "0123456789"}))
    commits.FILE.write_text(json.dumps({"0123456789": {"day": "2026-01-02"}, "unnamed": {}}))
    now = results.commit()
    commits.note("of another checkout")
    assert set(commits.known()) == {"0123456789", "unnamed"}
    commits.note(now)
    assert set(commits.known()) == {"0123456789", now}
    line = commits.known()[now]
    assert commits.is_built(now) and not commits.is_built("unnamed")
    assert f"commit {now} of {line['day']} (Verilog {line['Verilog']}, " in commits.said(now)
    (root / "build/sw/granule.elf").write_text("other")
    assert not commits.is_built(now)


def test_without_a_build_nothing_is_noted(root):
    (root / "build/sw/granule.elf").unlink()
    commits.note(results.commit())
    assert not commits.FILE.exists() and commits.said("abc") == "commit abc"


def test_where_a_line_of_scala_stands_does_not_change_the_digest():
    """Files were merged and moved, and what was built of them stayed."""
    old = b"wire when_Walker_l46;\nassign _zz_when_Walker_l46_1 = when_Walker_l46 && a;"
    new = b"wire when_Step_l9;\nassign _zz_when_Step_l9_1 = when_Step_l9 && a;"
    assert commits.without_places(old) == commits.without_places(new)
    assert commits.without_places(old) != commits.without_places(
        new.replace(b"_l9 &&", b"_l9_1 &&")
    )
