"""`make conformance`: the RTL agrees with the published vectors; unusable files are refused."""

import gzip
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from campaigns.conformance.replay import covered, sample
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
    [(BASE, "vmsa48", 35_388), (BASE, "vmsa48_nocache", 35_388),
     (LPA2, "wide", 34_480), (LPA2, "wide_nocache", 34_480)],
    ids=lambda value: value.name.split(".")[0] if isinstance(value, Path) else str(value),
)  # fmt: skip
def test_vectors_cold_hot_and_resident(path, config, checks):
    """Every check of both files, with and without the walk cache; a disagreement is named."""
    assert config in fitting(path)
    outcome = on_rtl(path, config=config)
    assert not outcome["disagree"], outcome["disagree"][0]
    assert outcome["checks"] == checks
    assert outcome["agree"] == dict.fromkeys(("cold", "hot", "resident"), checks)


def invoke(*arguments):
    return CliRunner().invoke(main, [str(word) for word in arguments])


NEW = ("arm-64", "arm-d128", "arm-indirect", "spike-sv39", "spike-sv48")
UPDATES = ("arm-64-updates", "arm-d128-updates", "arm-indirect-updates")


def vector_file(name: str) -> Path:
    return ROOT / "tb" / "data" / "vectors" / f"{name}.json.gz"


def two(name: str) -> tuple[str, str]:
    """A configuration that has the file's format, with and without walk cache."""
    first = fitting(vector_file(name))[0]
    return first, f"{first}_nocache"


@pytest.mark.parametrize("name", NEW)
def test_a_sample_cold_hot_and_resident(name):
    """1,000 checks of each file in `make test`, with and without walk cache; `make conformance`
    makes all of them on every configuration that has the format."""
    for config in two(name):
        outcome = on_rtl(vector_file(name), 1000, config=config)
        assert not outcome["disagree"], outcome["disagree"][0]
        assert outcome["agree"] == dict.fromkeys(("cold", "hot", "resident"), 1000)


@pytest.mark.parametrize("name", UPDATES)
def test_updates_of_descriptors_are_made_once(name):
    """All of them: as the file says, hot, and after an invalidation."""
    path = vector_file(name)
    for config in two(name):
        outcome = on_rtl(path, config=config)
        assert not outcome["disagree"], outcome["disagree"][0]
        assert outcome["agree"] == dict.fromkeys(("steps", "hot", "updated"), read(path).checks)


def changed_answer(name: str, tmp_path: Path) -> Path:
    """The first 20 cases of the file, with one answer changed: an address, a fault's level, or the
    value of an update."""
    document = json.loads(gzip.decompress(vector_file(name).read_bytes()))
    document["cases"] = document["cases"][:20]
    check = document["cases"][19]["checks"][-1]
    if "changed" in check:
        check["changed"][0][1] = hex(int(check["changed"][0][1], 16) ^ 1 << 55)
    elif "pa" in check:
        check["pa"] = hex(int(check["pa"], 16) ^ 1 << 12)
    else:
        check["fsc"] ^= 1
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("target", ["rtl", "model"])
@pytest.mark.parametrize("name", [*NEW, *UPDATES])
def test_one_changed_answer_fails_the_run(name, target, tmp_path):
    given = ["--no-record", "--on", target, "--config", two(name)[0]]
    result = invoke("--vectors", changed_answer(name, tmp_path), *given)
    assert result.exit_code == 1, result.output
    assert "first disagreement: case 19, " in result.output


def test_every_configuration_with_the_format_is_there():
    """Without a walk cache, with a main TLB and with a hashed table as well."""
    arm64 = {f"vmsa48{kind}" for kind in ("", "_nocache", "_main", "_hashed")}
    assert set(fitting(BASE)) == set(fitting(vector_file("arm-64"))) == arm64
    for name in ("arm-d128", "arm-indirect-updates", "spike-sv48", "vmsa64-lpa2"):
        assert set(fitting(vector_file(name))) == {"wide", "wide_nocache"}


@pytest.mark.parametrize("name", ["vmsa64-base", "spike-sv39", "arm-64-updates"])
@pytest.mark.parametrize("count", [1, 7, 100, 300])
def test_a_sample_has_as_many_checks_as_it_says(name, count):
    file = read(vector_file(name))
    chosen = sample(file, count)
    assert sum(map(len, chosen)) == count
    assert all(set(some) <= set(case.checks) for some, case in zip(chosen, file.cases, strict=True))
    assert sum(map(len, sample(file, None))) == sum(map(len, sample(file, 10**9))) == file.checks


def test_a_sample_covers_what_it_made():
    """Coverage that nothing has played would close holes."""
    features = Features(pamax=48)
    assert covered(BASE, features, 50).total() == 50


def test_checks_and_config_choose():
    """CONFIG leaves the files of other formats out, and says so."""
    files = ["--vectors", vector_file("arm-64"), "--vectors", vector_file("arm-d128")]
    result = invoke(*files, "--config", "wide", "--checks", 50, "--on", "model")
    assert result.exit_code == 0, result.output
    assert "left out: arm-64.json.gz is for the formats of vmsa48" in result.output
    assert "cold      50 of 50 agree" in result.output
    assert "arm-d128.json.gz on model of wide" in result.output
    result = invoke(*files, "--config", "teaching", "--on", "model")
    assert result.exit_code == 2 and "teaching has others" in result.output
    assert invoke(*files, "--checks", 0).exit_code == 2


@pytest.mark.parametrize(
    "given, passed",
    [
        ([], ['--on "rtl"', "arm-64.json.gz", "vmsa64-lpa2.json.gz"]),
        (["ON=model"], ['--on "model"']),
        (["CONFIG=wide_nocache"], ["--config wide_nocache"]),
        (["CHECKS=50", "VECTORS=a.gz b.gz"], ["--checks 50", "--vectors a.gz --vectors b.gz"]),
    ],
)
def test_make_passes_its_variables_on(given, passed):
    """The names are a contract; the default of CONFIG is not that of `make soak`."""
    make = ["make", "-n", "-o", "setup", "-o", "verilog"]
    plan = subprocess.run(
        [*make, "conformance", *given], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert all(word in plan for word in passed), plan
    assert ("--config" in plan) == ("CONFIG" in str(given))
    assert ("--checks" in plan) == ("CHECKS" in str(given))
    soak = subprocess.run(
        [*make, "coverage"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "--config wide" in soak


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


STATE = dict.fromkeys(("tcr", "ttbr0", "ttbr1", "mair", "sctlr"), "0x0") | {"memory": []}


@pytest.mark.parametrize(
    "content, says",
    [
        (None, "cannot be read"),
        (BASE.read_bytes()[:1000], "given.json: damaged gzip file"),
        ({"features": ["base"], "cases": []}, "has no checks"),
        ({"features": ["base"], "cases": [STATE | {"checks": []}]}, "has no checks"),
    ],
    ids=["missing", "damaged", "no case", "no check"],
)
def test_an_unusable_file_is_refused(tmp_path, content, says):
    """Nothing to check is no success."""
    path = tmp_path / "given.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    result = invoke("--vectors", path)
    assert result.exit_code == 2 and says in result.output, result.output


def test_vectors_of_another_walker_are_refused_by_the_rtl_and_run_on_the_model(tmp_path):
    """No configuration has 52-bit virtual addresses without LPA2."""
    document = json.loads(gzip.decompress(BASE.read_bytes()))
    document["features"] = ["base", "lva"]
    path = tmp_path / "lva.json"
    path.write_text(json.dumps(document))
    result = invoke("--vectors", path)
    assert result.exit_code == 2
    assert "is for a walker with base, lva" in result.output
    result = invoke("--vectors", path, "--on", "model", "--checks", 100, "--no-record")
    assert result.exit_code == 0 and "100 of 100 agree" in result.output


@pytest.mark.parametrize(
    "given, says",
    [
        ([], "give --vectors FILE or --random SHAPE"),
        (["--vectors", BASE, "--config", "teaching_main"], "is for the formats of vmsa48, vmsa48_"),
        (["--vectors", BASE, "--config", "teaching_main"], "; teaching_main has others"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, says):
    result = invoke(*given)
    assert result.exit_code == 2 and says in result.output, result.output


def test_steps_are_replayed_on_the_configuration_that_the_file_names(tmp_path):
    """A failing random case comes back as it was, and agrees once the expectation is right."""
    job = replace(jobs_of("teaching", ["64k"], 4, 1000)[0], features=Features(pamax=32, hafdbs=0))
    path = Path(run(job).failures[0].rsplit("=", 1)[1])
    result = invoke("--vectors", path, "--no-record")
    assert result.exit_code == 1
    file = read(path)
    assert len(file.cases[0].checks) > 1, "the case fails at once; choose another seed"
    assert f"first disagreement: case 0, steps: {file.cases[0].checks[-1]}" in result.output
    document = json.loads(gzip.decompress(path.read_bytes()))
    document["cases"][0]["checks"].pop()
    document["cases"][0]["steps"].pop()
    path = tmp_path / "without.json"
    path.write_text(json.dumps(document))
    result = invoke("--vectors", path, "--no-record")
    assert result.exit_code == 0, result.output
    assert f"steps     {len(file.cases[0].checks) - 1} of" in result.output
