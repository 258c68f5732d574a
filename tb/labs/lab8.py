"""Lab 8: hunt the mutant. A student's test must pass on the machine, and fail on broken ones."""

import re
from dataclasses import dataclass
from functools import partial

from labs import machine
from labs.defects import DEFECTS, NO_FAULT, OLD, SIGNS
from labs.lab import GRANULES, Check, Handin, Lab, Prose, Sheet, Trouble, Word, Wrong
from labs.seed import Seed

SIMULATOR = "granule-sim-mutants"
SLOW = ("--memory", "fixed:60")
MOST = 3_000_000  # cycles; the reference needs less than a tenth of it
TOLD, HIDDEN = 4, 6
RIGHT = 0  # the machine without a defect


@dataclass(frozen=True)
class Report:
    """What the test said of the machine."""

    what: str
    where: int
    expected: int
    got: int

    def __str__(self) -> str:
        return f"'{self.what}' at {self.where:#x}: {self.expected:#x} expected, {self.got:#x} got"


def draw(seed: Seed) -> tuple[list[int], list[int]]:
    """Numbers of broken machines, those whose defect is told and those whose is not. Of both, some
    miss faults, some use what was invalidated, and some do something else."""
    draws = seed.draws("machines")
    groups: list[list[int]] = [[], [], []]
    for number, defect in enumerate(DEFECTS, 1):
        groups[{NO_FAULT: 0, OLD: 1}.get(defect.sign, 2)].append(number)
    for group in groups:
        draws.shuffle(group)
    faults, old, others = groups
    told = [faults[0], old[0], *others[:2]]
    hidden = [*faults[1:3], *old[1:3], *others[2:4]]
    draws.shuffle(told)
    draws.shuffle(hidden)
    return told, hidden


def play(handin: Handin, number: int, granule: str, *options: str) -> Report | None:
    """Runs the student's test on a machine; nothing, if it has no objection."""
    elf = handin.folder / "build" / "lab8_rtl.elf"
    chosen = ("--defect", str(number), *options)
    output = machine.on_simulator(elf, granule, MOST, SIMULATOR, chosen)
    for cause, pc in output.values("CRASH"):
        raise Trouble(f"{granule}: your code crashed: exception {cause} at {pc:#x}")
    found = re.search(r"^REPORT (.*) ([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8})$", output.text, re.M)
    if found:
        return Report(found[1], *(int(number, 16) for number in found.groups()[1:]))
    if output.status:
        said = output.text.strip().splitlines()
        raise Trouble(f"{granule}: status {output.status}: {said[-1] if said else 'no output'}")
    return None


def accepts(handin: Handin) -> None:
    """The machine is right, whatever page it has and however slow its memory is."""
    for granule, options in (*((g, ()) for g in GRANULES), ("4k", SLOW)):
        report = play(handin, RIGHT, granule, *options)
        if report:
            slow = " and slow memory" if options else ""
            raise Wrong(f"no report with pages of {granule}{slow}", report)


def notices(number: int, handin: Handin) -> None:
    """It is enough to see the defect at one granule. A test that does not end has seen it too, as
    it ends on the machine that is right."""
    for granule in GRANULES:
        try:
            if play(handin, number, granule):
                return
        except machine.NoEnd:
            return
    raise Wrong("a report", f"none at {', '.join(GRANULES)}")


def sheet(seed: Seed) -> Sheet:
    told, hidden = map(sorted, draw(seed))
    defects = {number: DEFECTS[number - 1] for number in told}
    parts = (
        *(Word(f"sees_{n}", 1, f"Machine {n}: {of.what}. What does a test see?", of.sign, SIGNS)
          for n, of in defects.items()),
        machine.compiles(machine.for_simulator, "hunt.c", "lab8_rtl.c", ""),
        Check("correct", 1, "no report about the machine that is right", accepts),
        *(Check(f"told_{n}", 1, f"machine {n}: {of.what}", partial(notices, n), ("correct",))
          for n, of in defects.items()),
        *(Check(f"hidden_{n}", 2, f"machine {n}, whose defect is not told", partial(notices, n),
                ("correct",)) for n in hidden),
        Prose("why_hidden", 2, "Choose the check of your test that was the hardest to find. Which "
              "accesses, in which order, does the defect need to be seen, and why do fewer not "
              "do?"),
        Prose("why_score", 2, "Your test notices some part of the defects. What does that number "
              "say about defects that nobody thought of, and what does it not say?"),
    )  # fmt: skip
    return Sheet(given(told), parts)


def given(told: list[int]) -> str:
    """What the answers mean."""
    numbers = ", ".join(map(str, told))
    return (
        f"Machines {numbers} have the defects that the questions name.\n\n"
        "no fault: an access goes through that must not\n"
        "old translation: something is used after it was invalidated\n"
        "wrong place: an access goes to memory that it was not led to\n"
        "wrong report: a fault is right, and what is told about it is not\n"
        "needless walk: all answers are right, but something was forgotten that should not be"
    )


LAB = Lab(8, "hunt the mutant", sheet, ("hunt.c",))
