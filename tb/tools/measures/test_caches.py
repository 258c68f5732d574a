"""The machines of make caches: each can be built, each column is a figure that e002 prints; and A-5
on the whole system: one zero page or four, in three designs of the same cache."""

import re

import pytest

from support.run import ROOT
from system.sw.firmware import boot
from tools.measures.caches import MACHINES, MEASURED, TOPICS, section

MISSES = {  # with one zero page, and with one for each of the four colours
    "ulx3s": (8000, 4),
    "ulx3s_copies": (4, 4),
    "ulx3s_physical": (1, 4),
}


def test_each_simulator_has_a_rule():
    makefile = (ROOT / "tb" / "sim" / "sim.mk").read_text()
    own = re.search(r"CACHE_MACHINES := ((?:.|\\\n)*?)\n\w", makefile)[1].replace("\\", "").split()
    assert {name.partition("+")[0] for name in MACHINES} == {*own, "teaching", "ulx3s"}
    scala = (ROOT / "rtl/src/granule/lab/Configurations.scala").read_text()
    for name in own:
        assert f'"{name}"' in scala or name.startswith("ways")


@pytest.mark.parametrize("topic", TOPICS, ids=lambda t: t.title.split(":")[0])
def test_columns_are_figures_of_the_experiment(topic):
    assert set(topic.machines) <= set(MACHINES)
    printed = "".join(path.read_text() for path in (ROOT / "sw/experiments").glob("e002*.c"))
    for identity in topic.columns:
        assert f'"{identity}"' in printed


def test_a_table_has_what_was_measured_and_what_was_published():
    topic = TOPICS[1]
    lines = section(topic, {("teaching_nru", "H2.2"): 0.5717}).splitlines()
    assert lines[3] == "| teaching_nru | 0.5717 |  | the same with NRU replacement, one bit a way |"
    assert lines[4].startswith("| document | 0.5210 | 1.0040 |")
    assert len(lines) == 5, "machines that did not run have no line"


def test_every_machine_was_measured():
    assert {key.split(" ")[0] for key in MEASURED.recorded()["figures"]} == set(MACHINES)


@pytest.mark.xdist_group("experiments")
@pytest.mark.parametrize("config", MISSES)
def test_colours_help_one_design_only(config):
    run = "all" if config == "ulx3s" else "e002"  # its group boots that one anyway
    result = boot(f"pagesize=4k run={run}", config)
    assert result.status == 0, result.text
    assert (result.value("A-5.single"), result.value("A-5.coloured")) == MISSES[config]
    assert ("A-7.single" in result.figures) == (config == "ulx3s_physical")
