"""Defects as choices of a simulation."""

import pytest

from labs.choices import Misfit, Place, with_choices

DEFECT = "_root_.granule.labs.Defect"
TEXT = "val x = a &&\n  b && c"


def test_white_space_does_not_count():
    assert (
        with_choices(TEXT, [(3, Place("a && b", "a"))]) == f"val x = {DEFECT}(3)(a, a &&\n  b) && c"
    )


@pytest.mark.parametrize("text", ["x := a", "a && b || a && b"])
def test_a_place_must_be_there_once(text):
    with pytest.raises(Misfit, match=r"'a && b' is there \d times, must be once"):
        with_choices(text, [(3, Place("a && b", "a"))])


def test_what_stands_before_tells_which_place_is_meant():
    chosen = with_choices("f(a) + g(a)", [(1, Place("a", "b", "g("))])
    assert chosen == f"f(a) + g({DEFECT}(1)(b, a))"


def test_what_is_dropped_or_assigns_is_a_statement():
    text = "when(x) { y := z }; go()"
    chosen = with_choices(text, [(1, Place("go()", "")), (2, Place("y := z", "y := 0"))])
    assert chosen == (
        f"when(x) {{ {DEFECT}.instead(2) {{ y := 0 }} {{ y := z }} }}; "
        f"{DEFECT}.instead(1) {{  }} {{ go() }}"
    )


def test_choices_stand_in_each_other():
    inner = f"{DEFECT}(1)(False, b && {DEFECT}(3)(e, c))"
    places = [(1, Place("b && c", "False")), (2, Place("a && b && c", "d")), (3, Place("c", "e"))]
    assert with_choices("x = a && b && c", places) == f"x = {DEFECT}(2)(d, a && {inner})"
    with pytest.raises(Misfit, match="overlaps the place of another defect"):
        with_choices("x = a && b && c", [*places, (4, Place("a && b", "f"))])
