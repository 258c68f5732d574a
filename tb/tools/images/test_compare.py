"""What is in the images, beside each other."""

import pytest

from support.make import built
from tools.images import compare
from tools.images.diffstat import lines_for_the_choice
from tools.images.elf import Size


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
    images = {name: {"mm/fork.c": Size(100)} for name in ("sw", "sw-fixed-4k")}
    monkeypatch.setattr(compare, "sizes_of", images.get)
    assert compare.both("sw-fixed-4k")[0] == {"mm/fork.c": Size(100)}
    images["sw"]["driver/main.c"] = Size(3)
    with pytest.raises(compare.ForeignObject, match=r"only build/sw holds driver/main.c.o"):
        compare.both("sw-fixed-4k")


def test_lines_that_are_there_for_the_choice() -> None:
    assert 100 < lines_for_the_choice() < 1000
