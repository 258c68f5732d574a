"""Plays the changes on the RTL: each in every cycle of every access that waits, from two cycles
before it is announced to two after its answer. Then what comes later, and, where nothing had to be
invalidated, what comes after the change is taken back.

  cycle       -2    -1         0         ...        n        n + 2
  access            announced  asked     waits      answered
  change      here, or in any other of these cycles: its value is in force from there on

An access that is announced under the new registers answers as after the change; one that was
announced or waits before answers as before or as after.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from campaigns.changes.oracle import Ask, Expected, Inputs, Oracle, Writes
from campaigns.changes.states import States
from campaigns.changes.worlds import HTAB, OTHER_HTAB, Change, World, meets
from campaigns.soak.build import Ran
from campaigns.soak.build import run as run_script
from campaigns.soak.player import SETTLED, registers_line
from drivers.pmp import pins
from drivers.signals import ACCESS
from model import Kind
from model.hashed_table import Page
from support.run import SIM

EVERYTHING, LEAVES = "I 0 0 0 0", "I 0 1 0 0"
HTAB_END = 2 * OTHER_HTAB - HTAB
SOMEBODY = Page(0, 12, 0x5A5A)
CYCLE = "@"  # in a script, where the cycle of its change will be
LONGEST = 80  # cycles that are tried
MOST = 3  # failures of one change that are enough


@dataclass(frozen=True)
class Mode:
    """`delays`: of the memory. `warm`: what was accessed before. "" is nothing; "tables" is the
    access under the old registers, of which only tables stay; "later" is what comes later, under
    both. `swept`: the cycle in which an invalidation of everything begins; what was accessed may be
    known by then. `full`: every entry of the hashed table is another page's."""

    delays: str
    warm: str = ""
    swept: int | None = None
    full: bool = False

    @property
    def guess(self) -> int:
        """How many answers may say how long an access waits: its own, and the next one's."""
        _, least, most, ready, _ = self.delays.split()
        return 1 + (least != most or ready != "10")


MODES = (
    Mode("L 1 1 10 1"), Mode("L 3 3 10 1"), Mode("L 1 6 9 5"), Mode("L 1 1 10 1", "tables"),
    Mode("L 2 2 10 1", "later"), Mode("L 1 1 10 1", "later", swept=-3),
    Mode("L 2 2 10 1", "later", swept=1), Mode("L 1 1 10 1", swept=-12),
)  # fmt: skip
OF_A_HASHED_TABLE = (Mode("L 2 2 10 1", "later", full=True),)


@dataclass(frozen=True)
class Run:
    ask: Ask
    change: Change
    mode: Mode
    cycle: int | None  # None: the change comes after the answer

    @property
    def group(self) -> tuple:
        """What is the same in runs that differ in the cycle alone."""
        return self.ask, self.change, self.mode, self.cycle is None

    def __str__(self) -> str:
        warm = f", {self.mode.warm} known" if self.mode.warm else ""
        swept = ", beside an invalidation" if self.mode.swept is not None else ""
        full = ", the hashed table is full" if self.mode.full else ""
        return (f"{self.ask} waits, {self.change.name} changes in cycle {self.cycle}, "
                f"memory {self.mode.delays[2:]}{warm}{swept}{full}")  # fmt: skip


@dataclass
class Result:
    """runs; met: in (change, state) an access waited; wrong: a line each."""

    runs: int = 0
    waited: int = 0
    met: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        self.runs += other.runs
        self.waited += other.waited
        self.met.update(other.met)
        self.wrong += other.wrong


def context_line(inputs: Inputs) -> str:
    return registers_line(inputs.registers, inputs.htab)


def entry_line(inputs: Inputs, n: int) -> str:
    address, mask, *flags = pins(inputs.protection.entries[n]).values()
    return f"P {n:x} {address:x} {mask:x} {sum(flag << i for i, flag in enumerate(flags)):x}"


def ask_line(ask: Ask) -> str:
    a = ask.access
    if ask.is_at:
        return f"T {a.va:x} {a.kind is Kind.AT_WRITE:d} {a.el} {a.pan:d}"
    return (f"A {a.kind.fetches:d} {ACCESS[a.kind]} {a.el} {a.pan:d} {a.mxr:d} {ask.mode} "
            f"{a.va:x}")  # fmt: skip


@dataclass(frozen=True)
class Said:
    """An answer, the updates that were won, and the cycles that it took; these are not judged."""

    said: tuple
    writes: Writes
    cycles: int = field(compare=False)


class Player:
    """One world on one program."""

    def __init__(self, program: Path, world: World, oracle: Oracle, states: States):
        self.program, self.world, self.oracle = program, world, oracle
        self.states = states
        self.result = Result()
        self._expected: dict[tuple, Expected] = {}
        self._number = 0
        self._scripts: dict[tuple, tuple[str, list]] = {}  # of one `Run.group` at a time
        self._verdicts: dict[tuple, str] = {}
        self._judged: tuple = ()  # the group that they are of

    # ---- scripts -------------------------------------------------------------------------------
    def _script(self, run: Run) -> tuple[str, list[tuple[Ask, str]]]:
        """As `_lines`; the cycle stands in one place of it."""
        if run.group not in self._scripts:
            lines, asked = self._lines(run)
            self._scripts = {run.group: ("\n".join(lines), asked)}
        text, asked = self._scripts[run.group]
        return text.replace(CYCLE, str(run.cycle)), asked

    def _lines(self, run: Run) -> tuple[list[str], list[tuple[Ask, str]]]:
        """The lines of a run, and what they ask with when: "a" under the old registers, "b" the
        new, "?" beside the change, "!" where it would be."""
        world, change = self.world, run.change
        later = [ask for ask in world.later if meets(ask, change)]
        lines, asked, swept = [run.mode.delays], [], run.mode.swept

        def ask(ask: Ask, when: str) -> None:
            lines.append(ask_line(ask))
            asked.append((ask, when))

        def put(inputs: Inputs, other: Inputs) -> None:
            if inputs.pmp != other.pmp:
                lines.append(entry_line(inputs, change.entry))
            if context_line(inputs) != context_line(other):
                lines.append(context_line(inputs))

        def forget(what: str = EVERYTHING) -> None:
            lines.extend([SETTLED, what])
            if world.inputs.htab and what == EVERYTHING:
                lines.append(f"D {HTAB:x} {HTAB_END:x} {SOMEBODY.tag * run.mode.full:x}")

        forget()
        lines.append(SETTLED)
        if change.entry is not None:  # what a direct access has learnt goes
            lines.append(entry_line(world.inputs, change.entry))
        lines.extend(f"W {slot:x} {world.words[slot]:x}" for slot in world.spaces.leaves)
        if run.mode.warm == "later":
            put(change.after, world.inputs)
            for known in later:
                ask(known, "b")
            put(world.inputs, change.after)
            if change.kept:
                forget()
        if run.mode.warm:
            for known in (run.ask,) if run.mode.warm == "tables" else later[swept is None :]:
                ask(known, "a")
        if run.mode.warm == "tables":
            forget(LEAVES)
            lines.extend([SETTLED, *(f"W {s:x} {world.words[s]:x}" for s in world.spaces.leaves)])
        if swept is not None:
            lines.append(f"K {swept} {EVERYTHING}")
        if run.cycle is not None:
            change_line = (context_line(change.after) if change.entry is None
                           else entry_line(change.after, change.entry))  # fmt: skip
            lines.append(f"K {CYCLE} {change_line}")
        ask(run.ask, "?" if run.cycle is not None else "!")
        if run.cycle is None:
            put(change.after, world.inputs)
        if change.kept:
            forget()
        for known in (run.ask, *later):
            ask(known, "b")
        put(world.inputs, change.after)
        if change.kept:
            forget()
        for known in (run.ask, *later[:2]):
            ask(known, "a")
        return lines, asked

    def _start(self) -> list[str]:
        world = self.world
        lines = ["F", context_line(world.inputs)]
        lines += [entry_line(world.inputs, n) for n in range(8) if world.inputs.pmp]
        return lines + [f"W {address:x} {value:x}" for address, value in world.words.items()]

    # ---- playing -------------------------------------------------------------------------------
    def _run(self, lines: list[str], name: str) -> Ran:
        return run_script(self.program, lines, SIM / "changes" / name, "changes")

    def _play(self, runs: list[Run]) -> Iterator[tuple[Run, list, list[Said], list]]:
        """Each run with what it asked, the answers, and the signals in the cycle of its change."""
        while runs:
            scripts = [self._script(run) for run in runs]
            self._number += 1
            name = f"{self.program.parent.name}_{self.world.name}_{self._number}".replace(" ", "_")
            lines = [*self._start(), *(script for script, _ in scripts)]
            done = self._run(lines, name)
            said = iter(_read(done.answers))
            for n, (run, (_, asked)) in enumerate(zip(runs, scripts, strict=True)):
                answers, signals = [], []
                while len(answers) < len(asked):
                    word = next(said, None)
                    if word is None:
                        break
                    (signals if isinstance(word, list) else answers).append(word)
                yield run, asked, answers, signals
                if len(answers) < len(asked):
                    reason = "; ".join([*done.checks, done.error])
                    self._wrong(run, f"{reason} (script {done.script})")
                    runs = [r for r in runs[n + 1 :] if not self._enough(r)]
                    break
            else:
                if done.error:
                    raise RuntimeError(f"{done.script}: {done.error}")
                done.clear()
                return

    def _enough(self, run: Run) -> bool:
        return self._failures[run.change.name, run.ask, run.mode] >= MOST

    def _wrong(self, run: Run, text: str) -> None:
        self._failures[run.change.name, run.ask, run.mode] += 1
        if self._failures[run.change.name, run.ask, run.mode] <= MOST:
            self.result.wrong.append(f"{self.world.name}: {run}: {text}")

    def probe(self, modes: tuple[Mode, ...]) -> list[Run]:
        """Each access without a change in its way, to know how long it waits; the changes of that
        time."""
        self._failures: Counter = Counter()
        probes = [Run(ask, change, mode, None) for mode in modes
                  for change in self.world.changes for ask in self.world.asks
                  if meets(ask, change)]  # fmt: skip
        runs = []
        for run, asked, answers, _ in self._play(probes):
            self._judge(run, asked, answers)
            here = next(n for n, (_, when) in enumerate(asked) if when == "!")
            # Until the change it waits as without one, unless memory takes a random time.
            waits = max((a.cycles for a in answers[here : here + run.mode.guess]), default=0)
            runs += [replace(run, cycle=n) for n in range(-2, min(waits, LONGEST) + 3)]
        return runs

    def play(self, modes: tuple[Mode, ...]) -> Result:
        for run, asked, answers, signals in self._play(self.probe(modes)):
            self._judge(run, asked, answers)
            self._cover(run, signals)
        return self.result

    # ---- judging -------------------------------------------------------------------------------
    def _expect(self, inputs: Inputs, words: dict, ask: Ask) -> Expected:
        key = inputs, ask, tuple(words[slot] for slot in self.world.spaces.leaves)
        if key not in self._expected:
            self._expected[key] = self.oracle.expected(inputs, words, ask)
        return self._expected[key]

    def _allowed(self, run: Run, words: dict, ask: Ask, when: str) -> list[Expected]:
        old, new = self.world.inputs, run.change.after
        if when in "a!":
            return [self._expect(old, words, ask)]
        after = self._expect(new, words, ask)
        remembered = run.change.kept and run.mode.warm  # nobody has invalidated it
        if when == "b" or (run.cycle < 0 and not remembered):
            return [after]
        before = self._expect(old, words, ask)
        allowed = [before, after]
        if before.changed:  # the walk updated under the old registers, and began again
            again = self._expect(new, words | dict(before.changed), ask)
            allowed.append(Expected(again.said, before.changed + again.changed))
        return allowed

    def _judge(self, run: Run, asked, answers: list[Said]) -> None:
        """Most runs of a group end as another of them did."""
        self.result.runs += 1
        if run.group != self._judged:
            self._judged, self._verdicts = run.group, {}
        key = run.cycle is not None and run.cycle < 0, *answers
        if key not in self._verdicts:
            self._verdicts[key] = self._verdict(run, asked, answers)
        if self._verdicts[key]:
            self._wrong(run, self._verdicts[key])

    def _verdict(self, run: Run, asked, answers: list[Said]) -> str:
        """What is wrong, or nothing."""
        words = dict(self.world.words)
        reset = {slot: self.world.words[slot] for slot in self.world.spaces.leaves}
        pending: Writes = ()  # of a walk that began before the change, and that nobody waits for
        for number, ((ask, when), answer) in enumerate(zip(asked, answers, strict=False)):
            if when in "?!" and run.mode.warm == "tables":
                words |= reset
            allowed = self._allowed(run, words, ask, when)
            if pending:
                then = self._allowed(run, words | dict(pending), ask, when)
                allowed += [Expected(e.said, pending + e.changed) for e in (*allowed, *then)]
            if not any(e.agrees(answer.said, answer.writes) for e in allowed):
                want = " or ".join(dict.fromkeys(map(str, allowed)))
                what = {"a": "under the old registers", "b": "afterwards"}.get(when, "it")
                return (f"{what} ({ask}, number {number}) answers "
                        f"{Expected(answer.said, answer.writes)}, not {want}")  # fmt: skip
            if when == "?":
                pending = allowed[0].changed
            if answer.writes[: len(pending)] == pending:
                pending = ()
            words |= dict(answer.writes)
        return ""

    def _cover(self, run: Run, signals: list[list[int]]) -> None:
        for waits, *values in signals[-1:]:
            self.result.waited += bool(waits)
            for state in self.states.of(waits, values):
                self.result.met[run.change.name, state] += 1


def _writes(text: str) -> Writes:
    words = [int(word, 16) for word in text.split()]
    found = [(words[i], words[i + 1]) for i in range(0, len(words), 3)]
    return tuple(w for w in found if not HTAB <= w[0] < HTAB_END)


@lru_cache(1 << 16)
def _said(line: str) -> Said:
    """Of an access or AT."""
    head, tail = line[2:].split("/")
    values = [int(word, 16) for word in head.split()]
    if line[0] == "A":
        fault, status, wnr, dirty, pa, attr, cycles, *_ = values
        answer = ("fault", status, wnr, dirty) if fault else ("address", pa, attr)
    else:
        low, high, cycles, *_ = values
        answer = ("par", low | high << 64)
    return Said(answer, _writes(tail), cycles)


def _read(answers: list[str]) -> Iterator[Said | list[int]]:
    """Of accesses and AT; of a change, the signals."""
    for line in answers:
        if line[0] == "C":
            yield [int(word, 16) for word in line[2:].split()]
        elif line[0] in "AT" and "/" in line:
            yield _said(line)
