"""Where runs leave the bins that they hit: build/coverage/CONFIG.json."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from campaigns.coverage.bins import Bin
from support.run import ROOT, locked

FOLDER = ROOT / "build" / "coverage"


def path_of(config: str) -> Path:
    return FOLDER / f"{config}.json"


def load(config: str) -> tuple[Counter, list[str]]:
    """Hits by bin, and the runs that they come from."""
    path = path_of(config)
    if not path.exists():
        return Counter(), []
    document = json.loads(path.read_text())
    return Counter({Bin(*row): hits for *row, hits in document["bins"]}), document["runs"]


def add(config: str, run: str, counts: Iterable[Counter]) -> None:
    """Adds what a run hit to what earlier ones did."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with locked(f"coverage_{config}"):
        total, runs = load(config)
        for count in counts:
            total.update(count)
        rows = [[*bin_, hits] for bin_, hits in sorted(total.items(), key=str)]
        path_of(config).write_text(json.dumps({"runs": [*runs, run], "bins": rows}))
