"""Programs for this computer, which several processes may want at the same time."""

import os
import subprocess
from pathlib import Path


def link(output: Path, *arguments: str | Path) -> Path:
    """What gcc makes of the arguments, at `output`. It takes that name when it is whole: another
    process may start the old one meanwhile, which fails with "Text file busy" while it is written.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(f"{output.name}.{os.getpid()}.part")
    subprocess.run(["gcc", *arguments, "-o", part], check=True)
    return part.replace(output)
