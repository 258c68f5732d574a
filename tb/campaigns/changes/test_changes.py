"""Register inputs that change while accesses wait, in short: one world of each kind, and that a
wrong answer and a state that nothing waited in are found."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from campaigns.changes import run
from campaigns.changes.oracle import Ask, Expected, Inputs, Oracle
from campaigns.changes.play import MODES, Result
from campaigns.changes.run import SHORT, Bench, play_short, world_of
from campaigns.changes.states import impossible
from model import Access, Kind, Registers
from support.configurations import features_of

SHARED = ("mmu:teaching", "mmu:wide")  # test_soak compiles them too


@pytest.mark.parametrize("unit, name, changes, mode, waits", SHORT)
def test_short(unit, name, changes, mode, waits):
    result = play_short(Bench.of(unit, brief=unit not in SHARED), name, changes, mode)
    assert not result.wrong, result.wrong[:10]
    assert result.waited >= waits
    states = {state for _, state in result.met}
    direct = name.startswith(("closes", "reshapes"))  # without translation no table is read
    assert direct or waits < 10 or "walker_1: step" in states
    assert len(states) > 5


def test_a_wrong_answer_is_found(monkeypatch):
    """The twin: by a model whose MAIR is another every translation is wrong."""
    bench = Bench.of("mmu:teaching")
    world = world_of(bench, "vmsa 12 14", ["TTBR0"])
    world.asks = world.asks[:1]
    right = Oracle.expected

    def wrong(oracle, inputs: Inputs, words, ask: Ask) -> Expected:
        other = replace(inputs, registers=replace(inputs.registers, mair=0))
        return right(oracle, other, words, ask)

    monkeypatch.setattr(Oracle, "expected", wrong)
    result = bench.play(world, MODES[:1])
    assert result.wrong and "answers address" in result.wrong[0]


def test_par_has_the_form_that_tcr2_chooses():
    """DDI 0487: TCR2_EL1.D128 sets PAR_EL1.D128, also of a fault."""
    oracle = Oracle(features_of("wide"), protected=False)
    registers = Registers(16 | 16 << 16 | 5 << 32, tcr2=0x32)
    ask = Ask(Access(0, Kind.AT_READ, el=1))
    par = oracle.expected(Inputs(registers), {}, ask).said[1]
    assert par == 0x1_0000_0000_0000_0857


def test_a_state_that_nothing_waited_in_fails(monkeypatch):
    bench = Bench.of("mmu:teaching")
    monkeypatch.setattr(run.Bench, "of", lambda unit: bench)
    monkeypatch.setattr(run.results, "write", lambda *_, **__: None)

    def outcome(states):
        result = Result(runs=1, waited=1)
        for state in states:
            result.met["TTBR0", state] += 1
        monkeypatch.setattr(run, "play_all", lambda *_: {bench.unit: result})
        return CliRunner().invoke(run.main, ["--unit", "mmu:teaching"])

    every = [s for s in bench.states.every() if not bench.impossible(s)]
    assert {"walker_1: leaf", "pmp: decide", "sweep: finish", "data: suspect"} <= set(every)
    assert outcome(every).exit_code == 0
    missed = outcome(every[1:])
    assert missed.exit_code == 1 and f"never waited in: mmu:teaching: {every[0]}" in missed.output


def test_reasons():
    small, teaching = (Bench.of(f"mmu:{c}").machine for c in ("minimal", "teaching"))
    assert impossible("walker_1: swapping", small) == "hardware updates nothing"
    assert impossible("walker_1: swapping", teaching) is None
