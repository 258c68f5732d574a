"""Plays a script on the MMU of BASE and on today's, and compares what their ports said
(soak/transcript.h). Registers without a reset value begin with other values in each of the two."""

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from zlib import crc32

from campaigns.soak.build import Ran, run
from campaigns.twin.base import OUT

BEFORE, AFTER = 12, 6  # events that are shown around the first one that differs
NO_COMMANDS = [*"FLSWEBNDX"]  # of a script: the MMU does not get them
SIDES = ("base", "today")


@dataclass(frozen=True)
class Pair:
    """verilog: BASE's. base, today: a program, and options of its simulation. cycles: they are
    compared too, not only what happens in which order."""

    unit: str
    verilog: Path
    base: tuple
    today: tuple
    cycles: bool = True

    def _run(self, side: str, lines: list[str], name: str, agents: int | None, *more: str):
        """Lines of the transcript: kind, number and text; and how the run ended."""
        program, *options = getattr(self, side)
        work = OUT / "work" / self.unit.replace(":", "_") / f"{name}.{side}"
        transcript = Path(f"{work}.transcript")
        seed = crc32(work.name.encode()) >> 1 or 1
        options += [f"+transcript+{transcript}", f"+verilator+seed+{seed}", *more]
        ran = run(program, lines, work, "", agents, options=options)
        said = [line.split(" ", 2) for line in transcript.read_text().splitlines() if line]
        transcript.unlink()
        return said, ran

    def play(
        self, lines: list[str], name: str, agents: int | None = None
    ) -> tuple[int, list[str], Ran]:
        """How many commands BASE got, what differs or fails, and how BASE ended. name: of the
        script; agents: it is one of agents.h, with this seed."""
        (base, old), (today, new) = (self._run(side, lines, name, agents) for side in SIDES)
        digests = [[(asked, text.split()[self.cycles]) for _, asked, text in blocks]
                   for blocks in (base, today)]  # fmt: skip
        wrong = [f"{self.unit} {name}: {side}: {text}"
                 for side, ran in zip(SIDES, (old, new), strict=True)
                 for text in (*ran.checks, ran.error) if text]  # fmt: skip
        pairs = enumerate(zip_longest(*digests))
        if differs := [n for n, (one, other) in pairs if one != other][:1]:
            wrong.append(self._shown(differs[0], lines, name, agents))
        if not wrong:
            old.clear()
            new.clear()
        return sum(int(asked) for _, asked, _ in base), wrong, old

    def _shown(self, block: int, lines: list[str], name: str, agents: int | None) -> str:
        """What differs first in a block, and what is around it."""
        said = [self._run(side, lines, name, agents, f"+show+{block}")[0] for side in SIDES]
        for kinds in ("SE", "SEN"):  # counters only where all else is equal
            events = ([(cycle, text) for kind, cycle, text in transcript if kind in kinds
                       and not (kind == "S" and text.split(" ")[0] in NO_COMMANDS)]
                      for transcript in said)  # fmt: skip
            rows = list(zip_longest(*events, fillvalue=("", "")))
            found = [n for n, (one, other) in enumerate(rows)
                     if one[not self.cycles :] != other[not self.cycles :]]  # fmt: skip
            if found:
                break
        first = found[0]
        shown = [f"{self.unit} {name}, block {block}: cycle and event of BASE | of today"]
        for n in range(max(0, first - BEFORE), min(len(rows), first + AFTER)):
            (cycle, text), (then, other) = rows[n]
            mark = ">" if n == first else " "
            shown.append(f"{mark} {cycle:>8} {text:70} | {then:>8} {other}")
        return "\n".join(shown)
