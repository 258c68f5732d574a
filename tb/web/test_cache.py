"""The data cache in the page: the set of an access by colour, a line that moves; counters."""

import re

import pytest

from web.browser import INDEX, PHONE, Student

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

MACHINE = INDEX.parent / "machine.html"
WAYS, COLOURS = 2, 4  # of ulx3s


def opened(browser, machine: str, more: str = "", **options) -> Student:
    link = f"#machine={machine}&granule=4k&run=e002{more}"
    return Student(browser, link, page=MACHINE, **options)


def rows(student: Student) -> list[dict[str, str]]:
    names = ("colour", "set", "way", "line", "state", "mark")
    found = student.page.locator("#cache tbody tr").all()
    return [dict(zip(names, row.locator("td").all_inner_texts(), strict=True)) for row in found]


def line(student: Student) -> str:
    """That the cache works on."""
    return re.search(r"line (0x[0-9a-f]+)", student.text("cache"))[1]


def colours_with(student: Student, address: str) -> list[str]:
    return [row["colour"] for row in rows(student)
            if row["line"] == address and row["state"] != "empty"]  # fmt: skip


def counter(student: Student, name: str) -> int:
    return int(student.page.locator(f"#counters dt[title={name}] + dd").inner_text()
               .replace(",", ""))  # fmt: skip


def seen(student: Student) -> tuple:
    return student.cycle, student.sentence, student.text("cache"), student.text("counters")


def test_a_line_moves_to_another_colour_forward_and_back(browser) -> None:
    """Two virtual pages of one physical page: the line leaves the one set and comes into the other
    one, and Back shows it where it was."""
    student = opened(browser, "ulx3s")
    student.press("c")
    assert "It may be under one colour at a time, so it moves out" in student.sentence
    moved = line(student)
    selected = re.search(r"colour (\d), which is VA\[13:12\]", student.text("cache"))[1]
    (left,) = colours_with(student, moved)
    assert left != selected
    assert [row["mark"] for row in rows(student) if row["line"] == moved] == [
        "the line: moves out"]  # fmt: skip
    moves, misses = counter(student, "l1d_alias_move"), counter(student, "l1d_miss")
    start, forward = student.cycle, [seen(student)]
    while colours_with(student, moved) != [selected]:
        student.press("ArrowRight")
        forward.append(seen(student))
        assert len(forward) < 40
    assert any("leaves set" in said for _, said, *_ in forward)
    assert any("Memory gives line" in said for _, said, *_ in forward)
    assert counter(student, "l1d_alias_move") == moves + 1
    assert counter(student, "l1d_miss") == misses + 1
    backward = [forward[-1]]
    while student.cycle > start:
        student.press("ArrowLeft")
        backward.append(seen(student))
    assert backward[::-1] == forward
    assert colours_with(student, moved) == [left]
    student.leave()


def test_every_colour_has_its_set(browser) -> None:
    student = opened(browser, "ulx3s")
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
    student.leave()


def test_a_machine_with_one_colour_says_so(browser) -> None:
    student = opened(browser, "teaching", "&cycle=200000")
    found = rows(student)
    assert [row["way"] for row in found] == list("01234567")
    assert {row["colour"] for row in found} == {"0"}
    assert "there is one colour" in student.text("cache")
    student.press("c")
    assert "has one colour: nothing moves in it" in student.text("error")
    student.leave()


def test_counters_count_what_the_mmu_does(browser) -> None:
    """From a walk to the next but three: as many walks, and the cycles between."""
    student = opened(browser, "teaching")
    student.press("w")
    walks, cycles, start = counter(student, "walks"), counter(student, "cycle"), student.cycle
    student.press("w", "w", "w")
    assert counter(student, "walks") == walks + 3
    assert counter(student, "cycle") - cycles == student.cycle - start
    assert student.page.locator("#counters dt").count() == 31
    student.leave()


def test_another_machine_is_chosen_in_the_page(browser) -> None:
    student = opened(browser, "teaching", "&cycle=1000")
    page = student.page
    page.select_option("#system", "ulx3s")
    with student.waiting():
        page.click("#boot")
        page.wait_for_function("shown.system === 'ulx3s' && machine.running")
        page.click("#pause")
    assert "machine=ulx3s" in page.url
    assert len(rows(student)) == WAYS * COLOURS
    student.leave()
    wrong = opened(browser, "minimal")
    assert "the link has machine minimal; choose teaching, ulx3s" in wrong.text("error")
    assert "machine=teaching" in wrong.page.url
    wrong.press("w")  # it works all the same
    assert "A translation table walk begins" in wrong.sentence
    wrong.leave()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off_on_a_phone(browser, scheme) -> None:
    student = opened(browser, "ulx3s", "&cycle=200000", size=PHONE)
    student.page.emulate_media(color_scheme=scheme)
    assert rows(student)
    assert student.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    student.leave()
