"""Document 003 compares images: one that chooses its page size at boot, and those that know it.

What they measure is divided by figures/boots.py; here is what is in them, without running one."""

import re
from collections.abc import Iterator
from pathlib import Path

from figures.boots import objects
from figures.catalogue import GRANULES
from figures.rows import ANY
from granule.figures import FIGURE, Figure
from support.root import ROOT
from tools.images.elf import Size, loaded_bytes

BOOT = "sw"  # folder of build/
PLAIN = "sw-boot-plain"  # document 003's own mechanism: a load at each use
NO_CACHE = "no cache"
DIGITS = 6
# Of the firmware's source, what could go if it had one page size: whole files, and lines elsewhere.
# The document counts what its patches add to a kernel that had one; ours never had.
SW = ROOT / "sw"
FILES = ("boot/granule_choice.c", "boot/patch.c", "lib/runtime_const*", "mm/page_size.*")
WORDS = re.compile(r"runtime_const|runtime_sites|GRANULE_FIXED|geometry_(init|choose|granule)")
NOT_OURS = ("tests", "loader")  # are in no image


def part(sizes: dict[str, Size], folder: str = "") -> Size:
    found = [size for name, size in sizes.items() if name.startswith(folder)]
    return Size(*map(sum, zip(*found, strict=True)))


def sizes_of(image: str) -> dict[str, Size]:
    """Of the objects of an image by source file, as in mm/fork.c."""
    folder = ROOT / "build" / image
    return {str(p.relative_to(folder).with_suffix("")): Size.of(p) for p in objects(folder)}


class ForeignObject(ValueError):
    """An object lies in the folder of one image only: it would be counted as cost of the choice."""


def both(form: str, fixed: str) -> tuple[dict[str, Size], dict[str, Size]]:
    """Objects of an image that chooses and of a fixed one: the same sources."""
    mine, other = sizes_of(form), sizes_of(fixed)
    if foreign := sorted(mine.keys() ^ other.keys()):
        where = form if foreign[0] in mine else fixed
        raise ForeignObject(
            f"only build/{where} holds {foreign[0]}.o; remove what is no part of it"
        )
    return mine, other


def stored(image: str) -> int:
    return loaded_bytes(ROOT / "build" / image / "granule.elf")


def ratio(identity: str, granule: str, what: str, boot: int, fixed: int) -> Figure:
    label = f"{what}, page size chosen at boot over fixed"
    value = round(boot / fixed, DIGITS)
    return Figure(identity, granule, FIGURE, value, "ratio", label, NO_CACHE)


def in_files(form: str, suffix: str = "") -> Iterator[Figure]:
    """What document 003 prints of its images. `form`: that which chooses at boot."""
    boot, small = map(part, both(form, "sw-fixed-4k"))
    yield ratio(f"H3.1{suffix}", "64k", "image", stored(form), stored("sw-fixed-64k"))
    yield ratio(f"H3.2{suffix}", "4k", "code", boot.text, small.text)
    yield ratio(f"H3.3{suffix}", "4k", "data", boot.data, small.data)
    yield ratio(f"H3.11{suffix}", "4k", "image", stored(form), stored("sw-fixed-4k"))


def sources() -> list[Path]:
    files = sorted(p for p in SW.rglob("*.[chS]"))
    return [p for p in files if p.relative_to(SW).parts[0] not in NOT_OURS]


def lines_for_the_choice() -> int:
    whole = {p for pattern in FILES for p in SW.glob(pattern)}
    count = 0
    for path in sources():
        lines = path.read_text().splitlines()
        count += len(lines) if path in whole else sum(bool(WORDS.search(line)) for line in lines)
    return count


def counted() -> Iterator[Figure]:
    """Ratios of what is in the images; H3.1 beside the largest page size, as in the document."""
    for granule in GRANULES:
        pair = both(BOOT, f"sw-fixed-{granule}")
        sizes = [part(image) for image in pair]
        yield ratio("E-text", granule, "code", *(size.text for size in sizes))
        yield ratio("E-text.mm", granule, "code of mm/", *(part(i, "mm/").text for i in pair))
        yield ratio("E-constants", granule, "constants", *(size.rodata for size in sizes))
        if granule == GRANULES[0]:
            whole = (size.text + size.data for size in sizes)
            yield ratio("H3.4", granule, "code and data", *whole)
    yield from in_files(BOOT)
    yield from in_files(PLAIN, "-plain")
    what = "lines of ours that are there for the choice"
    yield Figure("H3.9", ANY, FIGURE, lines_for_the_choice(), "lines", what, NO_CACHE)
