"""Images of one page size, and the instructions that the firmware completes at boot."""

import re
from pathlib import Path

import pytest

from sim.simulator import Run, simulate
from support.run import ROOT, built
from tools.images.elf import patch_sites, symbol, trapping_instructions, with_word
from tools.images.page import PAGE

SHIFTS = {"4k": 12, "16k": 14, "64k": 16}
NOP, RETURN = 0x00000013, 0x00008067
OK, PANIC = 0, 2

pytestmark = pytest.mark.xdist_group("images")


def image(name: str = "") -> Path:
    return built(f"build/sw{name}/granule.elf")


def boot(elf: Path, arguments: str) -> Run:
    return simulate(elf, "--append", arguments, "--max-cycles", "10000000")


def test_boot_writes_every_instruction_that_waits_for_it() -> None:
    """The table has each of them once, and nothing else."""
    sites = patch_sites(image())
    assert len(sites) > 100
    assert len(set(sites)) == len(sites)
    assert set(sites) == trapping_instructions(image())


@pytest.mark.parametrize("granule", SHIFTS)
def test_an_image_of_one_page_size_has_none(granule: str) -> None:
    elf = image(f"-fixed-{granule}")
    assert not patch_sites(elf)
    assert not trapping_instructions(elf)


@pytest.mark.parametrize("granule", SHIFTS)
def test_an_image_of_one_page_size_keeps_it(granule: str) -> None:
    """It passes its self-test, says so when it is asked for another size, and goes on."""
    other = "16k" if granule == "4k" else "4k"
    run = boot(image(f"-fixed-{granule}"), f"pagesize={other} run=selftest")
    assert run.status == OK, run.out
    wanted, own = (name.removesuffix("k") for name in (other, granule))
    assert f"page size {wanted}K not supported, using {own}K" in run.out
    assert f"granule      {own} KiB" in run.out


def test_a_constant_that_is_used_before_the_choice_traps(tmp_path: Path) -> None:
    """Without the patch, the first use of PAGE_SIZE ends the boot."""
    elf = with_word(image(), symbol(image(), "patch_text"), RETURN, tmp_path / "granule.elf")
    run = boot(elf, "run=selftest")
    assert run.status == PANIC
    assert "trap in machine mode: illegal instruction" in run.out


def test_what_is_no_such_instruction_is_not_written(tmp_path: Path) -> None:
    """A table that points elsewhere is a panic, with the place."""
    site = patch_sites(image())[0]
    run = boot(with_word(image(), site, NOP, tmp_path / "granule.elf"), "run=selftest")
    assert run.status == PANIC
    assert f"the instruction 0x{NOP:08x} at 0x{site:08x} cannot be patched" in run.out


@pytest.mark.parametrize("granule", SHIFTS)
def test_page_tables_are_those_of_an_image_of_one_page_size(granule: str) -> None:
    """linux-mm E.2.9: after the same work, word for word but for the frames' numbers."""
    arguments = f"pagesize={granule} run=e003 forkpages=4"
    runs = [boot(image(name), arguments) for name in ("", f"-fixed-{granule}")]
    digests = {re.search(r"id=E-digest .* value=(\d+)", run.out)[1] for run in runs}
    assert len(digests) == 1
    assert "0" not in digests


# ---- docs/page-size.md names places in the sources ----------------------------------------------
# `sw/mm/early.c` `early_alloc`: a file and a word in it.
PLACE = re.compile(r"`(sw/[\w/.]+)`(?:\s+`(\w+)`)?")
CLASSES = re.compile(r"^\| (\d)\. .* \| (.*) \| (.*) \|$", re.MULTILINE)


def missing(text: str) -> list[str]:
    """Places that the text names and that are not there."""
    found = []
    for file, word in PLACE.findall(text):
        path = ROOT / file
        if not path.exists():
            found.append(file)
        elif word and not re.search(rf"\b{word}\b", path.read_text()):
            found.append(f"{file} {word}")
    return found


def test_every_place_is_there() -> None:
    text = PAGE.read_text()
    assert len(PLACE.findall(text)) >= 12
    assert not missing(text)


def test_each_class_of_problem_has_a_place_or_does_not_occur() -> None:
    rows = CLASSES.findall(PAGE.read_text())
    assert [number for number, _, _ in rows] == list("123456")
    for _, where, what in rows:
        assert where == "does not occur" or PLACE.search(where), where
        assert what


@pytest.mark.parametrize("place", ["`sw/mm/nowhere.c`", "`sw/mm/fork.c` `no_such_word`"])
def test_what_is_not_there_is_found(place: str) -> None:
    assert missing(place) == [place.replace("`", "")]
