"""What is played: the scripts of other campaigns, in parts of some ten thousand commands.

Where the cycle of a command follows from the answer to another one, BASE's answer counts for both.
Where cycles may differ, each command waits for the answer to the last one, and the memory takes its
time by command: soak, and the changes of registers that come between accesses."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count

from campaigns.changes.play import MODES, OF_A_HASHED_TABLE, Player
from campaigns.changes.run import machine_of
from campaigns.changes.worlds import worlds
from campaigns.litmus.play import QUICK, script_of
from campaigns.litmus.shapes import SHAPES
from campaigns.matrix.play import LEADS
from campaigns.matrix.scenarios import ENTRIES, World
from campaigns.soak.build import Ran
from campaigns.soak.campaign import BATCH, Job, case_of
from campaigns.soak.player import script
from campaigns.soak.run import shapes_of
from campaigns.twin.pair import Pair
from support.configurations import CONFIGURATIONS

RUNS = 2000  # random ones of a litmus shape in one part


class Differs(Exception):
    """The rest of a part is of no interest."""


@dataclass
class Part:
    """what: of the campaign. What is played follows from it and from the seed."""

    pair: Pair
    seed: int
    campaign: str
    what: tuple
    commands: int = 0
    wrong: list[str] = field(default_factory=list)
    scripts: int = 0

    def play(self) -> "Part":
        with suppress(Differs):
            CAMPAIGNS[self.campaign](self, *self.what)
        return self

    def script(self, lines: list[str], agents: int | None = None) -> Ran:
        what = "-".join(map(str, self.what)).replace(" ", "_").replace("/", "_")
        name = f"{self.campaign}-{what}-{self.seed}-{self.scripts}"
        commands, wrong, ran = self.pair.play(lines, name, agents)
        self.commands += commands
        self.wrong += wrong
        self.scripts += 1
        if wrong:
            raise Differs
        return ran


def soak(part: Part, shape: str, first: int) -> None:
    config = part.pair.unit.split(":")[1]
    have = CONFIGURATIONS[config]
    job = Job(part.pair.base[0], config, have.features, have.walk_cache, shape, part.seed, first,
              BATCH)  # fmt: skip
    lines = []
    for case in (case_of(job, number) for number in range(first, first + BATCH)):
        delays = case.delays if part.pair.cycles else replace(case.delays, ready=16)
        lines += script(case.steps, delays)
    part.script(lines)


def litmus(part: Part, shape: str, number: int) -> None:
    """Every combination of delays, and random ones; later only these."""
    lines = script_of(SHAPES[shape], replace(QUICK, random=RUNS), part.seed + number)
    part.script([line for line in lines if not number or line[0] != "E"], part.seed)


def matrix(part: Part, entry: str, accessed: bool) -> None:
    world = World(ENTRIES[entry], accessed)
    for number, event in enumerate(world.events()):
        part.script(world.script(event, LEADS), number)


class Twins(Player):
    """Compares, and judges nothing."""

    def _run(self, lines: list[str], name: str) -> Ran:
        return self.part.script(lines)

    def _judge(self, *_) -> None:
        pass

    _cover = _judge


def worlds_and_modes(pair: Pair):
    """Those of all granules: that an MMU does not have one must change nothing."""
    machine = machine_of(pair.unit, pair.verilog.read_text())
    modes = [*MODES, *OF_A_HASHED_TABLE * machine.hashed]
    machine = replace(machine, features=replace(machine.features, granules=(12, 14, 16)))
    return worlds(machine), [mode for mode in modes if pair.cycles or mode.swept is None]


def changes(part: Part, world: int, mode: int) -> None:
    there, modes = worlds_and_modes(part.pair)
    player = Twins(part.pair.base[0], there[world], None, None)
    player.part = part
    (player.play if part.pair.cycles else player.probe)((modes[mode],))


CAMPAIGNS = {"changes": changes, "litmus": litmus, "matrix": matrix, "soak": soak}


def every(pair: Pair, seed: int) -> Iterator[tuple[str, Iterator[Part]]]:
    """By campaign, mixed; soak has no end."""
    top, config = pair.unit.split(":")
    there, modes = worlds_and_modes(pair)
    found = {"changes": [(w, m) for w in range(len(there)) for m in range(len(modes))]}
    if pair.cycles and top == "mmu":  # agents do not reach the block's registers
        found["matrix"] = [(entry, accessed) for entry in ENTRIES for accessed in (False, True)]
        found["litmus"] = [(shape, n) for n in range(3) for shape in SHAPES]
    for campaign, rows in found.items():
        random.Random(seed).shuffle(rows)
        yield campaign, (Part(pair, seed, campaign, what) for what in rows)
    shapes = shapes_of(config)
    batches = ((shapes[n % len(shapes)], n // len(shapes) * BATCH) for n in count())
    yield "soak", (Part(pair, seed, "soak", what) for what in batches)
