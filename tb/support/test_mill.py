"""The bootstrap of Mill, with a jar that only says it ran."""

import shutil
import subprocess
from pathlib import Path

from support.root import ROOT

VERSION = "0.11.13"


def checkout(folder: Path) -> str:
    """Runs `mill` there and returns what it says."""
    jar = folder.parent / "cache" / f"mill-dist-{VERSION}.jar"
    jar.parent.mkdir(exist_ok=True)
    jar.write_text('mkdir -p out/rtl; echo "ran $*"\n')
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "mill", folder)
    done = subprocess.run(
        [folder / "mill", "compile"],
        env={"PATH": "/usr/bin:/bin", "MILL_CACHE": str(jar.parent), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "ran --no-server compile\n"
    return done.stderr


def test_a_copied_checkout_compiles_again(tmp_path: Path) -> None:
    """out/ names absolute paths: a build in the copy would change the original."""
    first, copy = tmp_path / "first", tmp_path / "copy"
    assert checkout(first) == ""
    (first / "out" / "rtl" / "classes").touch()
    assert checkout(first) == "" and (first / "out" / "rtl" / "classes").exists()
    shutil.copytree(first, copy)
    assert checkout(copy) == "mill: out/ is of another checkout; compiling again\n"
    assert not (copy / "out" / "rtl" / "classes").exists()
    shutil.move(copy, tmp_path / "moved")
    assert "compiling again" in checkout(tmp_path / "moved")
