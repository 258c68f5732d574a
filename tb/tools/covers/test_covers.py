from support import covered
from tools.covers.run import judge, lines

POINTS = {"tlb.replaces": "the oldest goes", "walker.spared": "not concerned"}


def test_points_are_noted_once_a_run(tmp_path):
    output = (
        "NOTE cover: tlb.replaces\nnoise\nNOTE cover: tlb.replaces\n  NOTE cover: inside.text\n"
    )
    covered.note("first", output, tmp_path)
    covered.note("first", "NOTE cover: walker.spared\n", tmp_path)
    covered.note("second", "NOTE cover: tlb.replaces\n", tmp_path)
    covered.note("third", "nothing", tmp_path)
    assert covered.runs(tmp_path) == {
        "tlb.replaces": {"first", "second"},
        "walker.spared": {"first"},
    }


def test_a_point_that_no_run_reached_is_named():
    runs = {"tlb.replaces": {"b", "a"}}
    assert judge(POINTS, runs) == ["not reached: walker.spared: not concerned"]
    assert lines(POINTS, runs)[1:] == [
        "tlb.replaces   2     a              the oldest goes",
        "walker.spared  none                 not concerned",
    ]


def test_a_point_that_is_not_in_the_table_is_named():
    assert judge({}, {"tlb.gone": {"a"}}) == ["not in CoverPoints.scala: tlb.gone"]


def test_everything_reached_is_fine():
    assert not judge(POINTS, dict.fromkeys(POINTS, {"a"}))
