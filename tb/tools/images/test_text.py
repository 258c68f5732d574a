"""What is in the images, beside each other; and the count of instructions that says why the one
that chooses is larger."""

from collections import Counter

import click
import pytest

from support.run import built
from tools.images import compare, text
from tools.images.compare import lines_for_the_choice, part, sizes_of
from tools.images.elf import Size
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
    others = {"memory management, files": 1, "everything else": 1}
    assert sums == {CHOICE: 3, **others, "all": 5}


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
    said = "build/sw-nothing holds no objects; run make images"
    with pytest.raises(click.ClickException, match=said):
        text.image("sw-nothing")


def test_what_is_in_the_images() -> None:
    """Code that asks for the page size is larger than code that knows it, by a few percent."""
    for image in ("sw", "sw-boot-plain", "sw-fixed-4k", "sw-fixed-16k", "sw-fixed-64k"):
        built(f"build/{image}/granule.elf")
    rows = list(compare.counted())
    assert {"H3.1", "H3.2", "H3.3", "H3.4", "H3.9", "H3.11"} <= {f.id for f in rows}
    files = {f.id: f.value for f in rows if f.unit == "ratio"}
    assert files["H3.2-plain"] > files["H3.2"] > 1, "a load is longer than a patched instruction"
    text = {f.run: f.value for f in rows if f.id == "E-text"}
    assert all(1 < value < 1.06 for value in text.values()), text
    mm = {f.run: f.value for f in rows if f.id == "E-text.mm"}
    assert all(mm[granule] > text[granule] for granule in text)


def test_objects_of_another_program_are_not_counted(monkeypatch) -> None:
    """Those of the driver lay in build/sw, and the image looked 3 % larger."""
    forms = (compare.BOOT, compare.PLAIN)
    images = {name: {"mm/fork.c": Size(100, data=8)} for name in (*forms, "sw-fixed-4k")}
    monkeypatch.setattr(compare, "sizes_of", images.get)
    monkeypatch.setattr(compare, "stored", lambda image: 100)
    for form in forms:
        assert {f.value for f in compare.in_files(form)} == {1.0}
        images[form]["driver/main.c"] = Size(3)
        with pytest.raises(compare.ForeignObject, match=rf"only build/{form} holds driver/main.c"):
            list(compare.in_files(form))


def test_lines_that_are_there_for_the_choice() -> None:
    assert 100 < lines_for_the_choice() < 1000
