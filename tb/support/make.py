"""Files that the Makefile makes. It needs Python and no package."""

import fcntl
import functools
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

from support.root import ROOT

SIM = ROOT / "build" / "sim"


@contextmanager
def locked(name: str):
    """Only one process at a time builds the same thing (tests run side by side)."""
    SIM.mkdir(parents=True, exist_ok=True)
    with (SIM / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def environment() -> dict[str, str]:
    """For a make of its own. The jobserver and the flags of the make around it, `make test`, would
    change what it does and says."""
    return {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}


@functools.cache
def built(target: str, *variables: str) -> Path:
    """A file that the Makefile makes, up to date."""
    with locked("make"):
        subprocess.run(["make", "-s", "-C", str(ROOT), target, *variables], check=True,
                       env=environment())  # fmt: skip
    return ROOT / target
