"""The report shows what was measured and names what was not; the README's tables are Markdown."""

import contextlib
import io
import json
import re
from pathlib import Path

import matplotlib
import pytest
from click.testing import CliRunner

from figures import judge, view
from figures import rows as figures_rows
from figures.rows import recorded, row_of
from figures.test_rows import figure
from support import results
from support.bare import fixture_bare, make  # noqa: F401
from support.root import ROOT
from tools.report import plots, publish, vectors
from tools.report import run as report
from tools.report.cards import CLAIMS, card, with_unit

FOUND = [row_of(figure(id="H0.1", value=1.1361, configuration="ulx3s"))]


@pytest.fixture
def measured(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    return tmp_path


@pytest.fixture
def nothing_recorded(tmp_path, monkeypatch):
    """Not even figures in the repository."""
    monkeypatch.setattr(figures_rows, "RECORDED", tmp_path / "none.json")


def saved(folder, **more) -> None:
    """Result files as the demo writes them."""
    for document, name in view.FILES.items():
        mine = [row.as_json() for row in FOUND if row.document == document]
        content = {"figures": mine, "commit": "abc", "command": results.FULL_DEMO, **more}
        (folder / f"{name}.json").write_text(json.dumps(content))


def page(folder) -> tuple[str, str]:
    out, said = folder / "report.html", io.StringIO()
    with contextlib.redirect_stdout(said):
        report.main(["--out", str(out)])
    return out.read_text(), said.getvalue()


def test_what_is_not_measured_is_said_with_its_command(measured, nothing_recorded):
    results.write("cpu", "teaching", [{"pattern": "add"}], command="make test")
    html, says = page(measured)
    assert "Cycles per instruction" in html and "Cycles of a walk" not in html
    assert "not measured yet: Cycles of a walk; run `make test`" in says
    assert "not measured yet: Area and speed; run `make area`" in says
    for claim in CLAIMS:
        assert f"not measured yet: document {claim.document}; run `make demo`" in says


def test_it_needs_python_only(bare: Path):
    """Before anything was installed or built, it is of the record; curves of somebody's demo are
    missing, and it says so."""
    said = make(bare, "report")
    written = (bare / "granule" / "build" / "report.html").read_text()
    assert "build/report.html" in said and "setup:" not in said and "curves" not in said
    assert "as docs/data records them" in written and written.count('class="card"') == len(CLAIMS)
    assert written.count('class="bars"') > len(CLAIMS) and "<svg" not in written
    folder = bare / "granule" / "build" / "results"
    folder.mkdir()
    saved(folder, series=[{"name": "e000.a"}])
    assert "not drawn: curves, which need matplotlib; run `make setup`" in make(bare, "report")


@pytest.mark.parametrize(
    ("value", "verdict", "words"),
    [
        (1.09, judge.NEAR, "1.3 times the size"),
        (1.9, judge.SAME, "13 times the size"),
        (0.9, judge.OPPOSITE, ""),
    ],
)
def test_a_card_says_how_near_ours_is(value, verdict, words):
    made = card(CLAIMS[0], [row_of(figure(value=value))])
    assert (made.row.verdict, made.words) == (verdict, words)
    assert made.theirs == "1.069× (+6.9 %)" and made.ours.startswith(f"{value}×")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.0686, "ratio", "1.069× (+6.9 %)"),
        (3.04, "ratio", "3.04×"),
        (1023.9, "pages", "1,023.9 pages"),
        (196608, "pages", "196,608 pages"),
        (1, "miss/read", "1.00 misses a read"),
        (0.00464, "miss/read", "0.0046 misses a read"),
        (14.07, "percent", "14.07 %"),
    ],
)
def test_values_as_a_person_says_them(value, unit, text):
    assert with_unit(value, unit) == text


def test_a_strip_tells_near_from_far_and_from_the_other_way():
    def x(times: float) -> float:
        return float(re.search(r"left: ([\d.]+)%", plots.strip(times))[1])

    assert x(1) == 50
    assert x(0.5) < x(1) < x(2) < x(16) and x(0.01) == x(1 / 16) and x(600) == x(16)
    assert "›" in plots.strip(600) and "›" not in plots.strip(15)
    assert "✕" in plots.strip(-3)


def test_bars_are_as_long_as_their_values():
    drawn = plots.bars([plots.Bar("a", 4), plots.Bar("b", 2, least=1, most=3)])
    widths = re.findall(r'class="(\w+)" style="left: ([\d.]+)%; width: ([\d.]+)%', drawn)
    assert [w for w in widths if w[0] != "axis"] == [
        ("ours", "0.0", "100.0"), ("ours", "0.0", "50.0"), ("whisker", "25.0", "50.0")
    ]  # fmt: skip
    other = plots.bars([plots.Bar("theirs", 1.1), plots.Bar("ours", 0.9)], 1)
    assert "left: 50.0%; width: 50.0%" in other and "left: 0.0%; width: 50.0%" in other


def test_curves_of_one_family_are_one_picture():
    """And of too many, those of the first granule; a logarithmic axis says its numbers."""

    def curve(name: str, granule: str) -> dict:
        return {"name": name, "configuration": "teaching", "granule": granule, "x": [64, 2048],
                "y": [1.0, 2.0]}  # fmt: skip

    matplotlib.use("agg")  # as a notebook in the same process does
    ((caption, drawn),) = plots.series([curve(f"e002.work.{n}", "4k") for n in ("fit", "over")])
    assert "4k pages" in caption and ">over<" in drawn and ">1,024<" in drawn
    many = [curve(f"e009.a.{i}", g) for i in range(4) for g in ("4k", "16k")]
    assert [len(members) for members in plots.families(many).values()] == [4]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"commit": "old"}, "the results are of abc, old"),
        ({"command": "make demo"}, "leaves out rows; run make demo FULL=1"),
        (None, "is missing; run make demo FULL=1"),
    ],
)
def test_what_is_not_of_one_whole_demo_is_not_published(measured, changed, says):
    saved(measured)
    one = measured / "document-002.json"
    if changed:
        one.write_text(json.dumps(json.loads(one.read_text()) | changed))
    else:
        one.unlink()
    with pytest.raises(publish.MissingResult, match=says):
        publish.measured()


def test_what_was_built_of_the_commit_is_noted_when_a_demo_is_published(monkeypatch):
    noted = []
    monkeypatch.setattr(publish, "measured", recorded)
    monkeypatch.setattr(publish.commits, "note", noted.append)
    monkeypatch.setattr(Path, "write_text", lambda *_: 0)  # the pages stay as they are
    for arguments in (["--recorded"], []):
        CliRunner().invoke(publish.main, arguments, catch_exceptions=False)
    assert noted == [recorded()[1]]


# ---- the tables of translation vectors ----------------------------------------------------------
BY_AUTHORITY = vectors.by_authority()


def test_every_file_has_an_authority():
    assert {one.authority for one in vectors.counted()} == set(vectors.AUTHORITIES)
    assert sum(BY_AUTHORITY.values()) == sum(one.file.checks for one in vectors.counted())


@pytest.mark.parametrize(("page", "text"), vectors.pages().items(), ids=["sources", "README"])
def test_a_page_has_todays_table(page, text):
    """`tb/tools/run.py vectors` writes it."""
    assert page.read_text() == text


def test_verification_md_has_the_same_count():
    """Of its row about `make conformance`."""
    text = (ROOT / "docs" / "verification.md").read_text()
    row = re.search(r"^\| `make conformance` \| ([\d,]+) checks", text, re.M)
    assert row[1] == f"{sum(BY_AUTHORITY.values()):,}"
