"""An MMU says what its twin says, whatever its registers begin with; another one does not, and the
first thing that it says is shown. `make twin` runs what is slow: a seeded defect is another MMU."""

import re

import pytest
from click.testing import CliRunner

from campaigns.mutants import schemata
from campaigns.soak.build import harness
from campaigns.twin import run
from campaigns.twin.base import ABSENT, ports
from campaigns.twin.pair import Pair
from campaigns.twin.parts import Part
from support.run import verilog

UNIT = "mmu:vmsa48_nocache"


@pytest.fixture
def twin(monkeypatch):
    """`make twin` where today's MMU is that of a configuration, and BASE's is `minimal`."""

    def outcome(config: str):
        source, programs = verilog("mmu", "minimal"), (harness("minimal"), harness(config))
        monkeypatch.setattr(run, "verilog_of", lambda *_: ({"mmu:minimal": source}, {"x": "y"}))
        monkeypatch.setattr(run, "built", lambda *_: [(*programs, ["of note"])])
        options = ["--base", "HEAD", "--commands", "1000", "--seed", "1", "--jobs", "1"]
        return CliRunner().invoke(run.main, options)

    return outcome


def test_a_twin_says_the_same(twin):
    result = twin("minimal")
    assert result.exit_code == 0, result.output
    said = re.search(
        r"^x: not compared.*: y\nmmu:minimal: cycles too; changes ([\d,]+), matrix ([\d,]+), "
        r"litmus ([\d,]+), soak ([\d,]+); \d+ s\nof note\n", result.output, re.M)  # fmt: skip
    assert all(int(count.replace(",", "")) >= 200 for count in said.groups())


def test_another_mmu_is_shown(twin):
    result = twin("fixed16k")
    assert result.exit_code == 1 and "mmu:minimal: DIFFERS; changes" in result.output
    marked = re.findall(r"^> +(\d+) (.*?) +\| +(\d+) (.*)$", result.output, re.M)
    assert len(marked) == 1 and marked[0][:2] != marked[0][2:]


def test_ports_and_what_is_absent(tmp_path):
    source = tmp_path / "a.v"
    source.write_text("x\nmodule a (\n  input  wire          b,\n  output wire [7:0]    c\n);\n")
    assert ports(source, "a") == {("input", "", "b"), ("output", "[7:0]", "c")}
    said = "java.lang.IllegalArgumentException: configuration 'b' does not exist; choose one of a"
    assert ABSENT.search(said)[1] == "configuration 'b' does not exist"


# Of the catalogue: what notices them, and whether the order of events tells.
SEEDED = [
    ("", "soak", ("4k", 0), False),
    ("36-one-way", "soak", ("4k", 0), True),
    ("h33-range-by-pages", "soak", ("16k", 0), False),
    ("swap-after-done", "litmus", ("AF.table+dsb-tlbiis-dsb (ours)", 0), True),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, campaign, what, order", SEEDED)
def test_a_seeded_defect_is_found(name, campaign, what, order):
    source = schemata.verilog(UNIT)
    program = harness(UNIT.split(":")[1], source=source)
    number = schemata.NUMBERS[name] if name else 0
    for cycles in (True, False):
        pair = Pair(UNIT, source, (program,), (program, f"+defect={number}"), cycles)
        wrong = Part(pair, 1, campaign, what).play().wrong
        assert bool(wrong) == bool(number and (cycles or order)), wrong
