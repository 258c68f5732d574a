"""Proofs by induction, on circuits that are small enough to write down."""

from dataclasses import replace

import pytest

from formal import abc, run
from formal.induction import Step, coded, decoded, read
from formal.netlist import Output
from formal.proofs import PROOFS

# Two registers, one behind the other: what a claim is about, and what the first one takes on.
CHAIN = "aig 2 0 2 0 0 1 0\n{first}\n2\n{violated}\n"
NEVER_HIGH = CHAIN.format(first=0, violated=4)
HIGH_AT_LAST = CHAIN.format(first=1, violated=5)


def test_numbers_of_gates():
    for number in (0, 1, 127, 128, 300, 70_000):
        assert list(decoded(coded(number) + coded(5))) == [number, 5]


def test_a_circuit_is_read(tmp_path):
    """Two inputs, a register that takes on their AND, a claim and an assumption."""
    source = tmp_path / "small.aig"
    source.write_bytes(b"aig 4 2 1 0 1 1 1\n8\n6\n3\n\x04\x02")
    circuit = read(source)
    assert (circuit.inputs, circuit.following, circuit.gates) == (2, [8], [(4, 2)])
    assert (circuit.violated, circuit.assumed) == ([6], [3])


@pytest.mark.parametrize(("cycles", "verdict"), [(1, "high"), (2, "never")])
def test_a_claim_follows_from_cycles_before_it(tmp_path, cycles, verdict):
    source, question = tmp_path / "chain.aig", tmp_path / "question.aig"
    source.write_text(NEVER_HIGH)
    question.write_bytes(Step(read(source), cycles).question(0))
    assert abc.ask(question, abc.DECIDE, 60, abc.READ).verdict == verdict


@pytest.mark.parametrize(
    ("circuit", "cycles", "verdict"),
    [(NEVER_HIGH, 2, "never"), (NEVER_HIGH, 1, "open"), (HIGH_AT_LAST, 2, "open")],
    ids=["follows", "does not follow", "does not hold at first"],
)
def test_a_proof_by_induction(tmp_path, monkeypatch, circuit, cycles, verdict):
    monkeypatch.setattr(run, "WORK", tmp_path)
    proof = replace(PROOFS[0], name="small", induction=cycles)
    whole = tmp_path / "small_claim.aig"
    whole.write_text(circuit)
    claims = [Output("the second register is as it was", 0, whole)]
    assert run.prove(proof, claims, 60).verdict == verdict
