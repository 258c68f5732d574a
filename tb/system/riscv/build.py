"""Builds the RISC-V programs of this folder for the simulator."""

import functools
import os
import subprocess
import tempfile
from pathlib import Path

from sim.compiler import COMPILER, PROGRAMS
from sim.simulator import BUILD, INCLUDE
from support.run import built

FOLDER = Path(__file__).parent


def programs(folder: str) -> list[str]:
    return sorted(f"{folder}/{p.stem}" for p in (FOLDER / folder).glob("*.S"))


def link(name: str, sources: list[Path], *options: str) -> Path:
    """The ELF `name` of these sources."""
    built("build/include/.ready")
    BUILD.mkdir(parents=True, exist_ok=True)
    # Tests run side by side: write to a name of one's own, then put it in place.
    with tempfile.NamedTemporaryFile(dir=BUILD, suffix=".elf", delete=False) as output:
        pass
    includes = [f"-I{PROGRAMS}", f"-I{INCLUDE}", f"-L{INCLUDE}"]
    subprocess.run(
        [*COMPILER, *includes, *options, *map(str, sources), "-o", output.name], check=True
    )
    elf = BUILD / f"{name}.elf"
    os.replace(output.name, elf)
    return elf


@functools.cache
def sv32_program(name: str) -> Path:
    """A program of sv32/ on the M-mode start and traps of tb/sim/programs."""
    folder = FOLDER / "sv32"
    sources = [folder / f"{name}.c", folder / "sv32.c", PROGRAMS / "start.S"]
    if "tables.h" in sources[0].read_text():
        sources.append(PROGRAMS / "tables.c")
    return link(f"sv32_{name}", sources, f"-T{PROGRAMS / 'program.ld'}", f"-I{folder}")


@functools.cache
def physical_program(path: str, *options: str) -> Path:
    """The assembly program `path` (user/..., machine/...) where nothing is translated."""
    folder = FOLDER / "physical"
    source = FOLDER / f"{path}.S"
    return link(
        f"physical_{source.stem}{''.join(options)}",
        [source],
        *options,
        f"-T{folder / 'program.ld'}",
        f"-I{folder}",
        f"-I{FOLDER}",
    )


@functools.cache
def virtual_program(path: str) -> Path:
    """The same program as a process of the paging kernel."""
    folder = FOLDER / "virtual"
    source = FOLDER / f"{path}.S"
    return link(
        f"virtual_{source.stem}",
        [folder / "entry.S", folder / "kernel.c", source],
        f"-T{folder / 'program.ld'}",
        f"-I{folder}",
        f"-I{FOLDER}",
    )
