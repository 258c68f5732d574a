"""What keeps a release back is said; the pages of today have today's version."""

from support.root import ROOT
from tools.dist import pack, release


def test_pages_have_the_version_of_the_package():
    assert release.other_versions(ROOT, pack.version()) == []


def test_what_is_stale_or_changed_keeps_it_back():
    assert release.problems({}, "0123456789") == []
    (said,) = release.problems({"H4.1": "to be measured"}, "0123456789")
    assert said == "docs/data/stale.toml lists H4.1: to be measured"
    assert release.problems({}, "0123456789-dirty") == ["files are changed and not committed"]


def test_a_page_of_another_version_is_named(tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 9.0.0\n\n## 0.1.0\n")
    (tmp_path / "CITATION.cff").write_text("version: 9.1.0\n")
    (said,) = release.other_versions(tmp_path, "9.1.0")
    assert said == "CHANGELOG.md says 9.0.0, pyproject.toml 9.1.0"
