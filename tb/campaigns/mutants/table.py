"""The seeded defects, block by block: rows/*.toml.

Each row changes one place of one source file; the place must exist exactly once, whatever white
space it is written with. Its name stands behind the file, `killer` is a module and what of that
must fail (mutant.py); `source` names the defect of a published MMU that the row repeats (without
it: none is known). What stands before the first row is so in all that do not say otherwise."""

import tomllib
from pathlib import Path

from campaigns.mutants.mutant import Mutant


def rows(text: str) -> list[Mutant]:
    found, block = [], tomllib.loads(text)
    all_of = {key: block.pop(key) for key in ("unit", "killer") if key in block}
    for file, by_name in block.items():
        for name, own in by_name.items():
            row = all_of | own
            module, killer = row.pop("killer").split(" ", 1)
            if "also" in row:
                row["also"] = tuple(row["also"])
            source = row.pop("source", "ours")
            found.append(
                Mutant(name, source=source, file=file, module=module, killer=killer, **row)
            )
    return found


ROWS = sorted((Path(__file__).parent / "rows").glob("*.toml"))
MUTANTS = [mutant for path in ROWS for mutant in rows(path.read_text())]
