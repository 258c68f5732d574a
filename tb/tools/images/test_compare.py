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
