"""One seeded defect as data: where, what becomes what, and the test that must notice."""

import re
from dataclasses import dataclass

from support.root import ROOT


class Misfit(Exception):
    """The row's text is not in the source exactly once, or the changed source does not build."""


@dataclass(frozen=True)
class Place:
    """`old` becomes `new`, right behind the text `after` if that is given: an expression, or
    statements. White space does not count in the search."""

    old: str
    new: str
    after: str = ""

    def found(self, name: str, file: str, text: str) -> tuple[int, int]:
        """Where in the text of the file. Raises Misfit unless it is there once."""
        before, old = (
            r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", part)))
            for part in (self.after, self.old)
        )
        found = list(re.finditer(rf"{before}\s*({old})" if before else f"({old})", text))
        if len(found) != 1:
            raise Misfit(f"{name}: '{self.old}' is {len(found)} times in {file}, must be once")
        return found[0].span(1)


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
        spans = [(*place.found(self.name, self.file, text), place.new) for place in self.places]
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        return text
