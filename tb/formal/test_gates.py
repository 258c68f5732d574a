"""What must not pass for a verdict: ABC that cannot read its circuit, and a defect that is not in
the Verilog."""

import pytest

from campaigns.mutants import schemata
from formal import abc, run
from formal.proofs import PROOFS
from labs.choices import Misfit
from support.run import built


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
