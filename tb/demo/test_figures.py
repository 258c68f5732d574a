"""The machine lines of the firmware: well-formed ones are read, malformed ones are refused."""

import pytest

from demo import view
from demo.figures import THEIR_MACHINE, Figure, MalformedResult, once, parse, probes, split

LINE = "RESULT id=H0.1 run=4k value=1.0712 unit=ratio doc=1.0686 kind=R verdict=PASS"


def test_a_line_becomes_a_figure():
    figure = parse(LINE, "teaching")
    assert (figure.id, figure.value, figure.documented) == ("H0.1", 1.0712, "1.0686")
    assert figure.document == "document-000"
    assert parse(LINE.replace("H0.1", "A-5"), "ulx3s").document == "document-002"


def test_a_dash_means_no_documented_value():
    nothing = parse(LINE.replace("doc=1.0686", "doc=-"), "teaching")
    assert nothing.documented is None and nothing.model is None and nothing.times is None


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


def test_what_was_published_and_what_a_model_says_are_told_apart():
    published = parse(LINE, "teaching")
    assert (published.documented, published.model) == ("1.0686", None)
    for identity in ("A-1.over", "H0.1-control", "C.2.1"):
        modelled = parse(LINE.replace("H0.1", identity), "teaching")
        assert (modelled.documented, modelled.model) == (None, "1.0686")
    assert Figure.of_row(published.row()) == published


def test_of_a_ratio_the_excess_is_compared():
    """1.14 is no 1.07: it is twice as much more."""
    assert parse(LINE.replace("1.0712", "1.1361"), "ulx3s").verdict == "PASS"
    assert parse(LINE.replace("1.0712", "1.1373"), "ulx3s").verdict == "DIFF"
    assert parse(LINE.replace("1.0712", "1.0342"), "ulx3s").verdict == "DIFF"
    rate = LINE.replace("unit=ratio", "unit=miss/read")
    assert parse(rate.replace("1.0712", "2.1"), "ulx3s").verdict == "PASS"
    assert parse(LINE.replace("doc=1.0686", "doc=1"), "ulx3s").times == 1.0712


def test_a_ratio_below_one_is_also_compared_as_a_whole():
    below = LINE.replace("doc=1.0686", "doc=0.1").replace("1.0712", "0.55")
    assert parse(below, "ulx3s").verdict == "DIFF"


def figures(identity: str, **expected: str) -> list[Figure]:
    """One figure at each granule, with what is expected there."""
    line = LINE.replace("H0.1", identity).replace("kind=R", "kind=X")
    return [
        parse(line.replace("run=4k", f"run={run}").replace("doc=1.0686", f"doc={doc}"), "teaching")
        for run, doc in expected.items()
    ]


def test_an_expectation_that_varies_is_shown_for_each_granule():
    varying = figures("A-8.rule", **{"4k": "8", "16k": "2", "64k": "1"})
    assert view.row(varying)["model"] == "8 / 2 / 1"
    assert view.row(varying[1:])["model"] == "- / 2 / 1"
    assert view.row(figures("H2.7", **{"4k": "7", "16k": "7"}))["document"] == "7"


def test_kinds_of_the_granules_are_not_joined_into_another_word():
    first, second = figures("H0.1", **{"4k": "1.07", "16k": "1.07"})
    other = Figure.of_row({**second.row(), "kind": "O"})
    assert view.row([first, other])["kind"] == "X / O / -"


def test_arithmetic_about_the_published_machine_stands_once():
    """It has 4K pages whatever was booted; a run that differs is not hidden."""
    same = figures("H0.7", **{"4k": "384", "16k": "384", "64k": "384"})
    (only,) = once(same)
    assert (only.run, only.configuration) == ("4k", THEIR_MACHINE)
    wrong = Figure.of_row({**same[1].row(), "value": 5.0, "verdict": "FAIL"})
    assert len(once([same[0], wrong])) == 2
    assert view.rows(once([same[0], wrong]))[0]["verdict"] == "FAIL"
    own = figures("H0.7-own", **{"4k": "384", "16k": "384"})
    assert once(own) == own


def test_invariants_are_counted_only_where_there_are_some():
    kept = parse(LINE.replace("unit=ratio", "unit=failures").replace("1.0686", "0"), "teaching")
    assert view.kept([kept]) == "Not shown: 1 invariant checked while it ran, all kept."
    assert view.kept([]) == "" and view.rows([kept]) == []


def test_the_summary_says_what_a_difference_is():
    same, other = parse(LINE, "teaching"), parse(LINE.replace("1.0712", "2"), "teaching")
    assert view.summary([same, other]) == (
        "2 figures, 0 failed, 1 DIFF: right direction, more than 2x from the expected figure"
    )


WALKS = """  levels       2 (L2 to L3), 2048 entries a table
RESULT id=W-1 run=16k value=0.948475 unit=share doc=- kind=O verdict=PASS
RESULT id=W-2 run=16k value=1.051525 unit=reads/walk doc=- kind=O verdict=PASS
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
    assert {f.verdict for f in split(console, "teaching")[1]} == {verdict}


CONSOLE = """
  run  what                                n  cold misses miss/read evicts  moves cyc/read dtlb
  A-1  one line more                       9     9   8991    1.0000   8991      0    28.02    0
  A-4  one zero page: 1                    8     1      0    0.0000      0      0     3.12    0
  A-4  one per colour (way / page): 1      as above
  A-4  document's rule (cache / page): 8   8     8      0    0.0000      0      0     3.12    0
"""


def test_the_loops_of_document_002_are_read_from_its_table():
    over, single, coloured, rule = probes(CONSOLE.splitlines(), "teaching", "4k")
    assert (over["what"], over["reads"], over["misses"]) == ("one line more", 9, 9000)
    assert over["zero_pages"] is None and over["rate"] == 1.0 and over["cycles"] == 28.02
    assert (single["zero_pages"], single["misses"]) == (1, 1)
    assert {**coloured, "what": ""} == {**single, "what": ""}  # it was not run again
    assert coloured["what"] == "one per colour (way / page)"
    assert (rule["run"], rule["zero_pages"], rule["misses"]) == ("A-4", 8, 8)
