"""The machine lines of the firmware: well-formed ones are read, malformed ones are refused."""

import pytest

from demo.figures import MalformedResult, parse, split

LINE = "RESULT id=H0.1 run=4k value=1.0712 unit=ratio doc=1.0686 kind=R verdict=PASS"


def test_a_line_becomes_a_figure():
    figure = parse(LINE, "teaching")
    assert (figure.id, figure.value, figure.documented) == ("H0.1", 1.0712, "1.0686")
    assert figure.document == "document-000"
    assert parse(LINE.replace("H0.1", "A-5"), "ulx3s").document == "document-002"


def test_a_dash_means_no_documented_value():
    assert parse(LINE.replace("doc=1.0686", "doc=-"), "teaching").documented is None


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (LINE.replace(" unit=ratio", ""), "no unit"),
        (LINE.replace("1.0712", "fast"), "value fast is no number"),
        (LINE.replace("kind=R", "kind=Q"), "kind Q is none of X, R, O"),
        (LINE.replace("=PASS", "=FINE"), "verdict FINE is none of PASS, DIFF, FAIL"),
    ],
)
def test_a_malformed_line_is_refused_with_its_reason(broken, says):
    with pytest.raises(MalformedResult, match=says):
        parse(broken, "teaching")


def test_console_text_and_figures_are_told_apart():
    text, figures = split(f"hello\n{LINE}\nbye", "teaching")
    assert text == ["hello", "bye"]
    assert len(figures) == 1


def test_a_ratio_far_from_the_document_is_told_apart():
    """Right direction, other size: neither a pass nor a failure."""
    far = LINE.replace("value=1.0712", "value=6.76").replace("doc=1.0686", "doc=2.15")
    assert parse(far, "teaching").verdict == "DIFF"
    assert parse(far.replace("kind=R", "kind=O"), "teaching").verdict == "PASS"
    assert parse(far.replace("=PASS", "=FAIL"), "teaching").verdict == "FAIL"
