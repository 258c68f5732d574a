"""The seeded defects, block by block: rows/*.toml.

Each row changes one place of one source file, or those of `also` with it: `old` becomes `new`, and
`after` tells which `old` of several is meant (mutant.py). Its name stands behind the file, `killer`
is a module and what of that must fail; `source` names the defect of a published MMU that the row
repeats (without it: none is known). What stands before the first row is so in all that do not say
otherwise."""

import tomllib
from pathlib import Path

from campaigns.mutants.mutant import Mutant
from labs.choices import Place


def rows(text: str) -> list[Mutant]:
    found, block = [], tomllib.loads(text)
    all_of = {key: block.pop(key) for key in ("unit", "killer") if key in block}
    for file, by_name in block.items():
        for name, own in by_name.items():
            row = all_of | own
            module, killer = row.pop("killer").split(" ", 1)
            first = (row.pop("old"), row.pop("new"), row.pop("after", ""))
            places = tuple(Place(*place) for place in (first, *row.pop("also", [])))
            source = row.pop("source", "ours")
            found.append(
                Mutant(
                    name,
                    source=source,
                    file=file,
                    places=places,
                    module=module,
                    killer=killer,
                    **row,
                )  # fmt: skip
            )
    return found


ROWS = sorted((Path(__file__).parent / "rows").glob("*.toml"))
MUTANTS = [mutant for path in ROWS for mutant in rows(path.read_text())]
