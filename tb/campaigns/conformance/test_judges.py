"""The judge of vector files is red for each field that it judges: answers that are right, with one
field changed."""

from dataclasses import replace

import pytest

from campaigns.conformance.replay import Asked, Tally, plans, pte_reads
from campaigns.soak.player import Answer
from model import Kind, Registers
from model.features import Features
from model.riscv import SCHEMES
from model.steps import Ask, Load, Step
from model.vectors import Case, Check, VectorFile

TRANSLATES = Check(0x1000, 0, Kind.WRITE, False, pa=0x9000, attr=0xFF, changed=((0x3008, 0x743),))
FAULTS = Check(0x1000, 0, Kind.WRITE, False, fsc=0x0F, changed=())
GOOD = Answer(False, 0, False, False, 0x9000, 0xFF, 9, (0x1000, 0x3008), ((0x3008, 0x743),))
REFUSED = Answer(True, 0x0F, True, False, 0, 0, 9, (0x1000, 0x3008), ())
HOT, AGAIN = {"which": "hot"}, replace(TRANSLATES, changed=())
# A check, how it is asked, what differs from the right answer, and what is said of it.
ROWS = [
    (TRANSLATES, {}, {}, ""),
    (TRANSLATES, {}, {"pa": 0xA000}, "expected pa"),
    (TRANSLATES, {}, {"attr": 0x44}, "expected pa"),
    (TRANSLATES, {}, {"fault": True}, "expected pa"),
    (TRANSLATES, {}, {"writes": ()}, "expected the updates"),
    (TRANSLATES, {}, {"writes": ((0x3008, 0x7C3),)}, "expected the updates"),
    (TRANSLATES, {}, {"writes": ((0x3000, 0x743),)}, "expected the updates"),
    (TRANSLATES, HOT, {"reads": ()}, ""),
    (TRANSLATES, HOT, {}, "walked again"),
    (AGAIN, HOT, {"reads": ()}, "expected the updates"),
    (AGAIN, {"which": "updated"}, {}, "expected the updates"),
    (FAULTS, {}, {}, ""),
    (FAULTS, {}, {"status": 0x0E}, "expected fsc"),
    (FAULTS, {}, {"fault": False}, "expected fsc"),
    (FAULTS, {}, {"writes": ((0x3008, 0x743),)}, "expected the updates"),
    (FAULTS, HOT, {}, ""),  # it need not be remembered
    (FAULTS, {"reads": 2}, {}, ""),
    (FAULTS, {"reads": 1}, {}, "expected 1 reads of entries, got 2"),
    (FAULTS, {"reads": 3}, {}, "expected 3 reads of entries, got 2"),
]


@pytest.mark.parametrize("check, asked, other, says", ROWS)
def test_each_field_of_an_answer_counts(check, asked, other, says):
    tally, asked = Tally(), {"which": "cold"} | asked
    answer = replace(REFUSED if check is FAULTS else GOOD, **other)
    tally.note(Asked(case=7, check=check, **asked), answer)
    assert tally.total == {asked["which"]: 1} and tally.agree.total() == (not says)
    assert [says in line for line in tally.wrong] == [True] * bool(says)
    assert all(line.startswith(f"case 7, {asked['which']}: ") for line in tally.wrong)


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
