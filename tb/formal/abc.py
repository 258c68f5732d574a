"""Asks ABC whether an output of a circuit can ever be high."""

import importlib.util
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# Assumptions become part of the outputs, and these become one, so that claims help each other;
# registers that are always equal become one.
REDUCE = "read_aiger {aiger}; fold; orpos; strash; scorr; dc2; strash; print_stats"
# The same without what takes longer than to look at a few cycles.
JOIN = "read_aiger {aiger}; fold; orpos; strash; print_stats"
# For a circuit without registers, which is decided before it would be made smaller.
READ = "read_aiger {aiger}; strash"
DECIDE = "sat"
# Property directed reachability: an invariant of the registers, found clause by clause.
PROVE = "pdr -s -f"
FIND = "bmc3 -F {depth}"


@dataclass(frozen=True)
class Answer:
    """`verdict`: "never" (in no state that can be reached, at whatever depth), "high" (after
    `cycles`), "low" (not within the depth) or "open" (not decided in time)."""

    verdict: str
    cycles: int
    seconds: float


class Failed(RuntimeError):
    """ABC ended without a verdict; carries the end of its log."""


def program() -> Path:
    return Path(importlib.util.find_spec("pyosys").origin).parent / "yosys-abc"


def run(commands: str, log: Path, seconds: int) -> tuple[str, bool]:
    """What it says, and whether it ended in time."""
    try:
        done = subprocess.run([program(), "-c", commands], capture_output=True, text=True,
                              check=False, timeout=seconds)  # fmt: skip
        text, ended = done.stdout + done.stderr, True
    except subprocess.TimeoutExpired as late:
        text, ended = (late.stdout or b"").decode(), False
    log.write_text(text)
    return text, ended


def ask(aiger: Path, engine: str, seconds: int, reduce: str = REDUCE) -> Answer:
    begin = time.monotonic()
    reduce, log = reduce.format(aiger=aiger), aiger.with_suffix(".log")
    text, ended = run(f"{reduce}; {engine}", log, seconds)
    if re.search(r"lat = +0 +and = +0 ", text):  # a constant: which one?
        text, ended = run(f"{reduce}; sat", log, seconds)
    took = time.monotonic() - begin
    if re.search(r"^Property proved|^UNSATISFIABLE", text, re.M):
        return Answer("never", 0, took)
    if re.search(r"^SATISFIABLE", text, re.M):
        return Answer("high", 1, took)
    if high := re.search(r"was asserted in frame +(\d+)", text):
        return Answer("high", int(high[1]) + 1, took)
    if re.search(r"^No output asserted in", text, re.M):
        return Answer("low", 0, took)
    if ended and "UNDECIDED" not in text:
        raise Failed(f"{aiger.name}: ABC ended without a verdict: {text[-500:]}")
    return Answer("open", 0, took)
