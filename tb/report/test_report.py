"""The report shows what was measured and names what was not; the README's tables are Markdown."""

import json

import pytest
from click.testing import CliRunner

from demo import judge
from demo.catalogue import DOCUMENTS, MACHINE, PUBLISHED_COUNT
from demo.figures import parse
from demo.rows import Row, row_of, rows
from report import plots, publish
from report import run as report
from support import results

LINE = "RESULT id=H0.1 run=4k class=figure value=1.1361 unit=ratio what=kernel_cycles,_a"
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
    figures = [row_of(parse(LINE, "ulx3s")).as_json()]
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
    drawn = plots.highpte({"figures": [row_of(parse(LINE, "ulx3s")).as_json()]})
    assert "kernel time (H0.1)" in drawn and "+13.6" in drawn


def saved(folder, figures: list[Row]) -> None:
    """Result files as the demo writes them."""
    for document in (*DOCUMENTS, MACHINE):
        name = MACHINE if document == MACHINE else f"document-{document}"
        mine = [row.as_json() for row in figures if row.document == document]
        (folder / f"{name}.json").write_text(json.dumps({"figures": mine, "commit": "abc"}))


def test_every_published_figure_is_shown_whatever_its_verdict(measured):
    saved(measured, rows([parse(LINE, "ulx3s"), parse(LINE.replace("1.1361", "1.9"), "teaching")]))
    text = publish.table(*publish.measured())
    for identity in [
        f"H{d}.{n}" for d, count in PUBLISHED_COUNT.items() for n in range(1, count + 1)
    ]:
        assert f"| {identity} |" in text
    differs = next(line for line in text.splitlines() if "| H0.1 |" in line and "teaching" in line)
    assert "| 13.1 |" in differs and "DIFF" in differs and "no compile job" in differs
    assert judge.RULE in text


def test_results_of_two_commits_are_not_mixed(measured):
    saved(measured, rows([parse(LINE, "ulx3s")]))
    old = json.loads((measured / "document-002.json").read_text()) | {"commit": "old"}
    (measured / "document-002.json").write_text(json.dumps(old))
    with pytest.raises(publish.MissingResult, match="the results are of abc, old"):
        publish.measured()


def test_a_missing_result_names_the_command(measured):
    with pytest.raises(publish.MissingResult, match="make demo writes it"):
        publish.measured()


def test_a_table_is_markdown_of_its_columns():
    lines = [{"a": "1", "b": "2"}, {"a": "", "b": "x"}]
    assert publish.markdown(("b", "a"), lines) == "| b | a |\n| --- | --- |\n| 2 | 1 |\n| x |  |"
