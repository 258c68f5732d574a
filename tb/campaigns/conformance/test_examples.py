"""The worked examples of the specification (chapter 9) on the RTL, and their twins, where the
access succeeds once the control is off. The golden model says what each text says
(model/test_walk_examples.py); the judge of the random runs holds the RTL against it."""

import pytest

from campaigns.soak.build import harness
from campaigns.soak.judge import Judge
from campaigns.soak.player import SETTLED, play, script
from model import Fault, Memory, translate
from model.examples import (
    EXAMPLES,
    SHARED_UPDATE,
    TWINS,
    access_of,
    features_of,
    memory_of,
    name_of,
    number,
    outcome_of,
    registers_of,
)
from model.steps import Ask, Delays, Flush, Load, Step, Store, Trap, Trouble
from model.tlbi import Invalidation
from model.tlbi import Kind as Tlbi
from support.configurations import CONFIGURATIONS, Configuration
from support.run import SIM

CASES = {name_of(example): example for example in (*EXAMPLES, *TWINS)}
# Where an example is played that the translate port cannot ask.
ELSEWHERE = {
    "G15": "the requester checks alignment: tb/unit/cpu/asm/faults.S",
    "G19": "AT is an operation of the register block: tb/unit/mmu/cocotb_address_translate.py",
    "G20": "AT is an operation of the register block: tb/unit/mmu/cocotb_address_translate.py",
}
ELSEWHERE |= {f"{name}-twin": why for name, why in ELSEWHERE.items() if name != "G19"}


def memory(example: dict) -> Memory:
    """Memory that cannot swap is a property of the memory to hardware, of the features to the
    example."""
    found = memory_of(example)
    if not features_of(example).atomic_ok:
        found.no_swap = set(found.words)
    return found


def said(outcome) -> tuple:
    if isinstance(outcome, Fault):
        return outcome.status, outcome.wnr, outcome.reads
    return outcome.pa, outcome.attr, outcome.reads, outcome.changed


def has(config: Configuration, example: dict) -> bool:
    """All addresses exist, and the outcome is that with the example's own features."""
    asked = registers_of(example), config.features, memory(example), access_of(example)
    there = config.unit and not any(number(a) >> config.features.pamax for a in example["mem"])
    return there and said(translate(*asked)) == said(outcome_of(example))


PLAYED = {
    config: [name for name in CASES if name not in ELSEWHERE and has(what, CASES[name])]
    for config, what in CONFIGURATIONS.items()
    if what.unit
}


def steps(example: dict) -> list[Step]:
    held = memory(example)
    race = (number(example["reads"][3]), 0) if name_of(example) == SHARED_UPDATE else None
    return [
        *(Store(address, value) for address, value in held.words.items()),
        *(Trap(address, Trouble.ERROR) for address in held.errors),
        *(Trap(address, Trouble.NO_SWAP) for address in held.no_swap),
        Load(registers_of(example)),
        Flush(Invalidation(Tlbi.ALL)),
        Ask(access_of(example), race),
    ]


def test_every_example_has_a_configuration_or_a_reason():
    assert set(CASES) - {name for names in PLAYED.values() for name in names} == set(ELSEWHERE)


@pytest.mark.parametrize("config", PLAYED)
def test_examples(config):
    """A walk remembers no table while a sweep is under way, so the access waits for its end."""
    lines = []
    for name in PLAYED[config]:
        *before, ask = script(steps(CASES[name]), Delays())
        lines += [*before, SETTLED, ask]
    answers = iter(play(harness(config), lines, SIM / "conformance" / f"examples-{config}"))
    what = CONFIGURATIONS[config]
    judge = Judge(what.features, walk_cache=what.walk_cache)
    wrong = {}
    for name in PLAYED[config]:
        (judged,) = judge.case(steps(CASES[name]), answers)
        wrong |= {name: judged.wrong} if judged.wrong else {}
    assert not wrong
