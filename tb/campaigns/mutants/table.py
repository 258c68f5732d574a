"""The seeded defects, block by block: rows/*.toml.

A group is of one file and one killer: a module with what of it must fail. Each of its rows has a
name, the defect in words, and one place of the file: `old` becomes `new`, with the text before them
where `old` is there more than once. At its end may be `source`, the defect of a published MMU that
the row repeats (without it: none is known), `also`, which are further places, and `alone`
(`Mutant`). `on` is the unit where the killer runs, and its part; at the top that of all groups
that do not say otherwise. A file without an ending is Scala of rtl/src/granule."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labs.choices import Misfit, Place
from support.root import ROOT


@dataclass(frozen=True)
class Mutant:
    """One defect: where, what becomes what, and what must notice. `killer` is what must fail: the
    cocotb test; for files of the golden model the pytest file; for files of the firmware
    (module "host") the program of sw/tests; for module "litmus" a shape; for module "changes" the
    world of a row of SHORT. `part`: the module of the unit that the cocotb test drives, if it is
    not the whole. `alone`: it is no choice of a simulation (a constant of Scala), so that it is
    built alone."""

    name: str
    defect: str
    source: str
    file: str
    places: tuple[Place, ...]
    module: str
    killer: str
    unit: str = "mmu:vmsa48_nocache"
    part: str | None = None
    alone: bool = False

    def changed(self) -> str:
        """The file with the defect in it."""
        text = (ROOT / self.file).read_text()
        try:
            spans = [(*place.found(text), place.new) for place in self.places]
        except Misfit as error:
            raise Misfit(f"{self.name}: {self.file}: {error}") from None
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def path_of(file: str) -> str:
    return file if Path(file).suffix else f"rtl/src/granule/{file}.scala"


def place(*texts: str) -> Place:
    *before, old, new = texts
    return Place(old, new, *before)


def rows(text: str) -> Iterator[Mutant]:
    block = tomllib.loads(text)
    everywhere, alone = block.pop("on", "mmu:vmsa48_nocache"), block.pop("alone", False)
    for file, groups in block.items():
        for killers, group in groups.items():
            module, killer = killers.split(" ", 1)
            module = f"unit.{module}" if "." in module else module
            unit, _, part = group.pop("on", everywhere).partition("/")
            for name, row in group.items():
                defect, *texts = (item for item in row if isinstance(item, str))
                options = {"source": "ours", "alone": alone, "also": []}
                options |= row[-1] if isinstance(row[-1], dict) else {}
                places = (place(*texts), *(place(*more) for more in options.pop("also")))
                yield Mutant(name, defect, file=path_of(file), places=places, module=module,
                             killer=killer, unit=unit, part=part or None, **options)  # fmt: skip


ROWS = sorted((Path(__file__).parent / "rows").glob("*.toml"))
MUTANTS = [mutant for path in ROWS for mutant in rows(path.read_text())]
