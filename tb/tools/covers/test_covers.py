from support import covered
from tools.covers.run import judge, lines

POINTS = {"tlb.replaces": "the oldest goes", "walker.spared": "not concerned"}


def test_points_are_noted_once_a_run(tmp_path):
    output = "NOTE cover: {0}\nnoise\nNOTE cover: {0}\n  NOTE cover: inside.text\n"
    for run, text in (
        ("first", output.format("tlb.replaces")),
        ("first", "NOTE cover: walker.spared\n"),
        ("second", "NOTE cover: tlb.replaces\n"),
        ("third", "nothing"),
    ):
        covered.note(run, text, tmp_path)
    reached = {"tlb.replaces": {"first", "second"}, "walker.spared": {"first"}}
    assert covered.runs(tmp_path) == reached


def test_points_that_no_run_reached_or_no_table_has_are_named():
    runs = {"tlb.replaces": {"b", "a"}}
    assert judge(POINTS, runs) == ["not reached: walker.spared: not concerned"]
    assert lines(POINTS, runs)[1:] == [
        "tlb.replaces   2     a              the oldest goes",
        "walker.spared  none                 not concerned",
    ]
    assert judge({}, {"tlb.gone": {"a"}}) == ["not in CoverPoints.scala: tlb.gone"]
    assert not judge(POINTS, dict.fromkeys(POINTS, {"a"}))
