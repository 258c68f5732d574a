"""The proofs hold, a defect breaks one, and every row fits the sources. What must not pass for a
verdict: ABC that cannot read its circuit, and a defect that is not in the Verilog. `make formal`
seeds all."""

import pytest

from campaigns.mutants import schemata
from formal import abc, run
from formal.netlist import chosen, sentence
from formal.proofs import OWN, PROOFS, ROWS
from labs.choices import Misfit
from support.root import ROOT
from support.run import built

UNITS = (ROOT / "rtl/src/granule/gen/Units.scala").read_text()
USED = {name for proof in PROOFS for name in proof.rows}
SECONDS = 300  # each takes one or two on an idle machine


@pytest.mark.parametrize("proof", PROOFS, ids=lambda p: p.name)
def test_proof(proof):
    built("verilog")
    rows = run.claims(proof, SECONDS)
    assert {row["kind"] for row in rows} == {"claim", "reach"}
    assert [row["sentence"] for row in rows if not row["good"]] == []
    claims = [row["sentence"] for row in rows if row["kind"] == "claim"]
    assert [claim for claim in claims if not proof.texts_in(claim)] == []
    texts = {text for claim in claims for text in proof.texts_in(claim)}
    assert set(proof.mutants) == texts


def test_a_defect_breaks_a_claim(tmp_path):
    """In the Verilog of the proof, as to generate it again takes longer: a swap expects the
    descriptor with its change in it."""
    built("verilog")
    proof = next(p for p in PROOFS if p.name == "descriptor")
    good = "assign io_memory_cmd_payload_expected = walk_descriptor;"
    text = run.source_of(proof).read_text()
    assert text.count(good) == 1
    source = tmp_path / "defect.sv"
    source.write_text(text.replace(good, good.replace("walk_descriptor", "step_updated")))
    outputs = run.circuits(proof, "claim", source, "defect")
    claim = next(o for o in outputs if o.sentence == "it expects what was read")
    assert abc.ask(claim.aiger, abc.PROVE, SECONDS).verdict == "high"
    whole = claim.aiger.with_name("defect.aig")
    assert abc.ask(whole, abc.PROVE, SECONDS).verdict == "high"


def test_units_exist():
    units = {proof.unit.split(":")[0] for proof in PROOFS}
    assert {unit for unit in units if f'UnitTop("{unit}"' not in UNITS} == set()


def test_mutants_fit_the_sources():
    """`changed` raises where the text is not there once, and names the row."""
    for name in USED:
        assert ROWS[name].changed() != (ROOT / ROWS[name].file).read_text(), name


def test_every_row_is_used():
    assert {m.name for m in OWN} <= USED


def test_some_outputs_of_a_circuit():
    circuit = b"aig 3 1 1 0 1 2 1\n6\n4\n5\n2\n\x02\x02"
    assert chosen(circuit, [1], 2) == b"aig 3 1 1 0 1 1 1\n6\n5\n2\n\x02\x02"
    assert chosen(circuit, [0, 1], 2) == circuit


def test_sentence_of_a_cell():
    assert sentence(["assert(claim_a_walk_ends_); // x"], "$assert$a.sv:1$2") == "a walk ends"


def test_a_circuit_that_abc_cannot_read_is_no_verdict(tmp_path):
    source = tmp_path / "broken.aig"
    source.write_bytes(b"no circuit\n")
    with pytest.raises(abc.Failed, match="broken.aig: ABC ended without a verdict"):
        abc.ask(source, abc.PROVE, 60)


def test_a_defect_that_changes_no_verilog_is_no_defect(monkeypatch):
    built("verilog")
    proof = next(p for p in PROOFS if p.name == "descriptor")
    same = {proof.unit: run.source_of(proof)}
    monkeypatch.setattr(schemata, "alone", lambda *_: same)
    with pytest.raises(Misfit, match="the Verilog is the same without the defect"):
        run.mutants(proof, (), run.Seeded([proof]))
