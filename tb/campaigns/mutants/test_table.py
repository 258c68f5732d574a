"""The rows of the mutants fit the sources: each text is there once, each killer exists. The mutants
themselves run with `make mutants`."""

import pytest

from campaigns.changes.short import SHORT
from campaigns.litmus.shapes import SHAPES as LITMUS_SHAPES
from campaigns.mutants.run import MUTANTS, Misfit, failed_tests, killed, mutated
from cases.shapes import SHAPES
from support.run import ROOT
from unit.cpu import program

# One of each kind; `make mutants` runs all.
SAMPLE = [
    "cow-reuse",
    "fork-flush",
    "gather-tables",
    "hole-above",
    "protect-flush",
    "move-flush",
    "local-flush",
]


@pytest.mark.parametrize("name", SAMPLE)
def test_firmware_mutant_is_killed(name):
    assert killed(next(m for m in MUTANTS if m.name == f"sw-{name}"))


def test_a_run_without_a_test_is_no_verdict(tmp_path):
    report = tmp_path / "results.xml"
    report.write_text('<testsuites name="cocotb tests" />')
    with pytest.raises(Misfit, match=r"results.xml: no test ran"):
        failed_tests(report)


def test_parameters_are_no_part_of_a_name(tmp_path):
    report = tmp_path / "results.xml"
    report.write_text(
        '<a><testcase name="x/write=True"><failure /></testcase><testcase name="y" /></a>'
    )
    assert failed_tests(report) == {"x"}


def test_names_are_unique():
    names = [m.name for m in MUTANTS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_row_fits_the_sources(mutant):
    assert mutated(mutant) != (ROOT / mutant.file).read_text()
    if mutant.module == "soak":
        assert mutant.killer in SHAPES
        return
    if mutant.module == "litmus":
        assert mutant.killer in LITMUS_SHAPES
        return
    if mutant.module == "changes":
        assert (mutant.unit, mutant.killer) in {row[:2] for row in SHORT}
        return
    if mutant.module == "pytest":
        assert (ROOT / "tb" / mutant.killer).exists()
        return
    if mutant.module == "host":
        assert (ROOT / "sw" / "tests" / f"{mutant.killer}.c").exists()
        return
    if mutant.module == "unit.cpu.cocotb_directed":
        assert mutant.killer in program.names()
        return
    module = ROOT / "tb" / (mutant.module.replace(".", "/") + ".py")
    assert f"async def {mutant.killer}(dut" in module.read_text()
