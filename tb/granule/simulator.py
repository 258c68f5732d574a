"""Runs a program on the simulator: console text, exit status, cycles, counters, figures."""

import codecs
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from granule import figures
from granule.figures import Figure, MalformedResult, split

TEACHING = "teaching"  # the configuration of granule-sim; others are granule-sim-NAME
CYCLES_ENDED = 124  # the exit status after max_cycles
MODES = ("user", "supervisor", "machine")
LAST_LINES = 15  # of a console, in an error


def checkout_of(module: Path) -> Path | None:
    """The checkout that a module of this package is part of; an installed one is in none."""
    root = module.parents[2]
    return root if module.parent == root / "tb" / "granule" else None


CHECKOUT = checkout_of(Path(__file__).resolve())


class SimulatorError(Exception):
    """There is no simulator or program, or the run could not start; says what to do."""


class RunFailed(Exception):
    """A run that was expected to succeed did not; has the end of its console."""


@dataclass(frozen=True)
class Counts:
    """What was counted from reset to a milestone. `counters` are the events of the performance
    counters, `stalls` the cycles in which no instruction retired, by reason; both by name."""

    cycles: int
    instructions: int
    counters: dict[str, int]
    stalls: dict[str, int]

    @staticmethod
    def of_profile(row: dict) -> "Counts":
        reasons = [name for name in row[MODES[0]] if name != "instructions"]
        stalls = {name: sum(row[mode][name] for mode in MODES) for name in reasons}
        return Counts(row["cycles"], row["instructions"], row["events"], stalls)


@dataclass(frozen=True)
class Run:
    """One run. `status` is the program's exit status; 124: it was ended after `max_cycles`.
    `milestones` has what was counted until the console showed a text for the first time."""

    status: int
    console: str
    messages: str  # of the simulator, from its stderr
    configuration: str
    counts: Counts
    milestones: dict[str, Counts] = field(default_factory=dict)

    cycles = property(lambda self: self.counts.cycles)
    instructions = property(lambda self: self.counts.instructions)
    counters = property(lambda self: self.counts.counters)
    stalls = property(lambda self: self.counts.stalls)

    @property
    def ok(self) -> bool:
        return self.status == 0

    @property
    def ended(self) -> bool:
        """Whether the program ended by itself."""
        return self.status != CYCLES_ENDED

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The RESULT lines of the firmware, by id. Raises MalformedResult."""
        found = split(self.console, self.configuration)[1]
        by_id = {figure.id: figure for figure in found}
        if len(by_id) < len(found):
            ids = [figure.id for figure in found]
            twice = next(i for i in ids if ids.count(i) > 1)
            raise MalformedResult(f"{twice} was printed twice")
        return by_id

    @cached_property
    def curves(self) -> list[dict]:
        """The SERIES lines of the firmware, a curve each. Raises MalformedPoint."""
        return figures.curves(self.console, self.configuration)

    @cached_property
    def text(self) -> str:
        """The console without the lines that are for programs."""
        lines = self.console.splitlines()
        return "\n".join(x for x in lines if not x.startswith(("RESULT ", "SERIES ")))

    def check(self) -> "Run":
        """This run, if it succeeded; else raises RunFailed."""
        if self.ok:
            return self
        why = f"it ended with status {self.status}"
        if not self.ended:
            why = f"it did not end within {self.cycles} cycles (max_cycles)"
        last = "\n".join(self.console.splitlines()[-LAST_LINES:])
        raise RunFailed(f"{why}; the last lines of its console:\n{last}\n{self.messages}".rstrip())


def places(name: str) -> list[Path]:
    """Where a file of build/ may be: below the current folder, or in the checkout."""
    roots = dict.fromkeys(filter(None, (Path.cwd(), CHECKOUT)))
    return [root / "build" / name for root in roots]


def folders() -> str:
    """Where one looks, for a message."""
    return " or ".join(map(str, places("")))


def find_simulator(simulator: str | os.PathLike | None = None) -> Path:
    """The simulator: a path, or the name of a configuration ("ulx3s"). Without either $GRANULE_SIM
    counts, then that of the teaching machine; each is looked for in build/ and on PATH."""
    wanted = simulator or os.environ.get("GRANULE_SIM") or TEACHING
    source = "the argument" if simulator else "$GRANULE_SIM" if wanted != TEACHING else ""
    if not re.fullmatch(r"\w+", str(wanted)):
        path = Path(wanted)
        if path.is_file() and os.access(path, os.X_OK):
            return path.resolve()
        builds = "`make sim` builds build/granule-sim"
        raise SimulatorError(f"{path} ({source}) is no program that can be run; {builds}")
    name = "granule-sim" if wanted == TEACHING else f"granule-sim-{wanted}"
    for path in (*places(name), Path(shutil.which(name) or "")):
        if path.is_file():
            return path
    target = "sim" if wanted in (TEACHING, "ulx3s") else f"build/{name}"
    raise SimulatorError(
        f"no simulator {name} in {folders()} or on PATH; `make {target}` in a checkout of Granule "
        "builds it, or set GRANULE_SIM"
    )


def find_program(elf: str | os.PathLike | None = None) -> Path:
    """The program: this file, else $GRANULE_ELF, else the firmware in build/."""
    wanted = elf or os.environ.get("GRANULE_ELF")
    if wanted:
        if not Path(wanted).is_file():
            raise SimulatorError(f"{wanted} is no file; give the ELF file of a program")
        return Path(wanted)
    for path in places("sw/granule.elf"):
        if path.is_file():
            return path
    raise SimulatorError(
        f"no firmware sw/granule.elf in {folders()}; `make firmware` in a checkout of Granule "
        "builds it, or give another ELF"
    )


def configuration_of(simulator: Path) -> str:
    name = simulator.name.removeprefix("granule-sim").removeprefix("-")
    return name or TEACHING


def run(
    elf: str | os.PathLike | None = None,
    boot: str | None = None,
    *,
    simulator: str | os.PathLike | None = None,
    max_cycles: int | None = None,
    stdin: str | None = "",
    milestones: Iterable[str] = (),
    options: Iterable[str] = (),
    echo: Callable[[str], object] | None = None,
    timeout: float | None = None,
) -> Run:
    """Runs a program (the firmware, unless another is given) to its end.

    boot        boot arguments, such as "pagesize=4k run=e002".
    simulator   see find_simulator.
    max_cycles  gives up after so many, with status 124.
    stdin       what is typed; None: what this process can read.
    milestones  texts: what was counted when the console showed one of them first.
    options     further ones of granule-sim, such as ("--memory", "fixed:20").
    echo        is called with the console's text as it comes.
    timeout     seconds of this machine after which it is an error.

    Raises SimulatorError when there is nothing to run, it cannot start, or it takes too long."""
    if max_cycles is not None and max_cycles < 1:
        raise ValueError(f"max_cycles is {max_cycles}; use 1 or more, or None for no limit")
    binary, program = find_simulator(simulator), find_program(elf)
    texts = list(milestones)
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        command = [binary, "--quiet", "--profile", profile]
        command += [word for text in texts for word in ("--milestone", text)]
        for option, value in (("--max-cycles", max_cycles), ("--append", boot)):
            command += [] if value is None else [option, value]
        words = [str(word) for word in (*command, *options, program)]
        status, console, messages = call(words, stdin, echo, timeout)
        rows = json.loads(profile.read_text()) if profile.exists() else []
    if not rows:
        why = messages.strip() or f"it ended with status {status}"
        raise SimulatorError(f"{binary.name} could not run {program}: {why}")
    reached = {row["name"]: Counts.of_profile(row) for row in rows}
    shown = {text: reached[text] for text in texts if text in reached}
    return Run(status, console, messages, configuration_of(binary), reached["end"], shown)


def call(
    command: list[str],
    stdin: str | None,
    echo: Callable[[str], object] | None,
    timeout: float | None,
) -> tuple[int, str, str]:
    """The process to its end: status, console, messages. What a program prints need not be UTF-8,
    and its lines end as a terminal wants them."""
    decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
    said = []
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as messages:
        typed.write((stdin or "").encode())
        typed.seek(0)
        late = threading.Event()
        with subprocess.Popen(
            command, stdin=None if stdin is None else typed, stdout=subprocess.PIPE, stderr=messages
        ) as process:
            clock = threading.Timer(timeout or 0, lambda: (late.set(), process.kill()))
            if timeout is not None:
                clock.start()
            try:
                while chunk := process.stdout.read1():
                    said.append(decode(chunk).replace("\r", ""))
                    if echo:
                        echo(said[-1])
                status = process.wait()
            finally:
                clock.cancel()
                process.kill()
        messages.seek(0)
        err = messages.read().decode(errors="replace")
    if late.is_set():
        raise SimulatorError(
            f"the run did not end within {timeout} s; give more, or max_cycles to see where it is"
        )
    return status, "".join(said), err
