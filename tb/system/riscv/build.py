"""Builds the RISC-V programs of this folder for the simulator."""

import functools
from pathlib import Path

from sim.simulator import link

FOLDER = Path(__file__).parent


def programs(folder: str) -> list[str]:
    return sorted(f"{folder}/{p.stem}" for p in (FOLDER / folder).glob("*.S"))


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
    sources = [folder / "kernel.c", source, folder / "entry.S"]
    return link(f"virtual_{source.stem}", sources, f"-I{folder}", f"-I{FOLDER}")
