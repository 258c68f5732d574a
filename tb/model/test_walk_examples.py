"""The worked examples of the specification, all of them (spec chapter 9)."""

import re

import pytest

from model import Access, Fault, Features, Kind, Memory, Registers, translate
from model.examples import EXAMPLES, FAULTS, TWINS, inputs_of, name_of, number, outcome_of
from model.walk import par

# What the machine form does not carry, from the text of the examples.
PAR = {"G19": 0xFF00000081234B80, "G20": 0x000000000000081F}


# Two reasons for a fault, of which one comes first: the twin takes away both.
PRIORITIES = {"G13": {"regs", "mem"}, "G15": {"va", "access", "mem"}}


def test_all_examples_are_there():
    """72 of the specification, and E11 to E14 of ours."""
    assert len(EXAMPLES) == 76


def test_every_fault_has_a_twin():
    """A fault whose access would fail without the control shows nothing."""
    missing = [name_of(e) for e in FAULTS if "twin" not in e]
    assert not missing, f"fault examples without a twin in walk_examples.json: {missing}"
    assert len(TWINS) == len(FAULTS) > 30


@pytest.mark.parametrize("example", FAULTS, ids=name_of)
def test_a_twin_switches_off_one_control(example):
    """One part of the example differs, and of a register, the entries or the access one value."""
    parts = {part for part in example["twin"] if part not in ("control", "pa")}
    if name_of(example) in PRIORITIES:
        assert parts == PRIORITIES[name_of(example)]
        return
    assert len(parts) == 1
    values = example["twin"][parts.pop()]
    if isinstance(values, dict):
        assert len(values) == 1
        (name, value), part = *values.items(), next(p for p in example["twin"] if p != "control")
        assert example[part].get(name) != value, "the twin is the example"


@pytest.mark.parametrize("twin", TWINS, ids=name_of)
def test_twin_succeeds(twin):
    outcome = outcome_of(twin)
    assert not isinstance(outcome, Fault), outcome
    assert hex(outcome.pa) == twin["pa"]


@pytest.mark.parametrize("example", EXAMPLES, ids=name_of)
def test_example(example):
    registers, features, memory, access = inputs_of(example)
    before = dict(memory.words)
    outcome = translate(registers, features, memory, access)
    assert [hex(address) for address in outcome.reads] == example["reads"]
    changed = {a: v for a, v in memory.words.items() if before.get(a, 0) != v}
    assert changed == {number(a): number(v) for a, v in example["mem_changed"].items()}
    if "fault" in example:
        assert isinstance(outcome, Fault), outcome
        assert outcome.kind.value == example["fault"]
        assert outcome.status == number(example["fsc"])
        if example["fault_level"] is not None:
            assert outcome.level == example["fault_level"]
        if not access.kind.address_translation:
            assert outcome.wnr == bool(example["wnr"])
    else:
        assert not isinstance(outcome, Fault), outcome
        assert outcome.pa == number(example["pa"])
        assert outcome.attr == number(example["attr"])
        assert outcome.sh == example["sh"]
        if outcome.level is not None:  # the MMU is on
            assert (outcome.level, outcome.span) == (example["level"], example["span"])
            assert outcome.ng == bool(example["nG"])
            assert outcome.asid == number(example["asid"])
        assert [outcome.rights.r, outcome.rights.w, outcome.rights.x] == [
            bool(right) for right in example["rwx"]
        ]
    if name_of(example) in PAR:
        assert par(outcome) == PAR[name_of(example)]


ESR = {
    "D4": 0x9200002B, "D5": 0x92000029, "D6": 0x92000013, "E1": 0x9200004F, "E3": 0x8200000F,
    "E4": 0x8600000F, "E5": 0x8600000F, "E6": 0x9600000F, "E9": 0x9200000E, "E10": 0x9200000F,
    "F1": 0x9200000B, "F5": 0x9200004F, "F7": 0x8600000F, "F8": 0x92000047,
    "F9": 0x92000031, "F10": 0x92000008, "G1": 0x92000004, "G4": 0x82000004, "G5": 0x96000004,
    "G8": 0x92000045, "G11": 0x92000000, "G12": 0x92000001, "G14": 0x92000016, "G15": 0x92000061,
    "G17": 0x96000000, "H5": 0x9200000E, "H6": 0x20_9600_004E, "H8": 0x92000005,
}  # fmt: skip


@pytest.mark.parametrize("name", ESR)
def test_syndrome_of_example(name):
    """ESR_EL1 as printed in the text."""
    outcome = outcome_of(next(e for e in EXAMPLES if name_of(e) == name))
    assert outcome.esr == ESR[name], re.sub(r"\s+", " ", str(outcome))


def test_atomic_reports_a_write_only_when_a_read_would_pass():
    """Spec 5.4 and 7.3: WnR of an atomic for each class of fault."""
    tcr = 16 | 16 << 16 | 0b10 << 30 | 5 << 32
    for leaf, wnr in ((0, False), (0x743, False), (0x7C3, True), (0x343, False), (0x703, False)):
        memory = Memory({0x1000: 0x2003, 0x2000: 0x3003, 0x3000: 0x4003, 0x4000: leaf})
        access = Access(0, Kind.ATOMIC)
        outcome = translate(Registers(tcr, 0x1000), Features(), memory, access)
        if leaf != 0x743:
            assert isinstance(outcome, Fault) and outcome.wnr == wnr, hex(leaf)
