"""The curves of the firmware: points are collected by name, and a broken one is refused."""

import pytest

from granule import series

TEXT = [
    "hello",
    "SERIES name=e001.cost.range run=4k x=1 y=19",
    "SERIES name=e001.cost.page run=4k x=1 y=40.5",
    "SERIES name=e001.cost.range run=4k x=64 y=-0.25",
    "bye",
]


def test_points_become_curves():
    text, curves = series.take(TEXT, "teaching")
    assert text == ["hello", "bye"]
    assert [c["name"] for c in curves] == ["e001.cost.range", "e001.cost.page"]
    assert curves[0] == {
        "name": "e001.cost.range",
        "document": "document-001",
        "configuration": "teaching",
        "granule": "4k",
        "x": [1, 64],
        "y": [19.0, -0.25],
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [("x=64", "x=2.5"), ("y=-0.25", "y=fast"), ("e001.", ""), (" run=4k", "")],
)
def test_a_malformed_point_is_refused_with_its_line(old, new):
    broken = TEXT[3].replace(old, new)
    with pytest.raises(series.MalformedPoint, match=broken):
        series.take([broken], "teaching")
