"""Boots of the experiments: which there are (docs/data/campaign.toml), and what comes of one.

The firmware is linked with its code and data at other places, too: the same objects in another
order and further back. What changes a figure then is chance, and no property of the code."""

import random
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

from figures import measure
from figures.catalogue import GRANULES
from figures.measure import BUILD, Failed
from granule import simulator
from granule.figures import Figure
from support.root import ROOT

PLANS = ROOT / "docs" / "data" / "campaign.toml"
SIMULATORS = {"teaching": BUILD / "granule-sim", "ulx3s": BUILD / "granule-sim-ulx3s"}
PLACEMENTS = {"4k": 16, "16k": 4, "64k": 4}
FIRMWARE = "sw"  # the image that everything else boots, too: its figures are the firmware's
DIGITS = 6  # of a value, as the firmware prints it
CROSS = "riscv64-unknown-elf-"
LINK = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-static", "-Wl,--no-warn-rwx-segments"]
WAY = 4096  # the smallest way of a cache: a shift by more changes nothing


@dataclass(frozen=True)
class Plan:
    """One experiment of the campaign; the fields are explained at the head of its file."""

    name: str
    run: str
    caches: tuple[str, ...] = tuple(SIMULATORS)
    granules: tuple[str, ...] = GRANULES
    placements: int | None = None
    images: tuple[str, ...] = (FIRMWARE,)
    options: tuple[str, ...] = ()
    over: tuple[tuple[str, str], ...] = ()
    demo: bool | tuple[str, ...] = True
    counts: bool = True
    full: bool = False

    def places(self, granule: str) -> int:
        return self.placements or PLACEMENTS[granule]


@dataclass(frozen=True)
class Boot:
    plan: Plan
    cache: str
    granule: str
    placement: int = 0

    def __str__(self) -> str:
        return f"{self.plan.name} on {self.cache} at {self.granule}, place {self.placement}"

    @property
    def in_demo(self) -> bool:
        """Whether `make demo` boots it beside run=all: where several images are compared."""
        wanted = self.plan.demo
        return len(self.plan.images) > 1 and (wanted is True or self.cache in (wanted or ()))

    @property
    def images(self) -> list[str]:
        return [image.format(granule=self.granule) for image in self.plan.images]


@dataclass(frozen=True)
class Outcome:
    boot: Boot
    figures: list[Figure]
    curves: list[dict]


def planned(full: bool) -> list[tuple[str, str]]:
    """What boots run=all: every granule on the first cache, and the smallest on the others too. A
    page of 16K is no smaller than a way of either, so that it has one colour on both, and they
    differ in size only; `full` boots these too."""
    first = next(iter(SIMULATORS))
    return [
        (cache, granule)
        for granule in GRANULES
        for cache in SIMULATORS
        if full or cache == first or granule == GRANULES[0]
    ]


def plan_of(name: str, table: dict) -> Plan:
    strange = table.keys() - ({field.name for field in fields(Plan)} - {"name"})
    if strange or "run" not in table:
        problem = f"no field is called {', '.join(sorted(strange))}" if strange else "no run"
        raise Failed(f"{PLANS.name}: {name}: {problem}")
    known = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    return Plan(name, **known | {"over": tuple(table.get("over", {}).items())})


def plans(text: str | None = None) -> dict[str, Plan]:
    tables = tomllib.loads(PLANS.read_text() if text is None else text)
    return {name: plan_of(name, table) for name, table in tables.items()}


def all_places(wanted: list[Plan]) -> Iterator[Boot]:
    """Every boot of these plans, place by place, so that all figures have a few places early."""
    for number in range(max(PLACEMENTS.values())):
        for plan in wanted:
            for granule in plan.granules:
                if number < plan.places(granule):
                    for cache in plan.caches:
                        yield Boot(plan, cache, granule, number)


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


def booted(boot: Boot, image: str, folder: Path) -> simulator.Run:
    """Of one image. Raises Failed when it fails or runs something else."""
    arguments, name = f"pagesize={boot.granule} {boot.plan.run}", f"{boot}, image {image}"
    elf = link(BUILD / image, boot.placement, folder / boot.cache)
    machine = SIMULATORS[boot.cache]
    found = measure.Boot(arguments, machine, options=boot.plan.options, name=name).run(elf)
    if "is no experiment" in found.console:
        raise Failed(f"{name}: {found.console[-2000:]}")
    return replace(found, configuration=boot.cache)


def quotients(boot: Boot, first: list[Figure], second: list[Figure]) -> list[Figure]:
    """Figures of the first image over the same ones of the second."""
    ours, theirs = ({f.id: f for f in figures} for figures in (first, second))
    made = []
    for identity, source in boot.plan.over:
        if source not in ours or source not in theirs or not theirs[source].value:
            raise Failed(f"{boot}: no {source} of both images for {identity}")
        value = round(ours[source].value / theirs[source].value, DIGITS)
        made.append(replace(ours[source], id=identity, value=value, unit="ratio"))
    return made


def run(boot: Boot, folder: Path) -> Outcome:
    """Boots the images at this place and reads what they measured; the first one's figures count,
    and what `over` makes of both."""
    runs = [booted(boot, image, folder) for image in boot.images]
    read = [list(found.figures.values()) for found in runs]
    counts = boot.plan.counts and boot.images[0] == FIRMWARE
    figures = read[0] if counts else []
    if len(read) > 1:
        figures += quotients(boot, *read[:2])
    return Outcome(boot, figures, runs[0].curves)
