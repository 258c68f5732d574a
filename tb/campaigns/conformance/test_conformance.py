"""`make conformance`: the RTL agrees with the published vectors; unusable files are refused."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from campaigns.conformance.run import RANDOM, fitting, main, on_rtl
from campaigns.soak.campaign import run
from campaigns.soak.run import jobs_of
from cases import vector_files
from model import Features
from model.vectors import read
from support.run import ROOT
from support.seed import run_seed

BASE = ROOT / "tb" / "data" / "vectors" / "vmsa64-base.json.gz"
LPA2 = ROOT / "tb" / "data" / "vectors" / "vmsa64-lpa2.json.gz"


@pytest.mark.parametrize(
    "path, config, checks",
    [
        (BASE, "vmsa48", 35_388),
        (BASE, "vmsa48_nocache", 35_388),
        (LPA2, "wide", 34_480),
        (LPA2, "wide_nocache", 34_480),
    ],
    ids=lambda value: value.name.split(".")[0] if isinstance(value, Path) else str(value),
)
def test_vectors_cold_hot_and_resident(path, config, checks):
    """Every check of both files, with and without the walk cache; a disagreement is named."""
    assert config in fitting(path)
    outcome = on_rtl(path, config=config)
    assert not outcome["disagree"], outcome["disagree"][0]
    assert outcome["checks"] == checks
    assert outcome["agree"] == dict.fromkeys(("cold", "hot", "resident"), checks)


@pytest.mark.parametrize("shape", RANDOM)
def test_random_cases_cold_hot_and_resident(shape, tmp_path):
    """2,000 checks of RISC-V's formats; with --random, as many as one likes."""
    [path] = vector_files.write(tmp_path, shape, "wide", run_seed(), 2000)
    outcome = on_rtl(path)
    assert not outcome["disagree"], f"{path.name}: {outcome['disagree'][0]}"
    assert outcome["checks"] >= 2000
    assert set(outcome["agree"].values()) == {outcome["checks"]}


def test_random_cases_of_descriptors_that_change_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no access changes"):
        next(vector_files.write(tmp_path, "4k", "wide", 1, 100))
    with pytest.raises(ValueError, match="teaching has no shape 'sv39'"):
        next(vector_files.write(tmp_path, "sv39", "teaching", 1, 100))


def test_a_run_without_files_and_shapes_is_refused():
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 2
    assert "give --vectors FILE or --random SHAPE" in result.output


def test_a_wrong_expectation_is_found_and_named(tmp_path):
    """The twin: one changed answer must fail the run with status 1 and the case's number."""
    document = json.loads(gzip.decompress(BASE.read_bytes()))
    document["cases"] = document["cases"][:2]
    check = next(c for c in document["cases"][1]["checks"] if "fsc" in c)
    check["fsc"] ^= 1
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document))
    result = CliRunner().invoke(main, ["--vectors", str(path), "--no-record"])
    assert result.exit_code == 1
    assert "first disagreement: case 1, cold" in result.output
    assert f"expected fsc={check['fsc']:#04x}" in result.output


def test_malformed_file_is_refused(tmp_path):
    path = tmp_path / "broken.json.gz"
    path.write_bytes(BASE.read_bytes()[:1000])
    result = CliRunner().invoke(main, ["--vectors", str(path)])
    assert result.exit_code == 2
    assert "broken.json.gz: damaged gzip file" in result.output


def test_missing_file_is_refused(tmp_path):
    result = CliRunner().invoke(main, ["--vectors", str(tmp_path / "none.json.gz")])
    assert result.exit_code == 2
    assert "cannot be read" in result.output


def test_vectors_of_another_walker_are_refused_by_the_rtl_and_run_on_the_model(tmp_path):
    """No configuration has 52-bit virtual addresses without LPA2."""
    document = json.loads(gzip.decompress(BASE.read_bytes()))
    document["features"] = ["base", "lva"]
    path = tmp_path / "lva.json"
    path.write_text(json.dumps(document))
    result = CliRunner().invoke(main, ["--vectors", str(path)])
    assert result.exit_code == 2
    assert "is for a walker with base, lva" in result.output
    result = CliRunner().invoke(main, ["--vectors", str(LPA2), "--on", "model"])
    assert result.exit_code == 0
    assert "34,480 of 34,480 agree" in result.output


def test_a_configuration_with_other_formats_is_refused():
    result = CliRunner().invoke(main, ["--vectors", str(BASE), "--config", "teaching_main"])
    assert result.exit_code == 2
    assert "is for the formats of vmsa48, vmsa48_nocache; teaching_main has others" in result.output


@pytest.mark.parametrize("cases", [[], [{"checks": []}]])
def test_a_file_without_checks_is_refused(tmp_path, cases):
    """Nothing to check is no success."""
    state = dict.fromkeys(("tcr", "ttbr0", "ttbr1", "mair", "sctlr"), "0x0") | {"memory": []}
    document = {"features": ["base"], "cases": [state | case for case in cases]}
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(document))
    result = CliRunner().invoke(main, ["--vectors", str(path)])
    assert result.exit_code == 2
    assert "has no checks" in result.output


def test_steps_are_replayed_on_the_configuration_that_the_file_names(tmp_path):
    """A failing random case comes back as it was, and agrees once the expectation is right."""
    job = replace(jobs_of("teaching", ["64k"], 4, 1000)[0], features=Features(pamax=32, hafdbs=0))
    path = Path(run(job).failures[0].rsplit("=", 1)[1])
    result = CliRunner().invoke(main, ["--vectors", str(path), "--no-record"])
    assert result.exit_code == 1
    file = read(path)
    assert len(file.cases[0].checks) > 1, "the case fails at once; choose another seed"
    assert f"first disagreement: case 0, steps: {file.cases[0].checks[-1]}" in result.output
    document = json.loads(gzip.decompress(path.read_bytes()))
    document["cases"][0]["checks"].pop()
    document["cases"][0]["steps"].pop()
    path = tmp_path / "without.json"
    path.write_text(json.dumps(document))
    result = CliRunner().invoke(main, ["--vectors", str(path), "--no-record"])
    assert result.exit_code == 0, result.output
    assert f"steps     {len(file.cases[0].checks) - 1} of" in result.output
