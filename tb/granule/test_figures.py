"""The machine lines of the firmware: well-formed ones are read, malformed ones are refused."""

import pytest

from granule.figures import MalformedPoint, MalformedResult, curves, parse, split

LINE = "RESULT id=H0.1 run=4k class=figure value=1.0712 unit=ratio what=kernel_cycles"
MODEL = (
    "RESULT id=A-1 run=4k class=model value=0.99 unit=miss/read model=1 tolerance=0.01 "
    "verdict=PASS what=one_line_more"
)
HELD = "RESULT id=C.2.1 run=4k class=invariant value=0 unit=violations verdict=PASS what=zones"
EXACT = (
    "RESULT id=H0.5 run=4k class=arithmetic value=5 unit=pages expected=5 verdict=PASS what=pages"
)


def test_a_line_becomes_a_figure():
    figure = parse(LINE, "teaching")
    assert (figure.id, figure.value, figure.what) == ("H0.1", 1.0712, "kernel cycles")
    assert (figure.cls, figure.verdict, figure.model) == ("figure", None, None)
    model = parse(MODEL, "ulx3s")
    assert (model.model, model.tolerance, model.verdict) == (1.0, 0.01, "PASS")
    assert parse(EXACT, "ulx3s").expected == 5.0


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (LINE.replace(" unit=ratio", ""), "no unit"),
        (LINE.replace("1.0712", "fast"), "value fast is no number"),
        (LINE.replace("=figure", "=guess"), "class 'guess' is none of figure, model"),
        (LINE.replace(" class=figure", ""), "class '' is none of"),
        (LINE + " verdict=PASS", "verdict PASS of a figure"),
        (MODEL.replace("=PASS", "=FINE"), "verdict FINE of a model"),
        (MODEL.replace("model=1", "model=x"), "model x is no number"),
        (MODEL.replace(" model=1", ""), "no model"),
        (HELD.replace(" verdict=PASS", ""), "no verdict"),
        (EXACT.replace(" expected=5", ""), "no expected"),
    ],
)
def test_a_malformed_line_is_refused_with_its_reason(broken, says):
    with pytest.raises(MalformedResult, match=says):
        parse(broken, "teaching")


def test_console_text_and_figures_are_told_apart():
    text, figures = split(f"hello\n{LINE}\nbye", "teaching")
    assert text == ["hello", "bye"]
    assert len(figures) == 1


WALKS = """  levels       2 (L2 to L3), 2048 entries a table
RESULT id=W-1 run=16k class=figure value=0.948475 unit=share what=single
RESULT id=W-2 run=16k class=figure value=1.051525 unit=reads/walk what=reads
"""


@pytest.mark.parametrize(
    ("levels", "reads", "verdict"),
    [
        ("2", "1.051525", "PASS"),
        ("2", "1.052", "FAIL"),  # more than two reads
        ("3", "1.052", "PASS"),
        ("3", "1.05", "FAIL"),  # fewer than the walks of more than one read
        ("3", "1.104", "FAIL"),
    ],
)
def test_the_two_counts_of_walks_must_agree(levels, reads, verdict):
    console = WALKS.replace("levels       2", f"levels       {levels}").replace("1.051525", reads)
    *_, agree = split(console, "teaching")[1]
    assert (agree.id, agree.cls, agree.verdict) == ("W.agree", "invariant", verdict)
    assert agree.value == (verdict == "FAIL")


def test_a_figure_that_is_missed_is_seen():
    """The firmware says how many it printed, in each of the boots of a text."""
    end = "2 results, 0 failed, 0 warnings"
    boot = [LINE, HELD, end]
    assert len(split("\n".join(boot + boot), "teaching")[1]) == 4
    for damaged in ([LINE, " " + HELD, end], [LINE, end], [*boot, LINE, "RESUL" + HELD, end]):
        with pytest.raises(MalformedResult, match="results and . lines begin with RESULT"):
            split("\n".join(damaged), "teaching")


TEXT = """hello
SERIES name=e001.cost.range run=4k x=1 y=19
SERIES name=e001.cost.page run=4k x=1 y=40.5
SERIES name=e001.cost.range run=4k x=64 y=-0.25
bye"""


def test_points_become_curves():
    first, second = curves(TEXT, "teaching")
    assert (first["name"], first["x"], first["y"]) == ("e001.cost.range", [1, 64], [19.0, -0.25])
    assert (second["name"], second["document"]) == ("e001.cost.page", "document-001")


@pytest.mark.parametrize(
    ("old", "new"), [("x=64", "x=2.5"), ("y=-0.25", "y=fast"), ("e001.", ""), (" run=4k", "")]
)
def test_a_malformed_point_is_refused_with_its_line(old, new):
    broken = TEXT.splitlines()[3].replace(old, new)
    with pytest.raises(MalformedPoint, match=broken):
        curves(broken, "teaching")
