"""Random translations on the RTL of each configuration, 2,000 of every format and granule; and that
a disagreement is found, named and written as a vector file. It begins at SEED of the environment,
else at 1; `make soak` draws a seed."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from campaigns.coverage import store
from campaigns.coverage.run import examine
from campaigns.soak import bridge
from campaigns.soak.campaign import campaign, case_of, run
from campaigns.soak.run import MORE, jobs_of, main, shapes_of
from cases.shapes import SHAPES
from model import vectors
from model.steps import Ask
from support.configurations import CONFIGURATIONS
from support.run import SIM
from support.seed import run_seed

FEWEST = {"sv32": 60, "sv39": 110, "sv48": 130}  # bins; they have 80, 152 and 192 in all
SEED = run_seed()


@pytest.mark.parametrize("config", ["teaching", "wide", "minimal", "fixed16k"])
def test_soak(config):
    outcomes = campaign(jobs_of(config, shapes_of(config), SEED, 2000), 1, speak=False)
    for shape in shapes_of(config):
        outcome = outcomes[shape]
        assert not outcome.failures, outcome.failures[0]
        assert outcome.accesses >= 2000
        fewest = FEWEST.get(shape, 150)
        assert len(outcome.bins) > fewest, f"{shape} seed {SEED}: only {len(outcome.bins)} bins"


def test_a_disagreement_is_named_and_can_be_replayed():
    """The twin: with a model that has a smaller output size the run must fail, and the file that it
    writes must hold the failing access as its last check."""
    job = jobs_of("wide", ["4k"], 1, 3000)[0]
    outcome = run(replace(job, features=replace(job.features, pamax=44), config="twin"))
    assert len(outcome.failures) == 1
    text = outcome.failures[0]
    assert "twin 4k seed 1 case" in text and "replay: make conformance VECTORS=" in text
    file = vectors.read(text.rsplit("=", 1)[1])
    case = file.cases[0]
    assert file.seed == 1
    assert sum(isinstance(step, Ask) for step in case.steps) == len(case.checks)
    assert str(case.checks[-1]) in text


@pytest.mark.parametrize("more, complete", [([], False), (["--cover"], True)])
def test_it_goes_on_until_every_bin_is_hit(tmp_path, monkeypatch, more, complete):
    """A thousand translations of Sv32 do not reach all its bins; with --cover more follow."""
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    options = ["--shape", "sv32", "--count", "1000", "--seed", "1", "--jobs", "1", "--no-record"]
    result = CliRunner().invoke(main, [*options, *more])
    assert result.exit_code == 0, result.output
    rounds = result.output.count("soak: bins left, so as many again of sv32\n")
    hits, _ = store.load("wide")
    report = examine(SHAPES["sv32"], CONFIGURATIONS["wide"].features, hits)
    assert (not report.holes) == complete
    assert (1 <= rounds <= MORE) == complete
    assert hits.total() >= (1 + rounds) * 1000


def test_a_case_depends_on_its_seed_only():
    job = jobs_of("wide", ["16k"], 9, 100)[0]
    again = jobs_of("wide", ["16k"], 9, 5000)[0]
    assert case_of(job, 5) == case_of(again, 5) != case_of(job, 6)
    assert job.features == CONFIGURATIONS["wide"].features
    assert SIM in job.harness.parents


def test_a_run_of_the_bridge_has_its_beats():
    beats, cycles = bridge.run(seed=1, beats=2000)
    assert beats >= 2000 and cycles > 0
