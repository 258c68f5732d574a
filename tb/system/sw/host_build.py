"""Compiles parts of the firmware for the host, under ASan and UBSan.

Objects are kept by the hash of what the compiler sees, so that a changed file (or a mutant of it)
costs one compilation.
"""

import hashlib
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from support import host
from support.run import ROOT

SW = ROOT / "sw"
BUILD = ROOT / "build" / "sw-tests"
OBJECTS = BUILD / "objects"
MACHINE = "tests/machine"
# Parts of mm/ that need the real machine: linker's symbols, device registers, counters.
HARDWARE_BOUND = {f"mm/{n}.c" for n in ("mem_init", "paging", "early", "flush_costs", "tlb_post")}
COMMON = ["lib/printf.c", "lib/string.c", "tests/host.c"]
SANITIZERS = ["-fsanitize=undefined,address", "-fno-sanitize-recover=undefined"]
FLAGS = [
    "-O1", "-g", "-std=gnu11", "-DGRANULE_ENTRY_CHOICE", "-fno-builtin", "-fno-strict-aliasing",
    *SANITIZERS, "-Wall", "-Wextra", "-Werror", "-Wno-pointer-to-int-cast",
    "-Wno-int-to-pointer-cast", f"-I{ROOT / 'build' / 'include'}",
]  # fmt: skip
WRAPPED = ["alloc_pages", "put_page"]  # tests/machine/allocation.c stands before them


class DoesNotBuild(Exception):
    """The compiler's words."""


def run(command: list[str], folder: Path) -> bytes:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise DoesNotBuild(done.stderr.decode())
    return done.stdout


def sources_of(test: Path, sw: Path = SW) -> list[str]:
    """The firmware files that a test names in its first comment, after "Sources:"; a folder
    stands for all its files that need no hardware."""
    head = test.read_text().split("*/")[0].split("\n *\n")[0]
    names = []
    for name in re.findall(r"[a-z0-9_/]+/(?:[a-z0-9_]+\.c\b)?", head.split("Sources:")[1]):
        files = sw.glob(f"{name}*.c") if name.endswith("/") else [sw / name]
        names += sorted(str(p.relative_to(sw)) for p in files)
    return list(dict.fromkeys(n for n in names + COMMON if n not in HARDWARE_BOUND))


def compiled(name: str, sw: Path, flags: list[str]) -> Path:
    """The object file of a source in `sw`. All names are relative, so that a copy of the folder
    finds the objects of the original."""
    text = run(["gcc", *flags, "-E", name], sw)
    key = hashlib.sha256(text + " ".join(flags).encode()).hexdigest()[:24]
    target = OBJECTS / f"{Path(name).stem}-{key}.o"
    if not target.exists():
        with host.whole(target) as part:
            run(["gcc", *flags, "-c", name, "-o", str(part)], sw)
    return target


def build(test: Path, sw: Path = SW, target: Path | None = None, *, warn: bool = True) -> Path:
    """The program of a test file of `sw`/tests, with the firmware files of `sw`."""
    names = [*sources_of(test, sw), f"tests/{test.name}"]
    on_machine = any(name.startswith(MACHINE) for name in names)
    first = [f"-I{MACHINE}"] if on_machine else []
    flags = [*FLAGS, *([] if warn else ["-w"]), *first, "-I.", "-Iinclude", "-Itests"]
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(partial(compiled, sw=sw, flags=flags), names))
    target = target or BUILD / test.stem
    wrap = [f"-Wl,--wrap={name}" for name in WRAPPED] if on_machine else []
    with host.whole(target) as part:
        run(["gcc", *SANITIZERS, *wrap, *map(str, objects), "-o", str(part)], sw)
    return target
