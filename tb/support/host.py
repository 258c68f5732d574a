"""Programs for this computer, which several processes may want at the same time."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(output: Path) -> Iterator[Path]:
    """Where to write what takes the name `output` when it is whole: another process may start the
    old one meanwhile, which fails with "Text file busy" while it is written."""
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    yield part
    part.replace(output)


def link(output: Path, *arguments: str | Path) -> Path:
    """What gcc makes of the arguments."""
    with whole(output) as part:
        subprocess.run(["gcc", *arguments, "-o", part], check=True)
    return output
