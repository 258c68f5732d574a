"""The data cache in the page: the set of an access by colour, a line that moves; counters."""

import re

import pytest

from web.browser import Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

WAYS, COLOURS = 2, 4  # of ulx3s


@pytest.fixture
def opened(visit):
    return lambda machine, more="": visit(
        f"#machine={machine}&granule=4k&run=e002{more}", page="machine"
    )


def rows(student: Student) -> list[dict[str, str]]:
    names = ("colour", "set", "way", "line", "state", "mark")
    found = student.page.locator("#cache tbody tr").all()
    return [dict(zip(names, row.locator("td").all_inner_texts(), strict=True)) for row in found]


def colours_with(student: Student, address: str) -> list[str]:
    return [row["colour"] for row in rows(student)
            if row["line"] == address and row["state"] != "empty"]  # fmt: skip


def counter(student: Student, name: str) -> int:
    shown = student.page.inner_text(f"#counters dt[title={name}] + dd")
    return int(shown.replace(",", ""))


def test_a_line_moves_to_another_colour_forward_and_back(opened) -> None:
    """Two virtual pages of one physical page: the line leaves the one set and comes into the other
    one, and Back shows it where it was."""
    student = opened("ulx3s")
    student.press("c")
    assert "It may be under one colour at a time, so it moves out" in student.sentence
    moved = re.search(r"line (0x[0-9a-f]+)", student.text("cache"))[1]
    selected = re.search(r"colour (\d), which is VA\[13:12\]", student.text("cache"))[1]
    (left,) = colours_with(student, moved)
    assert left != selected
    assert [row["mark"] for row in rows(student) if row["line"] == moved] == [
        "the line: moves out"]  # fmt: skip
    counted = []

    def arrived() -> bool:
        counted.append([counter(student, f"l1d_{name}") for name in ("alias_move", "miss")])
        assert len(counted) < 40
        return colours_with(student, moved) == [selected]

    told = student.there_and_back("cache", "counters", end=arrived, keys=True)
    assert any("leaves set" in said for _, said, *_ in told)
    assert any("Memory gives line" in said for _, said, *_ in told)
    assert counted[-1] == [before + 1 for before in counted[0]]
    assert colours_with(student, moved) == [left]


def test_every_colour_has_its_set(opened) -> None:
    student = opened("ulx3s")
    student.press("c")
    found = rows(student)
    assert len(found) == WAYS * COLOURS
    sets = [int(row["set"].split()[0]) for row in found]
    assert [s // 64 for s in sets] == [int(row["colour"]) for row in found]
    assert len({s % 64 for s in sets}) == 1
    assert [row["way"] for row in found] == ["0", "1"] * COLOURS
    selected = [row for row in found if "◀" in row["set"]]
    assert len(selected) == WAYS and len({row["colour"] for row in selected}) == 1
    for row in found:  # what is in a set is of the set's row
        if row["state"] != "empty":
            assert int(row["line"], 16) >> 6 & 63 == sets[0] % 64


def test_a_machine_with_one_colour_says_so(opened) -> None:
    student = opened("teaching", "&cycle=200000")
    found = rows(student)
    assert [row["way"] for row in found] == list("01234567")
    assert {row["colour"] for row in found} == {"0"}
    assert "there is one colour" in student.text("cache")
    student.press("c")
    assert "has one colour: nothing moves in it" in student.text("error")


def test_counters_count_what_the_mmu_does(opened) -> None:
    """From a walk to the next but three: as many walks, and the cycles between."""
    student = opened("teaching")
    student.press("w")
    walks, cycles, start = counter(student, "walks"), counter(student, "cycle"), student.cycle
    student.press("w", "w", "w")
    assert counter(student, "walks") == walks + 3
    assert counter(student, "cycle") - cycles == student.cycle - start
    assert student.page.locator("#counters dt").count() == 31


def test_another_machine_is_chosen_in_the_page(opened) -> None:
    student = opened("teaching", "&cycle=1000")
    student.page.select_option("#system", "ulx3s")
    with student.waiting():
        student.page.click("#boot")
        student.until("shown.system === 'ulx3s' && machine.running")
        student.page.click("#pause")
    assert "machine=ulx3s" in student.link
    assert len(rows(student)) == WAYS * COLOURS
    wrong = opened("minimal")
    assert "the link has machine minimal; choose teaching, ulx3s" in wrong.text("error")
    assert "machine=teaching" in wrong.link
    wrong.press("w")  # it works all the same
    assert "A translation table walk begins" in wrong.sentence
