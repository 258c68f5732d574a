"""The worked examples of the specification (chapter 9) on the RTL: outcome, every read in its
order, and memory afterwards. Their twins: the access succeeds once the control is off."""

import pytest

from campaigns.conformance.examples import CASES, ELSEWHERE, configs, difference, played
from campaigns.soak.build import harness
from campaigns.soak.player import play
from model.examples import name_of
from support.configurations import CONFIGURATIONS
from support.run import SIM

PLAYED_BY = {name_of(e): configs(e) for e in CASES}


def test_every_example_has_a_configuration_or_a_reason():
    """Whatever is left out is left out for a reason that is written down."""
    nowhere = {name for name, found in PLAYED_BY.items() if not found}
    assert nowhere == set(ELSEWHERE)


@pytest.mark.parametrize("config", [name for name, c in CONFIGURATIONS.items() if c.unit])
def test_examples(config):
    chosen = [e for e in CASES if config in PLAYED_BY[name_of(e)]]
    lines = [line for e in chosen for line in played(e)]
    work = SIM / "conformance" / f"examples-{config}"
    answers = play(harness(config), lines, work)
    assert len(answers) == len(chosen)
    wrong = {
        name_of(e): reason
        for e, answer in zip(chosen, answers, strict=True)
        if (reason := difference(e, answer, walk_cache=CONFIGURATIONS[config].walk_cache))
    }
    assert not wrong, "\n".join(f"{name}: {reason}" for name, reason in wrong.items())
