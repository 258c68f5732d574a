"""How much of the firmware's source is there because the page size is chosen at boot.

The document counts what its patches add to a kernel that had one page size. Ours never had one, so
what is counted is what could go if it had: whole files, and lines elsewhere."""

import re
from pathlib import Path

from support.run import ROOT

SW = ROOT / "sw"
FILES = ("boot/granule_choice.c", "boot/patch.c", "lib/runtime_const*", "mm/page_size.*")
WORDS = re.compile(r"runtime_const|runtime_sites|GRANULE_FIXED|geometry_(init|choose|granule)")
NOT_OURS = ("tests", "loader")  # are in no image


def sources() -> list[Path]:
    files = sorted(p for p in SW.rglob("*.[chS]"))
    return [p for p in files if p.relative_to(SW).parts[0] not in NOT_OURS]


def lines_for_the_choice() -> int:
    whole = {p for pattern in FILES for p in SW.glob(pattern)}
    count = 0
    for path in sources():
        lines = path.read_text().splitlines()
        count += len(lines) if path in whole else sum(bool(WORDS.search(line)) for line in lines)
    return count
