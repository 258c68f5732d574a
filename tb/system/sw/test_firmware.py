"""Boot arguments, panics, small machines and the console of the firmware."""

import re

import pytest

from system.sw.firmware import boot

OK, FAILED, PANIC = 0, 1, 2

pytestmark = pytest.mark.xdist_group("firmware")


def says(arguments: str, status: int, *texts: str, config: str = "teaching", options: str = ""):
    return pytest.param(arguments, status, texts, config, options.split(), id=arguments)


SAYS = [
    # Linux's message for each. A figure of another machine than that asked for is worse than none.
    says(
        "pagesize=8k va_bits=40 userpte=high userpte nonsense=1 run=selftest", FAILED,
        "pagesize='8k' is none of 4k, 16k, 64k", "Malformed early option 'pagesize'",
        "va_bits='40' is no number from 25 to 31", "Malformed early option 'va_bits'",
        "Malformed early option 'userpte'",
        "Unknown kernel command line parameter 'nonsense'; there are: ",
        "are refused: nothing was run",
    ),
    says("run=all,final", FAILED, "run='all,final' is no experiment. There are: all, console and",
         "  selftest  ", "  e002  "),
    # The same binary with one, two and three levels of tables.
    *(
        says(f"{size} run=selftest", OK, f"levels       {levels}", config="ulx3s")
        for size, levels in (
            ("pagesize=4k va_bits=25", "2 (L2 to L3)"),
            ("pagesize=16k va_bits=25", "1 (L3 to L3)"),
            ("pagesize=64k va_bits=30", "2 (L2 to L3)"),
        )
    ),
    # Message, file and line, trap cause, fault record in words.
    says(
        "run=crash-load", PANIC,
        "Kernel panic - not syncing: kernel load page fault at 0xd0000000, pc 0x8000",
        "at kernel/trap.c:", "cause 0x0000000d (load page fault)",
        "data abort from EL1, read, translation fault, level", "FAR 0xffffffffd0000000",
    ),
    says(
        "run=crash-text", PANIC, "Kernel panic - not syncing: kernel store page fault at 0x8000",
        "data abort from EL1, write, permission fault, level 3",
    ),
    says("run=crash-bug", PANIC, "Kernel panic - not syncing: BUG: !address", "at mm/pkmap.c:"),
    # Named on a stack that still has room; it overwrites nothing.
    says("pagesize=64k run=crash-stack", PANIC,
         "Kernel panic - not syncing: kernel stack overflow: sp 0x8",
         "data abort from EL1, write, translation fault, level 3"),
    # A task that does wrong ends alone; the kernel goes on to a good end.
    says("run=crash-user-stack", OK,
         "task 1 killed: segmentation fault (store page fault at 0x0004efc0"),
    says("run=crash-user", OK, "task 1 killed: segmentation fault (load page fault at 0x80000fc0",
         "exit code -1"),
    # 1 MiB is not enough for 64K pages: the number and the way out.
    says("pagesize=64k", PANIC, "not enough pages", "give more lowmem", options="--lowmem 1M"),
    # Blocks map most of lowmem, and frame numbers above 4 GiB grow.
    says("pagesize=16k run=selftest", OK, "memory       lowmem 64 MiB, highmem 128 MiB",
         options="--lowmem 64M --highmem 128M"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "status", "texts", "config", "options"), SAYS)
def test_what_a_boot_says(arguments, status, texts, config, options) -> None:
    result = boot(arguments, config, "", *options)
    assert result.status == status, result.text
    for text in texts:
        assert text in result.text, f"'{text}' is missing:\n{result.text}"
    assert "granule      4 KiB" not in result.text or not arguments.startswith("pagesize=8k")
    assert status != FAILED or "===" not in result.text, "nothing runs"


@pytest.mark.parametrize(
    "arguments",
    # What a host test does not ask (test_bootargs.c, test_pkmap.c).
    ["hole=9999G tlb=shout dax=none dax_huge=1 htab=off forkpages=1", "run=", "run",
     "baud=1 e001=1 dma=zero,cov tlb_single_page_flush_ceiling=many"],
)  # fmt: skip
def test_a_wrong_boot_argument_ends_the_run(arguments: str) -> None:
    result = boot(arguments)
    assert result.status == FAILED, result.text
    for name in (argument.partition("=")[0] for argument in arguments.split()):
        assert f"'{name}'" in result.text or f"{name}=" in result.text
    assert "RESULT" not in result.text


@pytest.mark.slow
def test_without_highmem_everything_is_low() -> None:
    """No highmem at all: tables and data come from lowmem, document 000 becomes a control run.
    `make checked-boot` runs all experiments so."""
    result = boot("run=all", "teaching", "", "--highmem", "0")
    assert result.status == OK, result.text
    assert "H0.1-control" in result.figures and result.value("C.2.1") == 0


def test_what_was_not_checked_has_no_verdict() -> None:
    """Without highmem there is no window of kmap to look at: no PASS."""
    result = boot("run=selftest", "teaching", "", "--highmem", "0")
    assert result.status == OK and "B.2" not in result.figures, result.text
    assert re.search(r"B\.2 +kmap .*no highmem, so no window .* not checked$", result.text, re.M)
    assert boot("run=selftest").value("B.2") == 0
