"""Runs of the simulator: what is looked for where, what comes back, and what a run that went wrong
says. A stand-in simulator answers what a test wants; test_guide.py has the real one."""

import json
import os
from pathlib import Path

import pytest

import granule
from granule import simulator
from granule.simulator import Run, RunFailed, SimulatorError, find_program, find_simulator

MODE = {"instructions": 3, "stall_load": 2, "stall_walk": 1}
END = {"name": "end", "cycles": 18, "instructions": 9, "events": {"walks": 4}}
END |= dict.fromkeys(simulator.MODES, MODE)
STAND_IN = """#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" = --profile ] && profile=$2
  echo "$1" >> "$0.words"
  shift
done
{body}
"""


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A folder without a simulator, in no checkout, with no help of the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(simulator, "CHECKOUT", tmp_path / "other")
    for name in ("GRANULE_SIM", "GRANULE_ELF"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def program(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def stand_in(folder: Path, body: str, profile: list | None = None) -> Path:
    """A simulator that does this; it leaves the words that it got in granule-sim-fake.words."""
    counted = folder / "counted.json"
    counted.write_text(json.dumps([END] if profile is None else profile))
    program(folder / "a.elf")
    return program(
        folder / "build" / "granule-sim-fake",
        STAND_IN.replace("{body}", f'cp {counted} "$profile"\n{body}'),
    )


def run(folder: Path, **options) -> Run:
    return granule.run(folder / "a.elf", simulator="fake", **options)


def test_where_a_simulator_is_looked_for(nowhere, monkeypatch):
    """The later ones count only where the earlier ones are missing."""
    on_path = program(nowhere / "bin" / "granule-sim")
    monkeypatch.setenv("PATH", str(on_path.parent), prepend=os.pathsep)
    assert find_simulator() == on_path
    in_checkout = program(nowhere / "other" / "build" / "granule-sim")
    assert find_simulator() == in_checkout
    here = program(nowhere / "build" / "granule-sim")
    assert find_simulator() == here
    named = program(nowhere / "named")
    monkeypatch.setenv("GRANULE_SIM", str(named))
    assert find_simulator() == named
    board = program(nowhere / "build" / "granule-sim-ulx3s")
    assert find_simulator("ulx3s") == board and find_simulator("teaching") == here
    monkeypatch.setenv("GRANULE_SIM", "ulx3s")
    assert find_simulator() == board and find_simulator(named) == named


def test_no_simulator(nowhere, monkeypatch):
    with pytest.raises(SimulatorError, match="`make build/granule-sim-ways2` in a checkout"):
        find_simulator("ways2")
    monkeypatch.setenv("GRANULE_SIM", "/gone/sim")
    with pytest.raises(SimulatorError, match=r"/gone/sim \(\$GRANULE_SIM\) is no program"):
        find_simulator()
    monkeypatch.setattr(simulator, "CHECKOUT", None)  # as of an installed package
    monkeypatch.delenv("GRANULE_SIM")
    with pytest.raises(SimulatorError, match="in [^ ]* or on PATH; `make sim` in a checkout"):
        find_simulator()


def test_where_a_program_is_looked_for(nowhere, monkeypatch):
    with pytest.raises(SimulatorError, match="no firmware .*; `make firmware` in a checkout"):
        find_program()
    here = program(nowhere / "build" / "sw" / "granule.elf")
    assert find_program() == here
    monkeypatch.setenv("GRANULE_ELF", str(program(nowhere / "mine.elf")))
    assert find_program() == nowhere / "mine.elf"
    with pytest.raises(SimulatorError, match="gone.elf is no file; give the ELF"):
        find_program("gone.elf")


def test_what_comes_back(nowhere):
    stand_in(nowhere, r"printf 'hello\r\n\377\r\n'; echo said >&2; exit 3")
    seen = []
    done = run(nowhere, echo=seen.append)
    assert (done.status, done.ok, done.ended, done.configuration) == (3, False, True, "fake")
    assert done.console == "hello\n\ufffd\n" == "".join(seen)
    assert done.messages == "said\n"
    assert (done.cycles, done.instructions, done.counters) == (18, 9, {"walks": 4})
    assert done.stalls == {"stall_load": 6, "stall_walk": 3}
    assert done.cycles == done.instructions + sum(done.stalls.values())
    with pytest.raises(RunFailed, match="ended with status 3; the last lines .*\nhello"):
        done.check()


def test_what_is_asked_for(nowhere):
    path = stand_in(nowhere, "cat", [{**END, "name": "half"}, END])
    done = run(
        nowhere, boot="run=a b", max_cycles=7, stdin="typed", options=["--memory", "fixed:9"],
        milestones=["half", "never"],
    )  # fmt: skip
    words = Path(f"{path}.words").read_text().splitlines()
    for wanted in (["--append", "run=a b"], ["--max-cycles", "7"], ["--memory", "fixed:9"]):
        assert wanted in [words[i : i + 2] for i in range(len(words))]
    assert done.console == "typed" and done.check() is done
    assert done.milestones.keys() == {"half"} and done.milestones["half"].cycles == 18


@pytest.mark.parametrize(
    ("line", "says"),
    [("RESULT of my own", "class ''"),
     ("RESULT id=A-1 run=4k class=figure value=2 unit=a what=b", "A-1 was printed twice")],
)  # fmt: skip
def test_a_broken_line_of_a_program_ends_no_run(nowhere, line, says):
    """Who wants its console and counters gets them; the figures say what is wrong."""
    stand_in(nowhere, f"echo {line}; echo {line}")
    done = run(nowhere)
    assert done.ok and done.console == f"{line}\n{line}\n"
    with pytest.raises(granule.MalformedResult, match=says):
        done.figures  # noqa: B018


def test_a_run_that_could_not_start(nowhere):
    stand_in(nowhere, 'rm "$profile"; echo granule-sim: a.elf: no ELF file >&2; exit 125')
    with pytest.raises(SimulatorError, match="could not run .*a.elf: granule-sim: a.elf: no ELF"):
        run(nowhere)
    stand_in(nowhere, 'rm "$profile"; kill -9 $$')
    with pytest.raises(SimulatorError, match="it ended with status -9"):
        run(nowhere)


def test_limits(nowhere):
    stand_in(nowhere, "exit 124")
    assert not run(nowhere).ended
    with pytest.raises(RunFailed, match="did not end within 18 cycles"):
        run(nowhere).check()
    stand_in(nowhere, "exec sleep 20")
    with pytest.raises(SimulatorError, match="did not end within 0.2 s"):
        run(nowhere, timeout=0.2)
    with pytest.raises(ValueError, match="max_cycles is 0; use 1 or more"):
        run(nowhere, max_cycles=0)
