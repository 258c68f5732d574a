"""A computer that has make and Python only, for tests of what a newcomer types first."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.host import output
from support.root import ROOT

# A shell's usual company; neither a compiler nor Java nor pip.
TOOLS = ["make", "ls", "cat", "find", "sed", "awk", "sort", "tr", "nproc", "mkdir", "rm", "touch"]
TOOLS += ["env", "uname", "dirname", "basename", "id", "head", "git", "printf"]


@pytest.fixture(name="bare", scope="module")
def fixture_bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout as git gives it, beside a folder of programs in which Python has no packages."""
    folder = tmp_path_factory.mktemp("bare")
    listed = output("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            path = folder / "granule" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, path)
    (folder / "bin").mkdir()
    for tool in TOOLS:
        if found := shutil.which(tool):
            (folder / "bin" / tool).symlink_to(found)
    python = folder / "bin" / "python3"
    python.write_text(f'#!/bin/sh\nexec {Path(sys.executable).resolve()} -S "$@"\n')
    python.chmod(0o755)
    return folder


def make(bare: Path, *words: str, status: int = 0) -> str:
    done = subprocess.run(
        ["make", *words], cwd=bare / "granule", text=True, check=False, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={"PATH": str(bare / "bin"), "HOME": str(bare), "NAME": "DESKTOP-1234"},
    )  # fmt: skip
    assert done.returncode == status, done.stdout
    assert not (bare / "granule" / ".venv").exists() and "Traceback" not in done.stdout
    return done.stdout
