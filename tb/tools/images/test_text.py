"""The count of instructions that says why the image that chooses is larger."""

from collections import Counter

import click
import pytest

from support.run import built
from tools.images import text
from tools.images.compare import part, sizes_of
from tools.images.text import CHOICE, Difference, by_part, compared, kind

WORDS = {
    0x0000_300B: "patched",  # custom-0, in the place of slli
    0x0000_002B: "patched",  # custom-1, in the place of lui
    0x0000_1537: "upper immediates",  # lui a0, 1
    0x00C5_5513: "arithmetic",  # srli a0, a0, 12
    0x02B5_0533: "arithmetic",  # mul a0, a0, a1
    0x0005_0463: "branches, calls",  # beqz a0, +8
    0x0000_8067: "branches, calls",  # ret
    0x0005_2503: "loads, stores",  # lw a0, 0(a0)
    0x3020_0073: "others",  # mret
}


@pytest.mark.parametrize("word", WORDS, ids=hex)
def test_kinds_of_instructions(word: int) -> None:
    assert kind(word) == WORDS[word]


def counts(**functions: int) -> dict[str, Counter]:
    return {name: Counter(arithmetic=n) for name, n in functions.items()}


def test_functions_of_one_name_are_compared() -> None:
    rows = compared({"mm/a.c": counts(f=5, g=3)}, {"mm/a.c": counts(f=4, g=3)})
    assert [(row.name, row.more) for row in rows] == [("f", 1), ("g", 0)]


def test_a_function_that_is_inlined_in_one_image_counts_with_its_file() -> None:
    (row,) = compared({"mm/a.c": counts(f=5, g=3)}, {"mm/a.c": counts(f=7)})
    assert (row.source, row.name, row.more) == ("mm/a.c", "", 1)


def test_parts_are_told_by_the_source_file() -> None:
    sources = ("boot/patch.c", "lib/runtime_const.c", "mm/page_size.c", "mm/fork.c", "lib/string.c")
    rows = [Difference(s, "f", Counter(arithmetic=2), Counter(arithmetic=1)) for s in sources]
    sums = {part: row.more for part, row in by_part(rows).items()}
    assert sums == {
        CHOICE: 3,
        "memory management, files": 1,
        "everything else": 1,
        "all": 5,
    }


def test_every_instruction_of_the_images_is_counted() -> None:
    """The tables add up to the code that H3.2 compares, and only one image has what boot writes."""
    images = {name: text.image(name) for name in (text.BOOT, text.FIXED)}
    for name, sources in images.items():
        built(f"build/{name}/granule.elf")
        found = sum((c for f in sources.values() for c in f.values()), Counter())
        assert 4 * found.total() == part(sizes_of(name)).text
        assert (found["patched"] > 100) == (name == text.BOOT)
        assert found["others"] < found.total() / 50
    sums = by_part(compared(*images.values()))
    assert sum(row.more for name, row in sums.items() if name != "all") == sums["all"].more


def test_an_image_that_was_not_built_is_named() -> None:
    with pytest.raises(
        click.ClickException, match="build/sw-nothing holds no objects; run make images"
    ):
        text.image("sw-nothing")
