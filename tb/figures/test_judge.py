"""One rule judges every figure; the catalogue holds what was published."""

import pytest

from figures import catalogue, judge
from figures.catalogue import BadCatalogue, Entry
from figures.judge import AGREES, FAILS, HOLDS, INCOMPARABLE, NEAR, OPPOSITE, SAME


def verdict(value: float | None, published: float, unit="ratio", beside=None, **more) -> str:
    e = Entry("H0.1", **{"document": "000", "cls": "measured", **more},
              published=published, unit=unit)  # fmt: skip
    return judge.verdict(value, e, beside)


@pytest.mark.parametrize(
    ("published", "unit", "value", "said"),
    [
        (1.0686, "ratio", 1.1371, NEAR),  # 2.0 times the excess
        (1.0686, "ratio", 1.1373, SAME),
        (1.0686, "ratio", 1.136, NEAR),  # the example of the printed rule: 13.6 %, and 14 %
        (1.0686, "ratio", 1.14, SAME),
        (1.0686, "ratio", 1.0344, NEAR),
        (1.0686, "ratio", 1.0342, SAME),
        (1.0686, "ratio", 0.93, OPPOSITE),
        (1.0116, "ratio", 1.0, OPPOSITE),  # none where the text has a difference
        (14.2, "percent", 963, SAME),
        (-19.4, "percent", 86.5, OPPOSITE),
        (-19.4, "percent", -12.0, NEAR),
        (0.997, "ratio", 0.9955, NEAR),
    ],
)
def test_the_rule(published, unit, value, said):
    assert verdict(value, published, unit) == said


def test_where_the_text_has_no_difference_ours_must_have_none():
    equal = {"published": 1.0006, "noise": 0.0113}
    assert judge.times(1.01, Entry("H0.1", unit="ratio", **equal)) is None
    assert verdict(1.0113, **equal) == AGREES
    assert verdict(1.012, **equal) == verdict(0.988, **equal) == OPPOSITE


@pytest.mark.parametrize(
    ("value", "ours", "said"),
    [
        (27, 793, NEAR),  # less than its reference, as theirs, and 0.61 times the size
        (5, 793, SAME),
        (27, 20, OPPOSITE),  # near in size, and on the other side
        (500, 20, OPPOSITE),
        (27, 27, OPPOSITE),
    ],
)
def test_a_cost_has_the_sign_against_its_reference(value, ours, said):
    e = Entry("H1.1", "001", "measured", published=44, unit="cycles", beside="H1.14")
    assert judge.verdict(value, e, (ours, 399.4)) == said


# A size begins at the number that the text names: 124 pages are held, not a tenth of one.
@pytest.mark.parametrize(("value", "said"), [(1023.85, NEAR), (900, SAME), (1024, OPPOSITE)])
def test_a_number_that_the_text_names_is_where_the_size_begins(value, said):
    assert verdict(value, 1023.9, "pages", base=1024) == said


def test_what_cannot_differ_holds_or_fails_and_is_no_agreement():
    assert verdict(384, 384, "GiB", cls="arithmetic") == HOLDS
    assert verdict(384.000001, 384, "GiB", cls="arithmetic") == FAILS
    assert verdict(0, 0, "kB", cls="invariant") == HOLDS
    assert not {HOLDS, FAILS} & set(judge.WORDS)
    assert verdict(38.4, 38.4, "GiB", cls="derived") == ""


def test_what_has_no_figure_says_so():
    assert verdict(None, 1.1) == judge.TO_MEASURE
    assert verdict(1.0, 1.1, unmeasured="why") == judge.UNMEASURED
    assert verdict(1.1, 1.1, incomparable="why") == INCOMPARABLE


def test_every_published_figure_is_in_the_catalogue():
    entries = catalogue.load()
    assert len([e for e in entries.values() if e.cls]) >= sum(catalogue.PUBLISHED_COUNT.values())
    assert set(catalogue.machines()) == set(catalogue.DOCUMENTS)
    assert {e.id for e in catalogue.of_class("other")} >= {"H2.8", "H2.9"}, "version 3, no count"


COST = '["H1.1"]\nclass = "measured"\nline = "l"\nwhat = "w"\npublished = 44\nunit = "cycles"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('["H0.1"]\nclass = "Q"', "class Q is none of measured"),
        ('["H0.1"]\nclass = "measured"', "line, what, published, unit is missing"),
        ('["H0.1"]\ncolour = 1', "no field is called colour"),
        (COST, "a cost in cycles has no sign: name the figure `beside` it"),
        (COST + 'beside = "H0.1"', "beside H0.1, which is no cycles of its text"),
    ],
)
def test_a_catalogue_that_cannot_be_used_says_why(text, says):
    with pytest.raises(BadCatalogue, match=says):
        catalogue.parse(text)


def test_a_published_figure_that_is_missing_is_named(tmp_path, monkeypatch):
    short = tmp_path / "published.toml"
    short.write_text(catalogue.PUBLISHED.read_text().replace('["H4.7"]', '["X4.7"]'))
    monkeypatch.setattr(catalogue, "PUBLISHED", short)
    with pytest.raises(BadCatalogue, match="has no figure H4.7"):
        catalogue.load.__wrapped__()
