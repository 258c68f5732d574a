"""The seeded defects, block by block: rows/*.toml.

A group is of one file and one killer: a module with what of it must fail. Each of its rows has a
name, the defect in words, and one place of the file: `old` becomes `new`, with the text before them
where `old` is there more than once. At its end may be `source`, the defect of a published MMU that
the row repeats (without it: none is known), `also`, which are further places, and `alone`
(mutant.py). `on` is the unit where the killer runs, and its part; at the top that of all groups
that do not say otherwise. A file without an ending is Scala of rtl/src/granule."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from campaigns.mutants.mutant import Mutant
from labs.choices import Place


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
