"""Programs for this computer, which several processes may want at the same time."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.root import ROOT


def output(*command: object, **how) -> str:
    """What a command prints that succeeds; in the checkout, unless `how` has another folder."""
    how = {"cwd": ROOT} | how
    return subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=True, **how
    ).stdout


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write what takes the name `path` when it is whole: another process may start the
    old one meanwhile, which fails with "Text file busy" while it is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    yield part
    part.replace(path)


def link(path: Path, *arguments: str | Path) -> Path:
    """What gcc makes of the arguments."""
    with whole(path) as part:
        subprocess.run(["gcc", *arguments, "-o", part], check=True)
    return path
