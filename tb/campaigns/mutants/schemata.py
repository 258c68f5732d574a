"""All defects of the RTL in one build: each becomes a choice of the simulation, as the machines of
lab 8 have it (labs/hardware/Defect.scala). GRANULE_DEFECT tells the number; 0: there is none."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from campaigns.mutants.mutant import Misfit, Mutant
from labs import scala
from labs.lab import Trouble
from support.make import locked
from support.root import ROOT

WORK = ROOT / "build" / "mutants"
CHOICE = ROOT / "tb/labs/hardware/Defect.scala"
# What of a row is a statement: it assigns, and has no value.
STATEMENT = re.compile(
    r":=|\b(set|clear)When\b|^when\b|\.drop\(\)|\.writeHalt\(\)"
    r"|^Par\.d128\.set|^searchAgain|^takes\("
)


@dataclass(frozen=True, order=True)
class Chosen:
    """A place of a file with the number of its defect. Sorted, one stands before what it holds."""

    start: int
    minus_end: int
    number: int
    right: str
    wrong: str

    def around(self, inner: str) -> str:
        choice = "_root_.granule.labs.Defect"
        if not self.wrong or STATEMENT.search(self.right) or STATEMENT.search(self.wrong):
            return f"{choice}.instead({self.number}) {{ {self.wrong} }} {{ {inner} }}"
        return f"{choice}({self.number})({self.wrong}, {inner})"


def with_choices(
    text: str, places: Sequence[Chosen], start: int = 0, end: int | None = None
) -> str:
    """A piece of the text; a choice may stand in what another one has for right."""
    pieces, at, left = [], start, sorted(places)
    while left:
        first, stop = left[0], -left[0].minus_end
        inner = [place for place in left[1:] if place.start < stop]
        if any(-place.minus_end > stop for place in inner):
            raise Misfit(f"'{first.right}' overlaps the place of another defect")
        body = with_choices(text, inner, first.start, stop)
        pieces += [text[at : first.start], first.around(body)]
        at, left = stop, left[1 + len(inner) :]
    return "".join([*pieces, text[at:end]])


def numbered(mutants: Sequence[Mutant]) -> dict[str, int]:
    """Of each defect that is a choice."""
    return {mutant.name: n for n, mutant in enumerate(mutants, 1) if in_rtl(mutant)}


def in_rtl(mutant: Mutant) -> bool:
    return mutant.file.startswith("rtl/") and not mutant.alone


def sources(mutants: Sequence[Mutant]) -> dict[str, str]:
    """The files of the RTL with every choice in them."""
    places: dict[str, list[Chosen]] = {}
    numbers = numbered(mutants)
    for mutant in filter(in_rtl, mutants):
        text = (ROOT / mutant.file).read_text()
        for place in mutant.places:
            start, end = place.found(mutant.name, mutant.file, text)
            chosen = Chosen(start, -end, numbers[mutant.name], place.old, place.new)
            places.setdefault(mutant.file, []).append(chosen)
    return {file: with_choices((ROOT / file).read_text(), found) for file, found in places.items()}


def compiled(name: str, changed: dict[str, str]) -> Path:
    """The classes of these files, which stand before those of the RTL; made again when a file of
    the RTL has changed."""
    folder = WORK / name
    stamp = folder / "stamp"
    digest = hashlib.sha256(repr(sorted(changed.items())).encode())
    for path in (CHOICE, *sorted((ROOT / "rtl").rglob("*.scala"))):
        digest.update(path.read_bytes())
    with locked(f"mutants_{name}"):
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            stamp.unlink(missing_ok=True)
            files = [CHOICE]
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


def verilog(mutants: Sequence[Mutant], unit: str) -> Path:
    """Of a unit, with every defect of the catalogue as a choice."""
    return generated("all", compiled("all", sources(mutants)), unit)


def alone(mutant: Mutant, units: Iterable[str], suffix: str = ".v") -> dict[str, Path]:
    """Of each unit, with this defect only and for good."""
    classes = compiled(mutant.name, {mutant.file: mutant.changed()})
    return {unit: generated(mutant.name, classes, unit, suffix) for unit in units}
