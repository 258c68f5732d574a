"""The judges of vector files and of worked examples are red for each field that they judge: answers
that are right, with one field changed."""

from dataclasses import replace

import pytest

from campaigns.conformance.examples import CASES, difference
from campaigns.conformance.replay import Tally
from campaigns.soak.player import Answer
from model import Fault, Kind, translate
from model.examples import access_of, features_of, memory_of, name_of, registers_of
from model.vectors import Check


def answer_to(example) -> Answer:
    outcome = translate(
        registers_of(example), features_of(example), memory_of(example), access_of(example)
    )
    if isinstance(outcome, Fault):
        return Answer(True, outcome.status, outcome.wnr, outcome.dirty, 0, 0, 9, outcome.reads, ())
    return Answer(
        False, 0, False, False, outcome.pa, outcome.attr, 9, outcome.reads, outcome.changed
    )


def example(name):
    return next(e for e in CASES if name_of(e) == name)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_right_answers_of_examples_pass(case):
    assert difference(case, answer_to(case), walk_cache=False) is None


# By example and field of the judge: another value.
EXAMPLE = {
    ("A1", "pa"): {"pa": 0x876544678},
    ("A1", "attr"): {"attr": 0x44},
    ("A1", "pa of a fault"): {"fault": True, "status": 0xF},
    ("A1", "reads"): {"reads": (0x400015A0, 0x40002B40, 0x40004A28)},
    ("A1", "changed"): {"writes": ((0x40004A28, 0x60000876543F43),)},
    ("E1", "fsc"): {"status": 0x0E},
    ("E1", "fsc of none"): {"fault": False},
    ("E1", "wnr"): {"wnr": False},
    ("E1", "reads"): {"reads": ()},
    ("E1", "changed"): {"writes": ((0x40004018, 0x81234743),)},
    ("F5-twin", "changed"): {"writes": ()},
}


@pytest.mark.parametrize("name, field", EXAMPLE)
def test_one_wrong_field_of_an_example_is_seen(name, field):
    case = example(name)
    changed = replace(answer_to(case), **EXAMPLE[name, field])
    assert changed != answer_to(case)
    wrong = difference(case, changed, walk_cache=False)
    assert wrong and repr(field.split()[0]) in wrong


TRANSLATES = Check(0x1000, 0, Kind.WRITE, False, pa=0x9000, attr=0xFF, changed=((0x3008, 0x743),))
FAULTS = Check(0x1000, 0, Kind.WRITE, False, fsc=0x0F, changed=())
GOOD = Answer(False, 0, False, False, 0x9000, 0xFF, 9, (0x1000, 0x3008), ((0x3008, 0x743),))
REFUSED = Answer(True, 0x0F, True, False, 0, 0, 9, (0x1000, 0x3008), ())
VECTOR = {
    "pa": (TRANSLATES, replace(GOOD, pa=0xA000)),
    "attr": (TRANSLATES, replace(GOOD, attr=0x44)),
    "a fault": (TRANSLATES, replace(GOOD, fault=True)),
    "no update": (TRANSLATES, replace(GOOD, writes=())),
    "value of the update": (TRANSLATES, replace(GOOD, writes=((0x3008, 0x7C3),))),
    "address of the update": (TRANSLATES, replace(GOOD, writes=((0x3000, 0x743),))),
    "fsc": (FAULTS, replace(REFUSED, status=0x0E)),
    "no fault": (FAULTS, replace(REFUSED, fault=False)),
    "an update by a fault": (FAULTS, replace(REFUSED, writes=((0x3008, 0x743),))),
}


def note(check, answer, which="cold") -> Tally:
    tally = Tally()
    tally.note(which, 7, check, answer)
    assert tally.total[which] == 1
    return tally


def test_right_answers_to_vectors_pass():
    for check, answer in ((TRANSLATES, GOOD), (FAULTS, REFUSED)):
        tally = note(check, answer)
        assert not tally.wrong and tally.agree["cold"] == 1
    hot = replace(GOOD, reads=())
    assert not note(TRANSLATES, hot, "hot").wrong


@pytest.mark.parametrize("field", VECTOR)
def test_one_wrong_field_of_a_vector_is_seen(field):
    tally = note(*VECTOR[field])
    assert not tally.agree["cold"]
    assert tally.wrong[0].startswith("case 7, cold: ") and "expected " in tally.wrong[0]


def test_a_hot_translation_that_walks_again_is_seen():
    assert "walked again" in note(TRANSLATES, GOOD, "hot").wrong[0]
    assert not note(FAULTS, REFUSED, "hot").wrong, "a fault need not be remembered"
