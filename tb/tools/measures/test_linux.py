"""What `make linux-documents` and `make linux-console` take from a console, or refuse."""

from dataclasses import replace
from itertools import product

import pytest

from tools.measures import linux
from tools.measures.linux import COLOURED, COUNTERS, LOOPS, ONE, UNMODIFIED, NoResult, Row


def console() -> list[str]:
    return [
        f"RESULT id=L2.{loop}.{counter} run=one class=figure value=7 unit=u what=w"
        for loop, counter in product(LOOPS, COUNTERS)
    ]


def test_a_boot_has_a_row_a_loop():
    found = linux.rows(["Zero pages: 4", *console()], "ulx3s", COLOURED)
    assert [row.loop for row in found] == list(LOOPS)
    assert found[0] == Row("ulx3s", COLOURED, 4, "read8", 7, 7, 7, 7)


def test_the_unmodified_kernel_has_one_and_does_not_say_so():
    assert linux.rows(console(), "ulx3s", UNMODIFIED)[0].zero_pages == 1
    with pytest.raises(NoResult, match="told its zero pages 1 times"):
        linux.rows(["Zero pages: 1", *console()], "ulx3s", UNMODIFIED)


def test_a_patched_kernel_that_is_silent_is_refused():
    with pytest.raises(NoResult, match="ulx3s, one: the kernel told its zero pages 0 times"):
        linux.rows(console(), "ulx3s", ONE)


def test_a_line_that_is_missing_or_damaged_is_named():
    with pytest.raises(NoResult, match="no L2.empty.tlb"):
        linux.rows(["Zero pages: 4", *console()[:-1]], "ulx3s", COLOURED)
    damaged = [line.replace("value=7", "value=7x") for line in console()]
    with pytest.raises(NoResult, match="7x is no number"):
        linux.rows(["Zero pages: 4", *damaged], "ulx3s", COLOURED)


def as_expected() -> linux.Found:
    """8,000 misses where lines move and there is one zero page; 40 of interrupts elsewhere."""
    return linux.by_place(
        Row(
            *(machine.name, kernel, machine.colours if kernel == COLOURED else 1, loop, 1000, 1000),
            8000 if machine.moves and kernel != COLOURED and loop in ("read8", "read9") else 40,
            tlb=0,
        )
        for machine in linux.MACHINES
        for kernel in machine.kernels
        for loop in LOOPS
    )


def test_what_is_as_expected_is_right():
    assert linux.wrong(as_expected()) == []


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
    found[place] = replace(found[place], **change)
    assert any(sentence in said for said in linux.wrong(found))


def test_what_was_recorded_is_right():
    assert linux.wrong(linux.places(linux.MEASURED.recorded())) == []


def test_the_lines_of_the_patch_are_those_of_code():
    text = linux.PATCH.read_text()
    told = linux.lines_of_the_patch()
    assert 0 < told < sum(line.startswith("+") for line in text.splitlines())


CONSOLE = "[ 0.1] Linux version\r\n[ 0.9] Run /init as init process\r\nLinux 6.1\r\r\n"


def test_from_init_on():
    assert linux.excerpt(CONSOLE) == "[ 0.9] Run /init as init process\nLinux 6.1"


def test_no_line_is_too_long():
    assert linux.excerpt(CONSOLE + "x" * 200).splitlines()[-1] == "x" * linux.WIDTH


def test_a_boot_that_did_not_come_to_init_is_an_error():
    with pytest.raises(linux.NoConsole, match="Run /init.*not on the console(.|\n)*no memory"):
        linux.excerpt("Linux version\nno memory\n")
