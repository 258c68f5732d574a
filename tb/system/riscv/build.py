"""Builds the RISC-V programs of this folder for the simulator."""

import functools
from pathlib import Path

from sim.simulator import link

FOLDER = Path(__file__).parent
SV32 = FOLDER / "sv32"


def programs(folder: str) -> list[str]:
    return sorted(f"{folder}/{p.stem}" for p in (FOLDER / folder).glob("*.S"))


@functools.cache
def sv32_program(name: str) -> Path:
    """A program of sv32/ on the M-mode start and traps of tb/sim/programs."""
    return link(f"sv32_{name}", [SV32 / f"{name}.c", SV32 / "sv32.c"], f"-I{SV32}")


@functools.cache
def physical_program(path: str, *options: str) -> Path:
    """The assembly program `path` (user/..., machine/...) where nothing is translated."""
    source = FOLDER / f"{path}.S"
    name = f"physical_{source.stem}{''.join(options)}"
    return link(name, [source], *options, f"-I{FOLDER / 'physical'}", f"-I{FOLDER}")


@functools.cache
def virtual_program(path: str) -> Path:
    """The same program as a process of the paging kernel."""
    folder = FOLDER / "virtual"
    source = FOLDER / f"{path}.S"
    sources = [folder / "kernel.c", source, folder / "entry.S", SV32 / "sv32.c"]
    places = (f"-I{folder}", f"-I{FOLDER}", f"-I{SV32}")
    return link(f"virtual_{source.stem}", sources, *places)
