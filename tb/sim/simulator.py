"""Builds the test programs and runs them on build/granule-sim."""

import functools
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sim.compiler import COMPILER, PROGRAMS
from support.run import ROOT, built

INCLUDE = ROOT / "build" / "include"
BUILD = ROOT / "build" / "soc"

MAX_CYCLES = 20_000_000  # more than any test program needs


@functools.cache
def simulator(config: str = "teaching") -> Path:
    """The simulator of a configuration, up to date."""
    name = "granule-sim" if config == "teaching" else f"granule-sim-{config}"
    return built(f"build/{name}")


def link(name: str, sources: list[Path], *options: str) -> Path:
    """The ELF build/soc/NAME.elf of these sources, with the start, the traps and, if the first of
    them wants them, the tables of tb/sim/programs."""
    built("build/include/.ready")
    BUILD.mkdir(parents=True, exist_ok=True)
    sources = [*sources, PROGRAMS / "start.S"]
    if re.search(r'"(tables|causes|d128)\.h"', sources[0].read_text()):
        sources.append(PROGRAMS / "tables.c")
    # Tests run side by side: write to a name of one's own, then put it in place.
    with tempfile.NamedTemporaryFile(dir=BUILD, suffix=".elf", delete=False) as output:
        pass
    places = [f"-I{PROGRAMS}", f"-I{INCLUDE}", f"-L{INCLUDE}", f"-T{PROGRAMS / 'program.ld'}"]
    subprocess.run(
        [*COMPILER, *places, *options, *map(str, sources), "-o", output.name], check=True
    )
    elf = BUILD / f"{name}.elf"
    os.replace(output.name, elf)
    return elf


def compile_program(name: str, *more: str) -> Path:
    """The ELF of tb/sim/programs/NAME.c; `more` are further compiler arguments."""
    return link(name, [PROGRAMS / f"{name}.c"], *more)


@dataclass
class Run:
    status: int
    out: str
    err: str

    @property
    def cycles(self) -> int:
        return int(re.search(r"(\d+) cycles in", self.err).group(1))

    def value(self, name: str) -> int:
        """The number that the program printed as `NAME hex`."""
        found = re.search(rf"^{name} ([0-9a-f]{{8}})$", self.out, re.M)
        assert found, f"no value '{name}' in:\n{self.out}\n{self.err}"
        return int(found.group(1), 16)

    def passed(self) -> "Run":
        assert self.status == 0, f"status {self.status}\n{self.out}\n{self.err}"
        return self


def simulate(
    elf: Path | str | None,
    *options: str,
    config: str = "teaching",
    stdin: str = "",
    timeout: int = 600,
) -> Run:
    """Runs granule-sim with a bound on its cycles; a snapshot needs no program."""
    arguments = [str(simulator(config)), *options, *([str(elf)] if elf else [])]
    if "--max-cycles" not in options:
        arguments[1:1] = ["--max-cycles", str(MAX_CYCLES)]
    done = subprocess.run(
        arguments, input=stdin.encode(), capture_output=True, check=False, timeout=timeout
    )
    return Run(done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1"))


def run_program(name: str, *options: str, config: str = "teaching", stdin: str = "") -> Run:
    """Compiles and runs a test program; it fails with its output when a check of it fails."""
    return simulate(compile_program(name), *options, config=config, stdin=stdin).passed()
