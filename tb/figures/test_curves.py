"""Curves land beside the figures of their document."""

from figures import curves
from granule import series
from support import results

TEXT = [
    "SERIES name=e001.cost.range run=4k x=1 y=19",
    "SERIES name=e001.cost.range run=4k x=64 y=-0.25",
]


def test_curves_go_to_the_file_of_their_document(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    _, read = series.take(TEXT, "teaching")
    curves.attach(read)
    assert results.read("document-001")["attached"]["series"]["value"] == read
