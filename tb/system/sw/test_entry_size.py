"""entry=64|128: the bits of an entry of the translation tables, on the machine that has both."""

from pathlib import Path

import pytest

from sim.simulator import Run, simulate
from support.run import built

OK, PANIC = 0, 2
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


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        # One image has both sizes; with each the self-test passes.
        *(
            ("sw-wide", f"pagesize={granule} entry=128 run=selftest",
             (f"levels       {geometry}", "entries      128 bits"))
            for granule, geometry in GEOMETRY.items()
        ),
        # Forks and unmaps.
        ("sw-wide", "entry=128 run=e003 forkpages=4", ()),
        # Holes by blocks: a block of 128 bits says how many levels it skips.
        ("sw-wide", "entry=128 run=e004pmd", ()),
        ("sw-wide-16k", "run=selftest", (GEOMETRY["16k"],)),
    ],
)  # fmt: skip
def test_what_an_image_does_with_large_entries(name: str, arguments: str, says: tuple) -> None:
    run = boot(image(name), arguments)
    assert run.status == OK, run.out
    for text in says:
        assert text in run.out


@pytest.mark.parametrize(
    ("name", "argument", "says"),
    [
        ("sw-wide", "entry=128",
         ("entry=128: this MMU has entries of 64 bits only", "ID_AA64MMFR3_EL1 is 0x0",
          "boot with entry=64, or on a machine")),
        ("sw", "entry=128", ("this image has entries of 64 bits only; boot build/sw-w",)),
        ("sw-wide-16k", "entry=64", ("this image has entries of 128 bits only",)),
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_panic(name: str, argument: str, says: tuple) -> None:
    """With the value, the reason and the way out; another size is never chosen instead."""
    run = boot(image(name), f"{argument} run=selftest", "teaching")
    assert run.status == PANIC, run.out
    for text in says:
        assert text in run.out
