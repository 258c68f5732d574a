"""sw/driver: the small driver on both machines, at each granule, and that it stays small."""

import re

import pytest

from sim.simulator import simulate
from support.run import ROOT, built

FOLDER = ROOT / "sw" / "driver"
READS = "800 reads of 8 untouched pages; with: coloured zero pages"
MISSES = "  misses of the data cache"
RANGE = "8 pages are invalidated; with: as a range"
LOADS = "1,000 loads; with: translated"
HIGHMEM = "8 entries of a page table; with: it lies in highmem"


def rows(text: str) -> dict[int, dict[str, tuple[int, int]]]:
    """By granule in KiB: the costs of each row, without and with."""
    found: dict[int, dict[str, tuple[int, int]]] = {}
    for line in text.splitlines():
        if begin := re.match(r"pages of (\d+) KiB", line):
            found[int(begin[1])] = {}
        elif row := re.match(r"  (\S.*?|  \S.*?) +(\d+) +(\d+)$", line):
            list(found.values())[-1][row[1]] = (int(row[2]), int(row[3]))
    return found


@pytest.fixture(name="run", scope="module", params=["teaching", "ulx3s"])
def fixture_run(request) -> tuple[str, str]:
    run = simulate(built("build/sw/driver.elf"), config=request.param)
    assert run.status == 0, run.out
    return request.param, run.out.replace("\r", "")


def test_it_runs_at_three_granules_without_a_failure(run):
    _, text = run
    assert list(rows(text)) == [4, 16, 64]
    assert text.endswith("driver: 0 failures\n")


def test_colours_pay_where_a_way_is_larger_than_a_page(run):
    config, text = run
    for granule, costs in rows(text).items():
        without, coloured = costs[MISSES]
        if config == "ulx3s" and granule == 4:
            assert without >= 800
            assert coloured <= 8  # one a page, and what the loop itself takes
            assert costs[READS][0] > 4 * costs[READS][1]
        else:
            assert without <= 8 and coloured <= 8


def test_a_hit_costs_nothing_and_a_range_less_than_its_pages(run):
    _, text = run
    for costs in rows(text).values():
        assert costs[LOADS][0] == costs[LOADS][1]
        assert costs[RANGE][0] > 2 * costs[RANGE][1]
        assert costs[HIGHMEM][0] < costs[HIGHMEM][1]


def test_the_tlb_answers_with_the_old_pages_until_they_are_invalidated(run):
    _, text = run
    assert text.count("the TLB answers with 8 old ones\n") == 3


def test_too_little_highmem_is_said():
    run = simulate(built("build/sw/driver.elf"), "--highmem", "0")
    assert run.status == 1
    assert "0 bytes of highmem are too few; give 64 KiB" in run.out


def test_it_stays_small_and_uses_no_kernel():
    files = sorted(FOLDER.glob("*.[ch]"))
    assert len(files) <= 4
    assert sum(len(path.read_text().splitlines()) for path in files) <= 400
    included = {
        name.split("/")[0]
        for path in files
        for name in re.findall(r'#include "(\w+/\w+\.h)"', path.read_text())
    }
    assert included == {"drivers", "lib"}
    shared = re.search(r"DRIVER_SOURCES := (.*?)\n\$", (FOLDER / "driver.mk").read_text(), re.S)
    assert not re.search(r"sw/(mm|fs|kernel)/", shared[1])
