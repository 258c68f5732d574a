"""The rows of the mutants fit the sources: each text is there once, each killer exists. The mutants
themselves run with `make mutants`."""

import re
from dataclasses import replace

import pytest

from campaigns.changes.run import SHORT
from campaigns.litmus.shapes import SHAPES as LITMUS_SHAPES
from campaigns.mutants import run, schemata
from campaigns.mutants.run import MUTANTS, Mutant, failed_tests, killed, runs_of
from cases.shapes import SHAPES
from labs.choices import Misfit, Place
from support.on import On
from support.run import ROOT
from unit.cpu import program

# One of each kind; `make mutants` runs all.
SAMPLE = ["cow-reuse", "fork-flush", "gather-tables", "hole-above", "protect-flush", "move-flush",
          "local-flush"]  # fmt: skip


@pytest.mark.parametrize("name", SAMPLE)
def test_firmware_mutant_is_killed(name):
    assert killed(next(m for m in MUTANTS if m.name == f"sw-{name}"))


def test_two_tests_of_a_module_that_run_at_once_have_results_apart(monkeypatch):
    """Without a defect all have number 0; each would take the other's report for its own."""
    places = []

    def run_unit(*_, beside, **more):
        places.append(beside)
        raise RuntimeError

    monkeypatch.setattr(run, "run_unit", run_unit)
    for test in ("first", "second"):
        with pytest.raises(run.NoEnd):
            run.failing(ROOT / "any.v", "unit.none", On("mmu:wide"), 0, [test])
    assert len(set(places)) == 2


def test_failed_tests_are_those_of_a_run_that_had_some(tmp_path):
    """Parameters are no part of a name; a run without a test is no verdict."""
    report = tmp_path / "results.xml"
    report.write_text(
        '<a><testcase name="x/write=True"><failure /></testcase><testcase name="y" /></a>'
    )
    assert failed_tests(report) == {"x"}
    report.write_text('<testsuites name="cocotb tests" />')
    with pytest.raises(Misfit, match=r"results.xml: no test ran"):
        failed_tests(report)


def misfit(mutant: Mutant) -> str:
    """What of a row is not in the sources; nothing if it fits them."""
    try:
        if mutant.changed() == (ROOT / mutant.file).read_text():
            return "changes nothing"
    except Misfit as error:
        return str(error)
    path, killer = ROOT / "tb" / (mutant.module.replace(".", "/") + ".py"), mutant.killer
    there = {
        "soak": killer in SHAPES,
        "litmus": killer in LITMUS_SHAPES,
        "changes": (mutant.unit, killer) in {row[:2] for row in SHORT},
        "pytest": (ROOT / "tb" / killer).exists(),
        "host": (ROOT / "sw" / "tests" / f"{killer}.c").exists(),
        "unit.cpu.cocotb_directed": killer in program.names(),
    }.get(mutant.module)
    if there is None:
        where = [
            on for on in runs_of(mutant.module) if (on.unit, on.part) == (mutant.unit, mutant.part)
        ]
        there = f"async def {killer}(" in path.read_text()
        there &= any(killer in (on.tests or [killer]) for on in where)
    return "" if there else f"no {mutant.module} {killer} on {mutant.unit}"


def changed(row: Mutant, *places: Place) -> Mutant:
    return replace(row, places=places)


def test_rows_fit_the_sources():
    found = {mutant.name: misfit(mutant) for mutant in MUTANTS}
    assert {name: text for name, text in found.items() if text} == {}
    assert len(found) == len(MUTANTS) > 0, "names are unique"


def test_a_row_that_does_not_fit_is_named():
    row = MUTANTS[0]
    (place,) = row.places
    assert "is there 0 times" in misfit(changed(row, replace(place, old="no such text")))
    assert misfit(changed(row, replace(place, new=place.old))) == "changes nothing"
    assert misfit(replace(row, killer="nothing")) == f"no {row.module} nothing on {row.unit}"


def test_every_choice_has_its_place():
    """`make mutants` compiles them."""
    text = "".join(schemata.sources().values())
    found = {int(number) for number in re.findall(r"Defect(?:\.instead)?\((\d+)\)", text)}
    assert found == set(schemata.NUMBERS.values())


def test_a_killer_that_fails_without_a_defect_is_told(monkeypatch):
    row = next(mutant for mutant in MUTANTS if mutant.module == "litmus")
    monkeypatch.setattr(schemata, "verilog", lambda unit: unit)
    monkeypatch.setitem(
        run.IN_RTL, "litmus", lambda _, unit, number: (unit, number) == (row.unit, 0)
    )
    assert run.unsound(row) == f"litmus {row.killer} on {row.unit} fails without a defect"
    monkeypatch.setitem(run.IN_RTL, "litmus", lambda *_: False)
    assert run.unsound(row) == ""
    assert run.told(row)[0] == "SURVIVED"
