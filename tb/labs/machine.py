"""Compiles a student's C and runs it: on this computer, and on the simulator of the RTL. What goes
wrong is told in words that name the student's own files."""

import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from labs.lab import Check, Handin, Trouble, Wrong
from sim.compiler import ARCHITECTURE, CFLAGS, CROSS, LINK
from sim.compiler import PROGRAMS as SYSTEM
from support.make import built
from support.root import ROOT

PROGRAMS = ROOT / "tb/labs/programs"
SIMULATOR = "granule-sim"
PACKAGES = {"cc": "gcc libc6-dev", CROSS: "gcc-riscv64-unknown-elf"}  # of Debian and Ubuntu
WARNINGS = ["-Wall", "-Wextra"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SECONDS = 60
HOST_SECONDS = 5
MOST_PRINTED = 1 << 24
MOST_CYCLES = 1_000_000  # ten times what a program of these labs needs
FIRMWARE_CYCLES = 50_000_000  # likewise
MEASURED = ROOT / "build/labs/measured"
NO_END = 124  # status of granule-sim after --max-cycles
COULD_NOT_RUN = 125
SHOWN_LINES = 6
# What is said for each WHAT: what was expected and what was got, in words with {where}, {expected}
# and {got}.
Words = Mapping[str, tuple[str, str]]


class NoEnd(Trouble):
    """A program used up its cycles."""


def checkout() -> bool:
    """Not the archive of a class, which cannot build RTL."""
    return (ROOT / "build.sc").exists()


def prebuilt() -> Path | None:
    """A folder with simulators and include/, for machines that cannot build them."""
    named = os.environ.get("PREBUILT", "").strip()
    if named:
        return Path(named).resolve()
    return None if checkout() else ROOT / "build"


def builds() -> bool:
    """Whether this Python is the project's own, which keeps what is built up to date. Another one,
    as that of a notebook, uses what there is."""
    return Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()


def part(name: str, target: str) -> Path:
    """A file of the prebuilt folder, or one that is made here."""
    folder = prebuilt()
    if not folder:
        if (ROOT / target).exists() and not builds():
            return ROOT / target
        try:
            return built(target)
        except subprocess.CalledProcessError:
            raise Trouble(f"{target} could not be built; run `make {target}`") from None
    path = folder / name
    if not path.exists():
        raise Trouble(f"PREBUILT is {folder}: it has no {name}")
    return path


@cache
def starts(program: Path) -> None:
    """Raises Trouble where this computer cannot run what was built on another one."""
    try:
        done = subprocess.run(
            [program, "--help"], capture_output=True, text=True, errors="replace", check=False
        )
        why = done.returncode and (done.stderr.strip() or f"status {done.returncode}")
    except OSError as error:
        why = error.strerror
    if why:
        raise Trouble(f"{program} does not run on this computer: {why}")


def simulator(name: str = SIMULATOR) -> Path:
    path = part(name, f"build/{name}")
    starts(path)
    return path


def include() -> Path:
    path = part("include", "build/include/.ready")
    return path if path.is_dir() else path.parent


def source(handin: Handin, name: str) -> Path:
    """A student's file."""
    path = handin.folder / name
    if not path.is_file():
        who = re.fullmatch(r"lab(\d+)-(.+)", handin.folder.name)
        which = f" LAB={who[1]} NAME={who[2]}" if who else ""
        raise Trouble(f"{name} is missing in {handin.folder}; `make lab{which}` makes it")
    return path


def first_lines(text: str) -> str:
    """Of a long message."""
    lines = text.strip().splitlines()
    more = len(lines) - SHOWN_LINES
    return "\n".join(lines[:SHOWN_LINES] + ([f"({more} more lines)"] if more > 0 else []))


def compile_with(command: Sequence[str | Path], student: Path) -> None:
    if not shutil.which(str(command[0])):
        raise Trouble(
            f"there is no {command[0]} on this computer; on Debian and Ubuntu it is installed by "
            f"`apt-get install {PACKAGES[str(command[0])]}`"
        )
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, errors="replace",
            check=False, timeout=SECONDS, env=os.environ | {"LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Trouble(f"{student.name}: the compiler did not end in {SECONDS} s") from None
    if done.returncode:
        errors = [
            line for line in done.stderr.splitlines() if "error" in line or "undefined" in line
        ]
        said = ("\n".join(errors) or done.stderr).replace(f"{student.parent}/", "")
        raise Trouble(f"does not compile:\n{first_lines(said)}")


def check() -> None:
    """Raises Trouble where this computer lacks what labs need."""
    with TemporaryDirectory() as folder:
        student = Path(folder) / "empty.c"
        student.write_text("int main(void) { return 0; }\n")
        for command in (["cc", *SANITIZERS], [CROSS, *ARCHITECTURE, *LINK]):
            compile_with([*command, student, "-o", student.with_suffix("")], student)
    for program in sorted((prebuilt() or ROOT / "build").glob("granule-sim*")):
        if program.is_file():
            starts(program)


def work(handin: Handin) -> Path:
    """Where programs are put: beside the student's files, under one name that is easy to delete."""
    folder = handin.folder / "build"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise Trouble(f"{folder} cannot be made: {error.strerror}") from None
    return folder


@contextmanager
def handed_in(*files: Path) -> Iterator[Handin]:
    """Copies of files, as if a student had handed them in."""
    with TemporaryDirectory() as folder:
        for path in files:
            shutil.copy(path, folder)
        yield Handin(Path(folder))


def for_host(handin: Handin, name: str, harness: str, cases: str = "") -> Path:
    """The student's file with a harness, for this computer; `cases` is the text of cases.h, which
    the harness has."""
    student, folder = source(handin, name), work(handin)
    (folder / "cases.h").write_text(cases)
    output = folder / Path(harness).stem
    places = [f"-I{at}" for at in (PROGRAMS, folder, student.parent)]
    compile_with(
        ["cc", "-std=gnu11", "-g", "-O1", *WARNINGS, *SANITIZERS, *places, student,
         PROGRAMS / harness, "-o", output],
        student,
    )  # fmt: skip
    return output


def asked(header: str, expressions: Iterable[str]) -> str:
    """cases.h of host.c."""
    return f'#include "{header}"\n' + defines(ASKED=" ".join(f"ASK({of})" for of in expressions))


def answers(handin: Handin, name: str, header: str, expressions: Sequence[str]) -> list[int]:
    """What the student's functions say, in expressions of C."""
    program = for_host(handin, name, "host.c", asked(header, expressions))
    return [value for (value,) in on_host(program).rows("answer", len(expressions))]


@cache
def arithmetic() -> list[str]:
    """Where the compiler has its 64-bit division for RV32. It does not look there when extensions
    have names of more than one letter."""
    if not shutil.which(CROSS):
        return []
    asked = [CROSS, "-march=rv32ima", "-mabi=ilp32", "-print-libgcc-file-name"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return [f"-L{Path(said.strip()).parent}"]


def for_simulator(handin: Handin, name: str, harness: str, cases: str) -> Path:
    """The same for the simulated machine."""
    student, folder = source(handin, name), work(handin)
    (folder / "cases.h").write_text(cases)
    output = folder / f"{Path(harness).stem}.elf"
    headers = include()
    places = [f"-I{at}" for at in (PROGRAMS, folder, student.parent, SYSTEM, headers)]
    compile_with(
        [CROSS, *ARCHITECTURE, *LINK, *CFLAGS, *WARNINGS, *places, f"-L{headers}",
         f"-T{SYSTEM / 'program.ld'}", student, PROGRAMS / harness, SYSTEM / "start.S",
         SYSTEM / "tables.c", *arithmetic(), "-lgcc", "-o", output],
        student,
    )  # fmt: skip
    return output


def defines(**values: object) -> str:
    """Text of cases.h; of several values, separated by commas."""
    lists = {name: value if isinstance(value, list | tuple) else [value]
             for name, value in values.items()}  # fmt: skip
    return "".join(f"#define {name} {', '.join(map(str, of))}\n" for name, of in lists.items())


def compiles(compile_it: Callable, name: str, *more: str) -> Check:
    """The part that wants nothing but a program: for_host or for_simulator, and what that takes."""
    return Check("compiles", 1, f"{name} compiles", lambda of: compile_it(of, name, *more), ())


@dataclass(frozen=True)
class Output:
    """What a program printed."""

    text: str
    status: int = 0

    def values(self, word: str, base: int = 16) -> list[list[int]]:
        """The numbers behind `word`, line by line."""
        digits = "0-9a-f" if base == 16 else "0-9"
        lines = re.findall(rf"^{word}((?: -?[{digits}]+)+)$", self.text, re.M)
        return [[int(number, base) for number in line.split()] for line in lines]

    def rows(self, word: str, count: int, base: int = 16, width: int = 1) -> list[list[int]]:
        """The same of a word that the program prints so often, with so many numbers."""
        found = self.values(word, base)
        if len(found) != count or any(len(row) != width for row in found):
            raise Trouble(
                f"{len(found)} lines '{word}' came from the lab's program instead of {count}: "
                "does your code print, or end the program?"
            )
        return found

    def value(self, word: str) -> int:
        """The one number of a word that is printed once."""
        return self.rows(word, 1)[0][0]

    def look_for_faults(self, where: str = "") -> None:
        """Raises Trouble for an access of the student's code that was none of the program's."""
        for (address,) in self.values("fault"):
            raise Trouble(f"{where}your code made an access to {address:#x} that faults")

    def complain(self, words: Words, where: str = "") -> None:
        """Raises Wrong for the first `BAD WHAT WHERE EXPECTED GOT` that the program says of a
        student's code; `where` is put before what is told."""
        for what, (right, wrong) in words.items():
            for place, expected, got in self.values(f"BAD {what}"):
                numbers = {"where": place, "expected": expected, "got": got}
                raise Wrong(where + right.format(**numbers), wrong.format(**numbers))
        self.look_for_faults(where)
        if self.status:
            raise Wrong("the program ends well", f"status {self.status}")


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_PRINTED, MOST_PRINTED))


def on_host(program: Path, commands: str = "") -> Output:
    """What it prints goes through files, whose size the system can limit."""
    with TemporaryFile() as out, TemporaryFile() as error:
        try:
            done = subprocess.run(
                [program], input=commands.encode(), stdout=out, stderr=error, check=False,
                timeout=HOST_SECONDS, preexec_fn=limited,
                env=os.environ | {"ASAN_OPTIONS": "detect_leaks=0"},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Trouble(
                f"your code did not end within {HOST_SECONDS} s: is there an endless loop?"
            ) from None
        if done.returncode == -signal.SIGXFSZ:
            raise Trouble(f"your code printed {MOST_PRINTED:,} bytes: is there an endless loop?")
        said = [file.seek(0) or file.read().decode(errors="replace") for file in (out, error)]
    if done.returncode:
        raise Trouble(crash(said[1]))
    return Output(said[0])


def crash(said: str) -> str:
    """One line for what sanitizers say in fifty."""
    what = re.search(
        r"runtime error: (.*)|ERROR: AddressSanitizer: (.*)|^harness: (.*)", said, re.M
    )
    where = re.search(r"[\w.-]+\.c:\d+(?=:\d+: runtime)|#\d+ .* in \w+ \S*?([\w.-]+\.c:\d+)", said)
    message = next((text for text in what.groups() if text), "") if what else "it crashed"
    if message.startswith("use-after-poison"):
        message = "it reads or writes beside the tables that table_at() gives"
    line = (where[1] or where[0]) if where else ""
    return f"your code crashed{f' at {line}' if line else ''}: {message.split(' (pc')[0]}"


def on_simulator(
    elf: Path, append: str = "", most: int = MOST_CYCLES, name: str = SIMULATOR,
    options: Sequence[str] = (),
) -> Output:  # fmt: skip
    command = [simulator(name), "--quiet", "--max-cycles", most, "--append", append, *options, elf]
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL,
            check=False, timeout=10 * SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Trouble(f"the simulation did not end in {10 * SECONDS} s") from None
    if done.returncode == NO_END:
        raise NoEnd(f"your code did not end within {most:,} cycles: is there an endless loop?")
    if done.returncode == COULD_NOT_RUN:
        raise Trouble(f"the simulator could not run: {done.stderr.decode(errors='replace')}")
    return Output(done.stdout.decode("latin-1"), done.returncode)


def tried(
    program: str, words: Words, granules: Iterable[str], most: int = MOST_CYCLES
) -> Callable[[str], Callable[[Handin], None]]:
    """By name: an experiment of the program, at every granule."""

    def judge(name: str, handin: Handin) -> None:
        for granule in granules:
            elf = handin.folder / "build" / program
            on_simulator(elf, f"{granule} {name}", most).complain(words, f"{granule}: ")

    return lambda name: partial(judge, name)


def console(elf: Path, append: str, until: str, name: str = SIMULATOR) -> str:
    """What the firmware prints until it shows `until`."""
    with TemporaryDirectory() as folder:
        ends = ("--profile", f"{folder}/profile.json", "--milestone", until, "--end-at-milestones")
        text = on_simulator(elf, append, FIRMWARE_CYCLES, name, ends).text
    if until not in text:
        raise Trouble(f"the firmware with '{append}' ended before it showed '{until}'")
    return text


def keep(path: Path, text: str) -> None:
    """Where one may write; elsewhere it is measured again the next time."""
    new = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(text)
        new.replace(path)


@cache
def firmware(append: str, until: str) -> str:
    """The firmware's console until it shows `until`. Such a run takes half a minute, so its text is
    kept for as long as firmware and simulator stay as they are."""
    elf = part("sw/granule.elf", "build/sw/granule.elf")
    digest = hashlib.sha256(elf.read_bytes() + simulator().read_bytes())
    digest.update(f"{append}/{until}".encode())
    kept = MEASURED / f"{digest.hexdigest()}.txt"
    if kept.is_file():
        return kept.read_text()
    text = console(elf, append, until)
    keep(kept, text)
    return text
