"""What the grader of a lab relies on, beside its points: that references and models are right where
something else says so, and that names draw as much as pages say."""

import re
from pathlib import Path

import pytest

from labs import lab2, lab3, lab4, lab5, lab6, lab7, lab8, lab9, lab10, scala
from labs.lab import Handin
from labs.seed import Seed
from labs.trial import NAMES, Trial, slow
from model import Access, translate
from model.geometry import geometry
from support.root import ROOT


def of_lab(number: int):
    """Marks a test."""

    def marked(test):
        for mark in slow(number).marks:
            test = mark(test)
        return test

    return marked


DRAWN = {  # what a name draws, and how many are among so many names: as pages of teachers say
    2: (lambda seed: lab2.sheet(seed).parts[-2].asks, 12, 4),
    3: (lab3.of_sheet, 20, 19),
    4: (lab4.cases, 4, 4),
    6: (lab6.cases, 4, 4),
    7: (lab7.cases, 4, 4),
    8: (lambda seed: tuple(map(tuple, lab8.draw(seed))), 20, 20),
    9: (lab9.rules, 60, 12),
}


@pytest.mark.parametrize("number, draw, names, count", [slow(n, *of) for n, of in DRAWN.items()])
def test_names_draw_much(number: int, draw, names: int, count: int) -> None:
    assert len({draw(Seed(f"{i}", number)) for i in range(names)}) == count


@of_lab(2)
def test_the_reference_finds_what_the_configuration_has() -> None:
    """The one truth that does not come from the reference itself."""
    fields = "".join(path.read_text() for path in (ROOT / "rtl/src/granule").rglob("*Config.scala"))
    (built,) = re.findall(r"dataTlbEntries: Int = (\d+)", fields)
    assert lab2.entries() == int(built)
    groups = lab2.reference(lab2.Machine("4k", groups=True, find=True))
    assert lab2.reach_of(groups) == int(built) * lab2.GROUP


ODD = [  # one way and pages larger than it; hits that take four times as long; all that is small
    lab3.Machine("granule-sim-ulx3s", "64k", 2, (11,)),
    lab3.Machine("granule-sim", "16k", 4, (2, 5, 7, 11)),
    lab3.Machine("granule-sim-ulx3s", "4k", 2, (3, 4, 10, 11)),
]


@pytest.mark.parametrize("on", [*(lab3.of_sheet(Seed(name, 3)) for name in NAMES), *ODD])
@of_lab(3)
def test_the_reference_finds_what_the_questions_are_about(tmp_path: Path, on: lab3.Machine) -> None:
    (tmp_path / "mystery.c").write_text(Trial(3).reference)
    for what, value in on.found.items():
        assert lab3.answer(Handin(tmp_path), on, what) == value, (on, what)


@of_lab(3)
def test_the_starter_explores(tmp_path: Path) -> None:
    (tmp_path / "mystery.c").write_text(Trial(3).starter)
    shown = lab3.explore(Seed("anna", 3), Handin(tmp_path))
    own = lab3.of_sheet(Seed("anna", 3))
    assert f"bytes of a line {own.found['line']}" in shown.splitlines()


@of_lab(4)
def test_costs_have_the_shape_that_the_questions_rely_on() -> None:
    """Page by page grows by the same for each page; a range and all do not grow."""
    for granule in lab4.GRANULES:
        rows = lab4.costs(granule)
        steps = {later[1] - row[1] for row, later in zip(rows, rows[1:], strict=False)}
        assert max(steps) - min(steps) <= 8
        assert len({row[3] for row in rows}) == 1
        even = rows[1::2]
        assert max(row[2] for row in even) < 3 * min(row[2] for row in even)


@of_lab(5)
def test_misses_are_those_of_documents_experiment() -> None:
    """A-1, A-4 and A-5 of e002 in a hundred passes: as many in the first one as there are lines to
    be brought in, all or none later."""
    for lines, misses in ((1, 1), (2, 2), (3, 3), (8, 8), (9, 900)):
        assert lab5.misses("teaching", "4k", "lines", lines, 100) == misses
    for config, mapped, misses in (("teaching", "one", 1), ("ulx3s", "one", 800),
                                   ("ulx3s", "student", 4)):  # fmt: skip
        assert lab5.misses(config, "4k", mapped, 8, 100) == misses


@pytest.mark.parametrize("drawn, number", [(lab6.measured_granule, 6), (lab7.forked_granule, 7)])
def test_one_granule_is_measured(drawn, number: int) -> None:
    """A run of the firmware takes half a minute; who is tested here needs only one."""
    assert len({drawn(Seed(name, number)) for name in NAMES}) == 1


@of_lab(6)
def test_costs_are_of_slots() -> None:
    """With its tables in lowmem the same task uses hardly any slots, maps as many tables, and takes
    less of the kernel's time; with userpte=nohigh there are no others."""
    granule = lab6.measured_granule(Seed("anna", 6))
    high, low = lab6.arms(granule)
    (control,) = lab6.arms(granule, " userpte=nohigh")
    assert (high.tables, low.tables, control.tables) == ("highmem", "lowmem", "lowmem")
    assert high.maps == low.maps == control.maps and high.slots > 3 * low.slots
    assert high.kernel > 1.005 * low.kernel
    assert abs(control.kernel - low.kernel) < 0.005 * low.kernel


def test_a_table_of_tables_is_counted_by_building_it() -> None:
    """By hand: two areas of 4 KiB, in one 2 MiB and in two."""
    near, far = [(0, 4096), (4096, 4096)], [(0, 4096), (1 << 21, 4096)]
    assert lab7.tables_of(12, 48, near) == 4 and lab7.tables_of(12, 48, far) == 5
    assert len(geometry(16, 16).levels) == lab7.tables_of(16, 48, near) == 3


@of_lab(7)
def test_a_fork_has_the_shape_that_the_questions_rely_on() -> None:
    """A new table is what most of it is spent on, at the largest pages only."""
    granule = lab7.forked_granule(Seed("anna", 7))
    of = lab7.forked(granule)
    assert of.pages << lab7.GRANULES[granule] == lab7.FORKED_KIB << 10
    assert of.fork > of.table > 0 and of.munmap > 0


def test_with_no_end_and_no_tie_it_is_lru() -> None:
    """The model of lab 9 against a policy that everybody knows."""
    ages, order = lab9.Ages(lab9.Rules(7, False, True)), list(range(lab9.WAYS))
    for way in (3, 1, 4, 1, 5, 2, 6, 0, 7, 3, 5, 5, 2):
        ages.use(way)
        order.remove(way)
        order.append(way)
        assert set(order[-3:]).isdisjoint({ages.victim()})
    assert ages.victim() == order[0]


@of_lab(9)
def test_without_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scala.places.cache_clear()
    monkeypatch.setattr(scala.shutil, "which", lambda name: None)
    said = Trial(9).graded(tmp_path, Trial(9).starter).said
    assert "there is no java; run `make setup`" in said


def test_an_address_of_every_level_is_tried() -> None:
    of = lab10.space(Seed("anna", 10), 12, 48)
    walks = [translate(of.registers, lab10.FEATURES, of.memory, Access(va)) for va in of.addresses]
    assert {len(walk.reads) for walk in walks} >= {1, 2, 3, 4}
