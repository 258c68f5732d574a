"""The judges of vector files and of worked examples are red for each field that they judge: answers
that are right, with one field changed."""

from dataclasses import replace

import pytest

from campaigns.conformance.examples import CASES, difference
from campaigns.conformance.replay import Asked, Tally, plans, pte_reads
from campaigns.soak.player import Answer
from model import Kind, Registers
from model.examples import name_of, outcome_of
from model.features import Features
from model.riscv import SCHEMES
from model.steps import Ask, Load, Step
from model.vectors import Case, Check, VectorFile


def example(name):
    return next(e for e in CASES if name_of(e) == name)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_right_answers_of_examples_pass(case):
    assert difference(case, Answer.of(outcome_of(case), 9), walk_cache=False) is None


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
    changed = replace(Answer.of(outcome_of(case), 9), **EXAMPLE[name, field])
    assert changed != Answer.of(outcome_of(case), 9)
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


def note(check, answer, which="cold", reads=None) -> Tally:
    tally = Tally()
    tally.note(Asked(which, 7, check, reads), answer)
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


def test_another_number_of_reads_is_seen():
    assert not note(FAULTS, REFUSED, reads=2).wrong
    for reads in (1, 3):
        assert (
            f"expected {reads} reads of entries, got 2"
            in note(FAULTS, REFUSED, reads=reads).wrong[0]
        )


# satp's format, address, status -> entries that a walk reads.
READS = {
    ("sv39", 0x1000, 0x05): 1,
    ("sv39", 0x1000, 0x0F): 3,
    ("sv39", 0x1000, 0x16): 2,
    ("sv48", 0x1000, 0x04): 1,
    ("sv48", 0x1000, 0x07): 4,
    ("sv39", 1 << 38, 0x05): 0,
    ("sv48", 1 << 47, 0x04): 0,
}


@pytest.mark.parametrize("case", READS, ids=str)
def test_the_level_of_a_fault_says_how_much_was_read(case):
    mode, va, status = case
    registers = Registers(0, satp=SCHEMES[mode].satp(0, 0))
    assert pte_reads(registers, Check(va, 1, Kind.READ, fsc=status)) == READS[case]
    assert pte_reads(registers, Check(va, 1, Kind.READ, pa=0, attr=0)) is None
    assert pte_reads(Registers(0), Check(va, 1, Kind.READ, fsc=status)) is None


def stepped(check: Check, *after: Step) -> VectorFile:
    steps = (Load(Registers(0)), Ask(check.access), *after)
    case = Case(Registers(0), {}, (check,), steps=steps)
    return VectorFile("a test", Features(), ("base",), 0, (case,))


def passes(file: VectorFile, *, tlb: bool) -> dict:
    [plan] = plans(file, None, tlb=tlb)
    return {asked.which: asked.check.changed for asked in plan.asked}


def test_an_update_is_made_once():
    """Neither the hot access nor the walk that finds the updated descriptor makes it again."""
    update = TRANSLATES.changed
    assert passes(stepped(TRANSLATES), tlb=True) == {"steps": update, "hot": (), "updated": ()}
    assert passes(stepped(TRANSLATES), tlb=False) == {"steps": update, "updated": ()}
    assert passes(stepped(FAULTS), tlb=True) == {"steps": ()}
    assert passes(stepped(TRANSLATES, Load(Registers(1))), tlb=True) == {"steps": update}
    again = replace(TRANSLATES, changed=())
    assert note(again, replace(GOOD, reads=()), "hot").wrong
    assert note(again, GOOD, "updated").wrong
