"""One seeded defect as data: where, what becomes what, and the test that must notice."""

from dataclasses import dataclass

from labs.choices import Misfit, Place
from support.root import ROOT


@dataclass(frozen=True)
class Mutant:
    """`killer`: what must fail: the cocotb test; for files of the golden model the pytest file; for
    files of the firmware (module "host") the program of sw/tests; for module "litmus" a shape; for
    module "changes" the world of a row of changes/short.py.
    `part`: the module of the unit that the cocotb test drives, if it is not the whole.
    `alone`: it is no choice of a simulation (a constant of Scala), so that it is built alone."""

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
