"""The firmware with its code and data at other places: the same objects, linked in another order
and further back. What a figure changes by is chance of the layout, and no property of the code."""

import random
import subprocess
from pathlib import Path

from support.root import ROOT

CROSS = "riscv64-unknown-elf-"
LINK = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-static", "-Wl,--no-warn-rwx-segments"]
WAY = 4096  # the smallest way of a cache: a shift by more changes nothing


def objects(image: Path) -> list[Path]:
    """The objects of an image whose sources are still there, without the loader's."""
    source = ROOT / "sw"
    found = (p for p in sorted(image.rglob("*.o")) if "loader" not in p.parts)
    return [p for p in found if (source / p.relative_to(image).with_suffix("")).exists()]


def link(image: Path, number: int, folder: Path) -> Path:
    """Place `number` of an image (a folder of build/): 0 is the image as `make` linked it. Every
    other number shuffles the objects and shifts code by words and data by lines of a cache."""
    if number == 0:
        return image / "granule.elf"
    chance = random.Random(number)
    order = objects(image)
    chance.shuffle(order)
    shifts = {"text": chance.randrange(0, WAY, 4), "data": chance.randrange(0, WAY, 64)}
    folder.mkdir(parents=True, exist_ok=True)
    elf = folder / f"{image.name}-{number}.elf"
    places = [f"-Wl,--defsym=__place_{name}={shift}" for name, shift in shifts.items()]
    script = ["-T", image / "granule.lds", "-o", elf]
    command = [f"{CROSS}gcc", *LINK, *places, *script, *order, "-lgcc"]
    subprocess.run(command, check=True)
    return elf
