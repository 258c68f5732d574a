"""Boot arguments, panics, small machines and the console of the firmware."""

import re

import pytest

from system.sw.firmware import boot

OK, FAILED, PANIC = 0, 1, 2

pytestmark = pytest.mark.xdist_group("firmware")


def test_what_is_wrong_with_boot_arguments_is_named_and_nothing_runs() -> None:
    """Linux's message for each. A figure of another machine than that asked for is worse than
    none, so the status is not 0."""
    result = boot("pagesize=8k va_bits=40 userpte=high userpte nonsense=1 run=selftest")
    assert result.status == FAILED, result.text
    for line in (
        "pagesize='8k' is none of 4k, 16k, 64k",
        "Malformed early option 'pagesize'",
        "va_bits='40' is no number from 25 to 31",
        "Malformed early option 'va_bits'",
        "Malformed early option 'userpte'",
        "Unknown kernel command line parameter 'nonsense'; there are: ",
        "are refused: nothing was run",
    ):
        assert line in result.text, f"'{line}' is missing:\n{result.text}"
    assert "===" not in result.text and "granule      4 KiB" not in result.text


@pytest.mark.parametrize(
    "arguments",
    ["pagesize=65536", "pagesize=", "va_bits=99", "pkmap=1000", "hole=9999G", "run=e02", "run=",
     "run=all,final", "run", "tlb=shout", "dax=none", "dax_huge=1", "htab=off", "forkpages=1",
     "baud=1", "e001=1", "dma=all", "tlb_single_page_flush_ceiling=many", "pagsize=64k"],
)  # fmt: skip
def test_a_wrong_boot_argument_ends_the_run(arguments: str) -> None:
    result = boot(arguments)
    assert result.status == FAILED, result.text
    assert arguments.partition("=")[0] in result.text and "RESULT" not in result.text


@pytest.mark.parametrize("name", ["e02", "all,final"])
def test_an_unknown_experiment_lists_those_that_there_are(name: str) -> None:
    text = boot(f"run={name}").text
    assert f"run='{name}' is no experiment. There are: all, console and" in text
    assert "  selftest  " in text and "  e002  " in text


def test_page_sizes_may_be_written_in_capitals() -> None:
    result = boot("pagesize=64K run=selftest")
    assert result.status == OK and "granule      64 KiB" in result.text, result.text


@pytest.mark.parametrize(
    ("arguments", "levels"),
    [
        ("pagesize=4k va_bits=25", "2 (L2 to L3)"),
        ("pagesize=4k va_bits=30", "2 (L2 to L3)"),
        ("pagesize=16k va_bits=25", "1 (L3 to L3)"),
        ("pagesize=64k va_bits=30", "2 (L2 to L3)"),
        ("pagesize=64k va_bits=29", "1 (L3 to L3)"),
    ],
)
def test_va_size_decides_the_levels(arguments: str, levels: str) -> None:
    """The same binary with one, two and three levels of tables passes its self-test."""
    result = boot(f"{arguments} run=selftest", "ulx3s")
    assert result.status == OK, result.text
    assert f"levels       {levels}" in result.text


@pytest.mark.parametrize(
    ("name", "messages"),
    [
        (
            "crash-load",
            (
                "Kernel panic - not syncing: kernel load page fault at 0xd0000000, pc 0x8000",
                "at kernel/trap.c:",
                "cause 0x0000000d (load page fault)",
                "data abort from EL1, read, translation fault, level",
                "FAR 0xffffffffd0000000",
            ),
        ),
        (
            "crash-text",
            (
                "Kernel panic - not syncing: kernel store page fault at 0x8000",
                "data abort from EL1, write, permission fault, level 3",
            ),
        ),
        ("crash-bug", ("Kernel panic - not syncing: BUG: !address", "at mm/pkmap.c:")),
    ],
)
def test_a_panic_says_what_and_where(name: str, messages: tuple[str, ...]) -> None:
    """Message, file and line, trap cause, fault record in words; exit status 2."""
    result = boot(f"run={name}")
    assert result.status == PANIC, result.text
    for message in messages:
        assert message in result.text, f"'{message}' is missing:\n{result.text}"


@pytest.mark.parametrize("granule", ["4k", "64k"])
def test_an_overflow_of_the_kernel_stack_ends_in_its_guard_page(granule: str) -> None:
    """It is named, on a stack that still has room, and overwrites nothing."""
    result = boot(f"pagesize={granule} run=crash-stack")
    assert result.status == PANIC, result.text
    assert "Kernel panic - not syncing: kernel stack overflow: sp 0x8" in result.text
    assert "data abort from EL1, write, translation fault, level 3" in result.text


def test_an_overflow_of_a_user_stack_ends_the_task() -> None:
    result = boot("run=crash-user-stack")
    assert result.status == OK, result.text
    assert "task 1 killed: segmentation fault (store page fault at 0x0004efc0" in result.text


def test_a_bad_task_dies_alone() -> None:
    """A user load from kernel memory ends the task; the kernel goes on to a good end."""
    result = boot("run=crash-user")
    assert result.status == OK
    assert "task 1 killed: segmentation fault (load page fault at 0x80000fc0" in result.text
    assert "exit code -1" in result.text


def test_too_little_memory_is_a_boot_panic() -> None:
    """1 MiB is not enough for 64K pages: the panic names the number and the way out."""
    result = boot("pagesize=64k", "teaching", "", "--lowmem", "1M")
    assert result.status == PANIC
    assert "not enough pages" in result.text and "give more lowmem" in result.text


@pytest.mark.parametrize("name", ["e000", pytest.param("all", marks=pytest.mark.slow)])
def test_without_highmem_everything_is_low(name: str) -> None:
    """No highmem at all: tables and data come from lowmem, document 000 becomes a control run.
    `make checked-boot` runs all experiments so."""
    result = boot(f"run={name}", "teaching", "", "--highmem", "0")
    assert result.status == OK, result.text
    assert "H0.1-control" in result.figures and result.value("C.2.1") == 0


def test_what_was_not_checked_has_no_verdict() -> None:
    """Without highmem there is no window of kmap to look at: no PASS."""
    result = boot("run=selftest", "teaching", "", "--highmem", "0")
    assert result.status == OK and "B.2" not in result.figures, result.text
    assert re.search(r"B\.2 +kmap .*no highmem, so no window .* not checked$", result.text, re.M)
    assert boot("run=selftest").value("B.2") == 0


def test_larger_memory() -> None:
    """64 and 128 MiB: blocks map most of lowmem, and frame numbers above 4 GiB grow."""
    result = boot(
        "pagesize=16k run=selftest", "teaching", "", "--lowmem", "64M", "--highmem", "128M"
    )
    assert result.status == OK, result.text
    assert "memory       lowmem 64 MiB, highmem 128 MiB" in result.text


def test_userpte_auto_decides_by_the_size_of_memory() -> None:
    """32 MiB need 64 KiB of tables at 4K, far less than a tenth of lowmem."""
    result = boot("run=selftest userpte_auto")
    assert result.status == 0, result.text
    assert "user PTEs    in lowmem" in result.text
