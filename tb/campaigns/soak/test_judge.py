"""The judge of the random runs is red for each thing that it judges: answers that are the model's
own, with one field changed."""

from dataclasses import replace

import pytest

from campaigns.soak.judge import Judge
from campaigns.soak.player import Answer
from model import Access, Features, Kind, Memory, Registers, translate
from model.steps import Ask, Flush, Load, Store
from model.tlbi import Invalidation
from model.tlbi import Kind as Tlbi

FEATURES = Features(pamax=36)
TCR = 25 | 25 << 16 | 2 << 30 | 1 << 32 | 3 << 39  # 4K, 39 bits from level 1, HA and HD
REGISTERS = Registers(TCR, ttbr0=0x1000, mair=0x44FF)
CLEAN = 0x8_0000_0000_0000 | 0x9000_0000 | 0x7C3  # DBM, AP = 11, AF
NO_WRITE = 0xA000_0000 | 0x7C3
TABLES = {0x1000: 0x2003, 0x2000: 0x3003, 0x3000: CLEAN, 0x3008: NO_WRITE}
WRITE, READ, REFUSED = Access(0, Kind.WRITE), Access(0x1000), Access(0x1000, Kind.WRITE)


def steps(*accesses):
    stores = [Store(address, word) for address, word in TABLES.items()]
    all_gone = Flush(Invalidation(Tlbi.ALL))
    return [*stores, Load(REGISTERS), all_gone, *(Ask(access) for access in accesses)]


def right(access: Access) -> Answer:
    """What hardware that is right and remembers nothing answers."""
    return Answer.of(translate(REGISTERS, FEATURES, Memory(dict(TABLES)), access), cycles=9)


def verdicts(accesses, answers, *, walk_cache=False):
    judge = Judge(FEATURES, walk_cache=walk_cache)
    return [judged.wrong for judged in judge.case(steps(*accesses), iter(answers))]


@pytest.mark.parametrize("walk_cache", [False, True])
@pytest.mark.parametrize("access", [WRITE, READ, REFUSED], ids=["write", "read", "refused"])
def test_right_answers_pass(access, walk_cache):
    assert verdicts([access], [right(access)], walk_cache=walk_cache) == [None]
    hit = replace(right(access), reads=(), writes=(), cycles=0)
    assert verdicts([access, access], [right(access), hit], walk_cache=walk_cache) == [None, None]


WON = right(WRITE).writes
WRONG = {
    "address": (READ, {"pa": 0xA000_1000}),
    "address of a page": (READ, {"pa": 0xA000_0004}),
    "attributes": (READ, {"attr": 0x44}),
    "a fault that is none": (READ, {"fault": True, "status": 0x0F}),
    "no fault where one is": (REFUSED, {"fault": False, "pa": 0xA000_0000, "attr": 0xFF}),
    "status": (REFUSED, {"status": 0x0B}),
    "level of the status": (REFUSED, {"status": 0x0E}),
    "wnr": (REFUSED, {"wnr": False}),
    "dirty": (REFUSED, {"dirty": True}),
    "no update": (WRITE, {"writes": ()}),
    "an update too many": (READ, {"writes": ((0x3008, NO_WRITE | 1 << 51),)}),
    "an update by a fault": (REFUSED, {"writes": ((0x3008, NO_WRITE & ~0x80),)}),
    "value of an update": (WRITE, {"writes": ((0x3000, WON[0][1] | 1 << 55),)}),
    "address of an update": (WRITE, {"writes": ((0x3008, WON[0][1]),)}),
    "an update twice": (WRITE, {"writes": WON * 2}),
    "upper words of an update": (WRITE, {"writes": ((0x3000, WON[0][1] | 1 << 64),)}),
    "a read left out": (READ, {"reads": (0x1000, 0x3008)}),
    "a read too many": (READ, {"reads": (0x1000, 0x2000, 0x3008, 0x3008)}),
    "order of the reads": (READ, {"reads": (0x2000, 0x1000, 0x3008)}),
    "another entry read": (READ, {"reads": (0x1000, 0x2000, 0x3000)}),
    "a hit that cannot be": (READ, {"reads": ()}),
    "a table that cannot be remembered": (READ, {"reads": (0x3008,)}),
}


@pytest.mark.parametrize("walk_cache", [False, True])
@pytest.mark.parametrize("field", WRONG)
def test_one_wrong_field_is_seen(field, walk_cache):
    access, changes = WRONG[field]
    answer = replace(right(access), **changes)
    assert answer != right(access)
    (wrong,) = verdicts([access], [answer], walk_cache=walk_cache)
    assert wrong and wrong.startswith("expected ")


def test_without_a_walk_cache_every_walk_begins_at_the_first_table():
    """With one, the end of the walk is enough once the tables may be remembered."""
    second = replace(right(READ), reads=(0x3008,))
    for walk_cache in (True, False):
        wrong = verdicts([WRITE, READ], [right(WRITE), second], walk_cache=walk_cache)
        assert [bool(w) for w in wrong] == [False, not walk_cache]


def test_a_fault_is_not_remembered():
    """Only a permission fault comes from an entry; another walks again."""
    hole = Access(0x5000)
    hit = replace(right(hole), reads=())
    assert [bool(w) for w in verdicts([hole, hole], [right(hole), hit])] == [False, True]
