"""What `make linux-documents` and `make linux-console` take from a console, or refuse."""

from dataclasses import replace
from itertools import product

import pytest

from figures.measure import Failed
from tools.measures import linux
from tools.measures.linux import COLOURED, COUNTERS, LOOPS, ONE, UNMODIFIED, Row

ZERO_PAGES = "Zero pages: 4\n"
CONSOLE = "\n".join(
    f"RESULT id=L2.{loop}.{counter} run=one class=figure value=7 unit=u what=w"
    for loop, counter in product(LOOPS, COUNTERS)
)


def test_a_boot_has_a_row_a_loop():
    found = linux.rows(ZERO_PAGES + CONSOLE, "ulx3s", COLOURED)
    assert [row.loop for row in found] == list(LOOPS)
    assert found[0] == Row("ulx3s", COLOURED, 4, "read8", 7, 7, 7, 7)
    assert linux.rows(CONSOLE, "ulx3s", UNMODIFIED)[0].zero_pages == 1


@pytest.mark.parametrize(
    ("console", "kernel", "says"),
    [
        (ZERO_PAGES + CONSOLE, UNMODIFIED, "told its zero pages 1 times"),
        (CONSOLE, ONE, "ulx3s, one: the kernel told its zero pages 0 times"),
        (ZERO_PAGES + CONSOLE.replace("L2.empty.tlb", "L2.x"), COLOURED, "no L2.empty.tlb"),
        (ZERO_PAGES + CONSOLE.replace("=7", "=7x"), COLOURED, "7x is no number"),
    ],
)
def test_a_console_that_does_not_tell_all_is_refused(console, kernel, says):
    with pytest.raises(Failed, match=says):
        linux.rows(console, "ulx3s", kernel)


def as_expected() -> linux.Found:
    """8,000 misses where lines move and there is one zero page; 40 of interrupts elsewhere."""
    return {
        (m.name, kernel, loop): Row(
            *(m.name, kernel, m.colours if kernel == COLOURED else 1, loop, 1000, 1000),
            8000 if m.moves and kernel != COLOURED and loop in linux.PAGE_DISTANCE else 40,
            tlb=0,
        )
        for m in linux.MACHINES
        for kernel, loop in product(m.kernels, LOOPS)
    }


@pytest.mark.parametrize(
    ("place", "change", "sentence"),
    [
        (("ulx3s", ONE, "read8"), {"misses": 1999}, "50 times fewer are expected"),
        (("ulx3s", COLOURED, "read9"), {"misses": 181}, "at most 0.02 a read"),
        (("ulx3s", COLOURED, "read8"), {"zero_pages": 8}, "4 colours"),
        (("ulx3s", UNMODIFIED, "read8"), {"misses": 7000}, "7000 misses unmodified"),
        (("teaching", ONE, "read8"), {"misses": 161}, "no difference is expected"),
        (("teaching", COLOURED, "read8"), {"zero_pages": 4}, "1 colours"),
        (("ulx3s_copies", ONE, "read9"), {"misses": 9000}, "no difference is expected"),
    ],
)
def test_what_is_not_is_said(place: tuple[str, str, str], change: dict, sentence: str):
    found = as_expected()
    assert linux.wrong(found) == []
    found[place] = replace(found[place], **change)
    assert any(sentence in said for said in linux.wrong(found))


def test_what_was_recorded_is_right():
    assert linux.wrong(linux.places(linux.MEASURED.recorded())) == []


def test_the_page_shows_the_console_from_init_on():
    console = "[ 0.1] Linux version\r\n[ 0.9] Run /init as init process\r\nLinux 6.1\r\r\n"
    shown = "[ 0.9] Run /init as init process\nLinux 6.1"
    assert linux.excerpt(console) == shown
    assert linux.excerpt(console + "x" * 200) == f"{shown}\n{'x' * linux.WIDTH}"
    with pytest.raises(Failed, match="Run /init.*not on the console(.|\n)*no memory"):
        linux.excerpt("Linux version\nno memory\n")
