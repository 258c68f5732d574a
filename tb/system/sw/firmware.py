"""Boots the firmware on a simulator and reads its console."""

import atexit
import functools
import os
from dataclasses import replace
from pathlib import Path

import granule
from sim.simulator import BUILD, Run, simulate
from support.run import built

MAX_CYCLES = 120_000_000  # twice what the longest run needs
PROMPT = "granule> "
SNAPSHOTS = BUILD / "snapshots"


class Boot(granule.Run):
    def value(self, name: str) -> float:
        assert name in self.figures, f"no RESULT {name} in:\n{self.text}"
        return self.figures[name].value


@functools.cache
def ran(arguments: str, config: str, stdin: str, *options: str) -> Run:
    """Once a session, as it is the same every time; whatever is wrong with it is said each time."""
    words = ("--append", arguments, "--max-cycles", str(MAX_CYCLES), *options)
    return simulate(built("build/sw/granule.elf"), *words, config=config, stdin=stdin)


@functools.cache
def booted(arguments: str, config: str, first: str, until: str) -> tuple[Path, Run]:
    """The firmware when its console has shown `until`: a snapshot, and the run up to it."""
    SNAPSHOTS.mkdir(parents=True, exist_ok=True)
    path = SNAPSHOTS / f"{os.getpid()}-{config}-{arguments.replace(' ', '-')}-{len(first)}"
    run = ran(arguments, config, first, "--until", until, "--save", str(path))
    atexit.register(path.unlink)
    return path, run.passed()


def typed(arguments: str, config: str, stdin: str, first: str = "", until: str = PROMPT) -> Run:
    """What the console says to what is typed when it first asks, or behind `first` when `until`
    has come; it is booted once."""
    path, before = booted(arguments, config, first, until)
    words = ("--restore", str(path), "--max-cycles", str(MAX_CYCLES))
    run = simulate(None, *words, config=config, stdin=stdin)
    assert run.status != 124, f"the run did not end:\n{run.out}\n{run.err}"
    return replace(run, out=(before.out + run.out).replace("\r", ""))


def boot(arguments: str, config: str = "teaching", stdin: str = "", *options: str) -> Boot:
    run = ran(arguments, config, stdin, *options)
    counts = granule.Counts(run.cycles, 0, {}, {})
    done = Boot(run.status, run.out.replace("\r", ""), run.err, config, counts)
    assert done.ended, f"the run did not end:\n{run.out}\n{run.err}"
    assert done.figures is not None, "a line that is damaged, or printed twice, is an error here"
    return done
