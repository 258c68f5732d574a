"""entry=64|128: the bits of an entry of the translation tables, on the machine that has both."""

from pathlib import Path

import pytest

from sim.simulator import Run, simulate
from support.run import built

OK, PANIC = 0, 2
GRANULES = ("4k", "16k", "64k")
# VA bits of a level, one PTE page, with entries of 128 bits.
GEOMETRY = {
    "4k": "3 (L1 to L3), 256 entries a table, one PTE page maps 1 MiB",
    "16k": "2 (L2 to L3), 1024 entries a table, one PTE page maps 16 MiB",
    "64k": "2 (L2 to L3), 4096 entries a table, one PTE page maps 256 MiB",
}

pytestmark = pytest.mark.xdist_group("entry")


def image(name: str) -> Path:
    return built(f"build/{name}/granule.elf")


def boot(elf: Path, arguments: str, config: str = "wide") -> Run:
    return simulate(elf, "--append", arguments, "--max-cycles", "60000000", config=config)


@pytest.mark.parametrize("granule", GRANULES)
def test_one_image_has_both_sizes(granule: str) -> None:
    """Its self-test passes with entries of 128 bits, and the tables have their geometry."""
    run = boot(image("sw-wide"), f"pagesize={granule} entry=128 run=selftest")
    assert run.status == OK, run.out
    assert f"levels       {GEOMETRY[granule]}" in run.out
    assert "entries      128 bits" in run.out


@pytest.mark.parametrize("granule", GRANULES)
def test_forks_and_unmaps_with_large_entries(granule: str) -> None:
    run = boot(image("sw-wide"), f"pagesize={granule} entry=128 run=e003 forkpages=4")
    assert run.status == OK, run.out


def test_fewer_levels() -> None:
    run = boot(image("sw-wide"), "va_bits=28 entry=128 run=selftest")
    assert run.status == OK, run.out
    assert "levels       2 (L2 to L3)" in run.out


def test_holes_by_blocks() -> None:
    """A block of 128 bits says how many levels it skips."""
    run = boot(image("sw-wide"), "entry=128 run=e004pmd")
    assert run.status == OK, run.out


def test_small_entries_stay_the_default() -> None:
    run = boot(image("sw-wide"), "run=selftest")
    assert run.status == OK, run.out
    assert "512 entries a table" in run.out
    assert "entries      64 bits" in run.out


def test_an_image_of_one_page_size_and_large_entries() -> None:
    run = boot(image("sw-wide-16k"), "run=selftest")
    assert run.status == OK, run.out
    assert GEOMETRY["16k"] in run.out


@pytest.mark.parametrize(
    ("name", "config", "argument", "words"),
    [
        ("sw-wide", "teaching", "entry=128", "entry=128: this MMU has entries of 64 bits only"),
        ("sw-wide", "teaching", "entry=128", "ID_AA64MMFR3_EL1 is 0x0"),
        ("sw-wide", "teaching", "entry=128", "boot with entry=64, or on a machine"),
        ("sw", "teaching", "entry=128", "this image has entries of 64 bits only; boot build/sw-w"),
        ("sw", "teaching", "entry=32", "entry=32: an entry of the translation tables has 64 or 1"),
        ("sw-wide", "teaching", "entry=", "give entry=64 or entry=128"),
        ("sw-wide-4k", "teaching", "", "this MMU has entries of 64 bits only"),
        ("sw-wide-4k", "teaching", "entry=64", "this image has entries of 128 bits only"),
    ],
)
def test_what_is_not_there_is_a_panic(name: str, config: str, argument: str, words: str) -> None:
    """With the value, the reason and the way out; another size is never chosen instead."""
    run = boot(image(name), f"{argument} run=selftest", config)
    assert run.status == PANIC, run.out
    assert words in run.out
