"""The folder of the labs for a class: what a student and a grader need, laid out as in a checkout,
so that the handouts' commands are the same. Programs are there as they were built."""

import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from support.host import output
from support.root import ROOT
from tools.dist.pack import finish

NAME = "granule-labs"
SOURCES = Path(__file__).parent / "labs"
# Folders and files of the repository. Which modules of the bench the grader needs, Python says.
TAKEN = [
    "docs",
    "fpga/ulx3s/board.mk",
    "pyproject.toml",
    "rtl/src",
    "sw",
    "tb/data",
    "tb/granule",
    "tb/labs",
    "tb/model",
    "tb/sim",
    "tb/support/help.mk",
    "tb/walk.py",
]
LEFT_OUT = ["docs/web", "sw/linux", "sw/tests", "tb/labs/trial.py", "tb/sim/sim.mk"]
BUILD = ROOT / "build"
HEADERS = ("*.h", "*.ld", ".ready")
C_LIBRARY = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
VERILATOR = "Apache-2.0 AND (LGPL-3.0-only OR Artistic-2.0)"
RUNTIME = "GPL-3.0-or-later WITH GCC-exception-3.1"
# Beside our own: what the compilers and Verilator put into a program.
LICENCES = {
    "build/granule-sim*": f"{VERILATOR} AND {RUNTIME}",
    "build/sw/granule.elf": f"Apache-2.0 AND {RUNTIME}",
    "build/web/machine-*.js": f"{VERILATOR} AND MIT AND (Apache-2.0 WITH LLVM-exception)",
    "build/web/firmware.js": f"Apache-2.0 AND {RUNTIME}",
}


class NotPortable(Exception):
    """A program would not run elsewhere; says why."""


def taken() -> list[str]:
    """Files of the repository, without tests and what was built."""
    listed = output("git", "ls-files", "--cached", "--others", "--exclude-standard", *TAKEN)
    return [
        name
        for name in listed.splitlines()
        if not any(Path(name).is_relative_to(folder) for folder in LEFT_OUT)
        and not (name.startswith("tb/") and Path(name).name.startswith("test_"))
    ]


def linked() -> list[str]:
    """Files that handouts and the pages of teachers name, wherever they are."""
    pages = [*ROOT.glob("docs/labs/*.md"), *ROOT.glob("docs/teachers/*.md")]
    targets = [
        (page.parent / target).resolve()
        for page in pages
        for target in re.findall(r"\]\(([^)\s#:]+)[)#]", page.read_text())
    ]
    return [str(path.relative_to(ROOT)) for path in targets if path.is_file()]


def modules() -> list[str]:
    """Files that the grader imports, in a Python without packages."""
    program = (
        "import sys; sys.path.insert(0, 'tb'); import labs.grade, granule.__main__;"
        "print(*(m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)), "
        "sep='\\n')"
    )
    found = output(sys.executable, "-S", "-E", "-B", "-c", program)
    paths = [(ROOT / name).resolve() for name in found.splitlines()]
    return [str(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT / "tb")]


def glibc(program: Path) -> tuple[int, ...]:
    """The oldest C library that a program runs with. Raises NotPortable where it needs more than
    that."""
    with program.open("rb") as file:
        elf = ELFFile(file)
        if elf["e_machine"] != "EM_X86_64":
            return ()
        versions = []
        for section in elf.iter_sections():
            if isinstance(section, GNUVerNeedSection):
                for library, needed in section.iter_versions():
                    if library.name not in C_LIBRARY:
                        raise NotPortable(
                            f"{program} needs {library.name}; tb/sim/build.sh links it in"
                        )
                    versions += [v.name for v in needed if v.name.startswith("GLIBC_2")]
    return max(tuple(map(int, name.removeprefix("GLIBC_").split("."))) for name in versions)


def verilog(program: Path) -> Path | None:
    """What a simulator was made from."""
    found = re.fullmatch(r"granule-sim(?:-(\w+))?", program.name)
    return found and BUILD / f"rtl/simsoc_{found[1] or 'teaching'}.v"


def complete(built: Iterable[Path], out: Path) -> None:
    """`built`: programs below build/."""
    files = [ROOT / name for name in sorted({*taken(), *linked(), *modules()})]
    files += [path for kind in HEADERS for path in (BUILD / "include").glob(kind)]
    files += [BUILD / "sw-trees.dtb"]  # else the firmware wanted a compiler of device trees
    programs = [path.resolve() for path in built]
    files += filter(None, map(verilog, programs))
    for path in (*files, *programs):
        to = out / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    shutil.copytree(BUILD / "web", out / "build/web")
    for path in SOURCES.iterdir():
        shutil.copyfile(path, out / path.name)
    floor = max(filter(None, map(glibc, programs)))
    readme = (out / "README.md").read_text().replace("GLIBC_FLOOR", ".".join(map(str, floor)))
    (out / "README.md").write_text(readme)
    licences = {
        str(path.relative_to(out)): licence
        for pattern, licence in LICENCES.items()
        for path in out.glob(pattern)
    }
    finish(out, NAME, licences)
