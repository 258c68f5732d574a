"""The report shows what was measured and names what was not; the README's tables are Markdown."""

import json

import pytest
from click.testing import CliRunner

from demo.figures import Figure, parse
from report import plots, publish
from report import run as report
from support import results

LINE = (
    "RESULT id=H0.1 run=4k value=1.1361 unit=ratio doc=1.0686 kind=R verdict=PASS "
    "note=kernel_cycles,_a"
)
LOOP = {"run": "A-5", "what": "one zero page", "zero_pages": 1, "reads": 8, "misses": 8000,
        "rate": 1.0, "cycles": 20.5, "configuration": "ulx3s", "granule": "4k"}  # fmt: skip


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """An empty folder of results."""
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    return tmp_path


def page(folder) -> tuple[str, str]:
    """The report of the folder, and what the command says."""
    out = folder / "report.html"
    done = CliRunner().invoke(report.main, ["--out", str(out)])
    assert done.exit_code == 0, done.output
    return out.read_text(), done.output


def test_a_result_without_figures_is_no_section_but_a_command(measured):
    results.attach("walk", "workloads", [1])
    results.write("cpu", "teaching", {"add": 1}, command="make test")
    html, says = page(measured)
    assert 'id="cpu"' in html and 'id="walk"' not in html
    assert "not measured yet: walk; run `make test`" in says
    assert "not measured yet: area; run `make area`" in says


def test_the_kinds_are_explained_and_the_loops_are_drawn(measured):
    figures = [parse(LINE, "ulx3s").row()]
    results.write("document-000", "ulx3s", figures, command="make demo")
    html, _ = page(measured)
    assert "R: ratio" in html and html.count("<svg") == 1
    results.write("document-002", "ulx3s", figures, command="make demo")
    results.attach("document-002", "probes", [LOOP])
    assert page(measured)[0].count("<svg") == 2


def test_plots_name_what_they_show():
    """Of a ratio the excess is drawn, from zero, under its name; a bar tells its zero pages."""
    loops = {"attached": {"probes": {"value": [LOOP]}}, "figures": []}
    assert [s.texts for s in plots.by_policy([LOOP], [("ulx3s", "4k")], "misses")] == [
        ["8,000\nN = 1"]
    ]
    assert plots.zero_pages(loops) and not plots.one_line_more(loops)
    assert not plots.zero_pages({"figures": []}) and not plots.highpte({"figures": []})
    drawn = plots.highpte({"figures": [parse(LINE, "ulx3s").row()]})
    assert "kernel cycles (H0.1)" in drawn and "+13.6" in drawn


def document(figures: list[Figure]) -> dict:
    return {"figures": [f.row() for f in figures], "commit": "abc"}


def test_a_figure_that_differs_is_published_without_being_chosen(measured, monkeypatch):
    monkeypatch.setattr(publish, "CHOSEN", {"document-000": [("H0.1", "ulx3s", "kernel")]})
    differs = LINE.replace("H0.1", "H0.9").replace("1.1361", "1.9")
    figures = [parse(line, "ulx3s") for line in (LINE, differs, LINE.replace("H0.1", "H0.8"))]
    (measured / "document-000.json").write_text(json.dumps(document(figures)))
    text = publish.table()
    assert "| H0.1 | kernel | ulx3s | 1.1361 (+13.6 %) |  |  | 1.0686 (+6.86 %) |  | R |" in text
    assert "| H0.9 |" in text and "DIFF" in text and "| H0.8 |" not in text


def test_a_missing_figure_names_the_command(measured):
    (measured / "document-002.json").write_text(json.dumps(document([])))
    with pytest.raises(publish.MissingResult, match="run make demo again"):
        publish.table()


def test_a_table_is_markdown_of_its_columns():
    rows = [{"a": "1", "b": "2"}, {"a": "", "b": "x"}]
    assert publish.markdown(("b", "a"), rows) == "| b | a |\n| --- | --- |\n| 2 | 1 |\n| x |  |"
