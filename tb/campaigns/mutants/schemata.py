"""Verilog with seeded defects: all of the catalogue in one build of a unit, of which GRANULE_DEFECT
chooses one by its number (labs/hardware/Defect.scala; 0: none), or one alone."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from campaigns.mutants.table import MUTANTS, Mutant
from labs import scala
from labs.choices import DEFECT, Misfit, Place, with_choices
from labs.lab import Trouble
from support.make import locked
from support.root import ROOT

WORK = ROOT / "build" / "mutants"
IN_RTL = [mutant for mutant in MUTANTS if mutant.file.startswith("rtl/")]
# Of each defect that is a choice.
NUMBERS = {mutant.name: n for n, mutant in enumerate(IN_RTL, 1) if not mutant.alone}


def sources() -> dict[str, str]:
    """The files of the RTL with every choice in them."""
    places: dict[str, list[tuple[int, Place]]] = defaultdict(list)
    for mutant in IN_RTL:
        if not mutant.alone:
            places[mutant.file] += [(NUMBERS[mutant.name], place) for place in mutant.places]
    return {file: with_choices((ROOT / file).read_text(), found) for file, found in places.items()}


def compiled(name: str, changed: dict[str, str]) -> Path:
    """The classes of these files, which stand before those of the RTL; made again when a file of
    the RTL has changed."""
    folder = WORK / name
    stamp = folder / "stamp"
    digest = hashlib.sha256(repr(sorted(changed.items())).encode())
    for path in (DEFECT, *sorted((ROOT / "rtl").rglob("*.scala"))):
        digest.update(path.read_bytes())
    with locked(f"mutants_{name}"):
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            stamp.unlink(missing_ok=True)
            files = [DEFECT]
            for number, (file, text) in enumerate(changed.items()):
                files.append(folder / str(number) / Path(file).name)
                files[-1].parent.mkdir(parents=True, exist_ok=True)
                files[-1].write_text(text)
            try:
                scala.compiled(files, folder / "classes")
            except Trouble as error:
                raise Misfit(f"{name}: {error}") from None
            stamp.write_text(digest.hexdigest())
    return folder / "classes"


def generated(name: str, classes: Path, unit: str, suffix: str = ".v") -> Path:
    """The Verilog of a unit, for instance `mmu:wide`, with these classes. The file of a name is
    kept until they are made again."""
    stem = unit.replace(":", "_")
    made = WORK / name / f"{name}_{stem}{suffix}"
    with locked(f"{name}_{stem}"):
        if not made.exists() or made.stat().st_mtime < classes.stat().st_mtime:
            folder = WORK / name / stem
            folder.mkdir(parents=True, exist_ok=True)
            try:
                scala.generated(classes, unit, folder)
            except Trouble as error:
                raise Misfit(f"{name} of {unit}: {error}") from None
            (folder / f"{stem}{suffix}").rename(made)
    return made


@cache
def verilog(unit: str) -> Path:
    """Of a unit, with every defect of the catalogue as a choice."""
    return generated("all", compiled("all", sources()), unit)


def alone(mutant: Mutant, units: Iterable[str], suffix: str = ".v") -> dict[str, Path]:
    """Of each unit, with this defect only and for good."""
    classes = compiled(mutant.name, {mutant.file: mutant.changed()})
    return {unit: generated(mutant.name, classes, unit, suffix) for unit in units}
