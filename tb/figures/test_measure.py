"""What a command measured is what the pages show."""

import pytest

from figures import measure
from figures.page import NoMarkers, put
from support import commits, results


def test_text_between_markers_is_replaced_and_nothing_else():
    for begin, end in (("x begin: why", "x end"), ("x", "/x")):
        page = f"before\n<!-- {begin} -->\n{{}}<!-- {end} -->\nafter\n"
        assert put(page.format("old\n"), "x", "new") == page.format("new\n")
        assert put(page.format(""), "x", "new") == page.format("new\n")
    with pytest.raises(NoMarkers, match="no markers <!-- y -->"):
        put(page, "y", "")


def test_a_record_goes_to_its_copy_and_its_pages(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "DOCS", tmp_path)
    monkeypatch.setattr(measure, "ROOT", tmp_path)
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    monkeypatch.setattr(commits, "FILE", tmp_path / "commits.json")
    (tmp_path / "data").mkdir()
    (tmp_path / "a.md").write_text("<!-- n -->\n<!-- /n -->\n")
    shows = {("a.md", "n"): lambda r: str(len(r["figures"])), ("b.md", ""): measure.commit_of}
    measured = measure.Measured("n", "make n", "c", shows)
    with pytest.raises(measure.Failed, match=r"n.json is missing; make n writes it"):
        measured.publish()
    monkeypatch.setattr(commits, "digests", lambda: dict.fromkeys(commits.PARTS, "0123456789"))
    measured.record([{"a": 1}, {"a": 2}])
    assert commits.is_built(results.commit())
    assert measured.recorded()["figures"] == [{"a": 1}, {"a": 2}]
    assert (tmp_path / "a.md").read_text() == "<!-- n -->\n2\n<!-- /n -->\n"
    assert (tmp_path / "b.md").read_text() == f"C{commits.said(results.commit())[1:]}."
    assert measured.pages(measured.recorded())[tmp_path / "a.md"] == (tmp_path / "a.md").read_text()


def test_a_boot_that_fails_says_which(tmp_path):
    with pytest.raises(measure.Failed, match="nothing: pagesize=4k: no simulator"):
        measure.Boot("pagesize=4k", "nothing").values()
    ended = []
    assert measure.at_once(2, lambda n: ended.append(n) or -n, [1, 2, 3]) == [-1, -2, -3]
    assert sorted(ended) == [1, 2, 3]
