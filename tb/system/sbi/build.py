"""Links the firmware with programs of this folder, which run in S-mode in Linux's place."""

import functools
import subprocess
from pathlib import Path

from sim.compiler import ARCHITECTURE, CFLAGS, WARNINGS
from sim.simulator import INCLUDE
from support.run import ROOT, built, locked

FOLDER = Path(__file__).parent
OUT = ROOT / "build" / "sbi"
CROSS = "riscv64-unknown-elf-"
COMPILER = f"{CROSS}gcc"
# The compiler has its library for this name of the architecture.
LINK = ["-march=rv32im", "-mabi=ilp32", "-nostdlib", "-static", "-Wl,--no-warn-rwx-segments"]
SHARED = [FOLDER / "entry.S", FOLDER / "supervisor.c"]
PARTS = ("lib/printf.c", "lib/string.c", "lib/fdt.c", "console/output.c")  # of the firmware


@functools.cache
def supervisor_program(name: str) -> Path:
    """build/sbi/boot-NAME.elf: the firmware with NAME.c behind it."""
    built("build/include/.ready")
    with locked(f"sbi-{name}"):
        OUT.mkdir(parents=True, exist_ok=True)
        includes = [f"-I{FOLDER}", f"-I{ROOT / 'sw'}", f"-I{ROOT / 'sw/include'}", f"-I{INCLUDE}"]
        flags = [*ARCHITECTURE, *WARNINGS, *CFLAGS, *includes]
        objects = []
        for source in [*SHARED, FOLDER / f"{name}.c", *(ROOT / "sw" / part for part in PARTS)]:
            objects.append(OUT / f"{name}-{source.name}.o")
            subprocess.run([COMPILER, *flags, "-c", source, "-o", objects[-1]], check=True)
        elf = OUT / f"{name}.program"
        script = f"-T{FOLDER / 'program.ld'}"
        subprocess.run([COMPILER, *LINK, script, *objects, "-o", elf, "-lgcc"], check=True)
        binary = OUT / f"{name}.payload"
        subprocess.run([f"{CROSS}objcopy", "-O", "binary", elf, binary], check=True)
        return built(f"build/sbi/boot-{name}.elf")
