"""Lab 9, of hardware: a replacement policy in SpinalHDL, in the data cache's own VictimChooser."""

import random
import re
from dataclasses import dataclass
from functools import partial

from labs.lab import Check, Handin, Lab, Number, Prose, Sheet, expect
from labs.seed import Seed
from labs.student_rtl import Place, once

WAYS = 8
SETS = (0, 5, 31)  # that are tried, of 32
LINES, ROUNDS = WAYS + 1, 20  # of the question about misses
MIXED = 1500  # steps of several sets
PLACE = Place(
    student="Policy.scala",
    file="cache/VictimPolicy.scala",
    changes=(
        ("sealed trait VictimPolicy", "trait VictimPolicy"),
        ("Some(Nru(ways))", "Some(_root_.granule.labs.Policy(ways))"),
    ),
    unit="l1data_nru:teaching",
    top="VictimChooser",
    player="labs.hardware.cocotb_victims",
)
Step = tuple[int, int | None]  # a set, and the way that is used; None: it is cleared


@dataclass(frozen=True)
class Rules:
    """What is drawn. `most`: the highest age; `highest`: of several oldest ways the last one goes;
    `younger`: a way that is older than the used one does not become older."""

    most: int
    highest: bool
    younger: bool

    def __str__(self) -> str:
        others = "Every other way"
        if self.younger:
            others += " that was not older than it"
        return (
            f"Each set remembers an age of each of its {WAYS} ways, from 0 to {self.most}.\n"
            "A clear makes all of them 0. A use makes the age of the way that is used 0.\n"
            f"{others} becomes older by 1, up to {self.most}.\n"
            "The victim is the oldest way; if there are several, the one with the "
            f"{'highest' if self.highest else 'lowest'} number."
        )

    @property
    def bits(self) -> int:
        return WAYS * self.most.bit_length()


class Ages:
    """The policy of one set."""

    def __init__(self, rules: Rules):
        self.rules, self.ages = rules, [0] * WAYS

    def use(self, way: int) -> None:
        before = self.ages[way]
        for other, age in enumerate(self.ages):
            if age < self.rules.most and not (self.rules.younger and age > before):
                self.ages[other] = age + 1
        self.ages[way] = 0

    def victim(self) -> int:
        oldest = [way for way, age in enumerate(self.ages) if age == max(self.ages)]
        return oldest[-1] if self.rules.highest else oldest[0]


def rules(seed: Seed) -> Rules:
    draws = seed.draws("rules")
    return Rules(draws.choice((3, 5, 6)), draws.random() < 0.5, draws.random() < 0.5)


def victim_after(of: Rules, ways: list[int]) -> int:
    ages = Ages(of)
    for way in ways:
        ages.use(way)
    return ages.victim()


def misses(of: Rules) -> int:
    """Of lines that are read in turn, in a set that was empty."""
    ages, lines, count = Ages(of), [None] * WAYS, 0
    for line in [*range(LINES)] * ROUNDS:
        if line not in lines:
            count += 1
            free = lines.index(None) if None in lines else ages.victim()
            lines[free] = line
        ages.use(lines.index(line))
    return count


# ---- what is tried ------------------------------------------------------------------------------
def uses(draws: random.Random, kind: str, most: int) -> list[int]:
    """Ways, one after the other."""
    if kind == "once":  # no age reaches the highest one
        return draws.sample(range(WAYS), most)
    few = draws.sample(range(WAYS), draws.randrange(2, WAYS))
    return [draws.choice(few if draws.random() < 0.9 else range(WAYS)) for _ in range(40)]


def directed(seed: Seed, kind: str, of: Rules) -> list[Step]:
    """Rows of uses of one set, each after a clear."""
    draws, steps = seed.draws(kind), []
    for _ in range(12):
        steps.append((SETS[0], None))
        if kind != "cleared":
            steps += [(SETS[0], way) for way in uses(draws, kind, of.most)]
    return steps


def mixed(seed: Seed) -> list[Step]:
    """Uses and clears of several sets."""
    draws = seed.draws("mixed")
    steps: list[Step] = [(number, None) for number in SETS]
    for _ in range(MIXED):
        way = draws.randrange(WAYS) if draws.random() < 0.97 else None
        steps.append((draws.choice(SETS), way))
    return steps


def judged(steps: list[Step], victims: list[int], of: Rules) -> None:
    sets, since = {}, {}
    for (number, way), got in zip(steps, victims, strict=True):
        if way is None:
            sets[number], since[number] = Ages(of), []
        else:
            sets[number].use(way)
            since[number].append(way)
        want = sets[number].victim()
        after = ", ".join(map(str, since[number][-12:])) or "nothing"
        more = "..., " if len(since[number]) > 12 else ""
        told = f"set {number}, after a clear and uses of {more}{after}: way {want}"
        expect(got == 1 << want, told, shown(got))


def shown(victim: int) -> str:
    if victim.bit_count() == 1:
        return f"way {victim.bit_length() - 1}"
    return f"victim is {victim:#0{WAYS + 2}b}: one bit must be set"


class Tried:
    """One simulation plays all steps; a part looks at those of its kind."""

    def __init__(self, seed: Seed):
        self.of = rules(seed)
        self.plans = {kind: directed(seed, kind, self.of) for kind in ("cleared", "once", "long")}
        self.plans["mixed"] = mixed(seed)
        whole = [step for plan in self.plans.values() for step in plan]
        self.play = once(lambda handin: PLACE.play(handin, whole))

    def part(self, kind: str, handin: Handin) -> None:
        victims = iter(self.play(handin))
        noted = {of: [next(victims) for _ in plan] for of, plan in self.plans.items()}
        judged(self.plans[kind], noted[kind], self.of)


def small(of: Rules, handin: Handin) -> None:
    text = (handin.folder / "build" / "l1data_nru_teaching.v").read_text()
    (chooser,) = re.findall(r"^module VictimChooser .*?^endmodule", text, re.M | re.S)
    memory = re.search(r"reg +\[(\d+):0\] \w+ \[0:\d+\];", chooser)
    bits = int(memory[1]) + 1 if memory else 0
    expect(bits <= of.bits, f"at most {of.bits} bits", f"{bits} bits")


def sheet(seed: Seed) -> Sheet:
    of, part = rules(seed), Tried(seed).part
    draws = seed.draws("questions")
    rows = [
        uses(draws, kind, of.most)[: 3 + 2 * i] for i, kind in enumerate(("once", "long", "long"))
    ]
    parts = (
        *(Number(f"victim_{i}", 1, f"After a clear the ways {', '.join(map(str, row))} are used, "
                 "in this order. Which way is the victim?", victim_after(of, row))
          for i, row in enumerate(rows, 1)),
        Number("bits", 1, "How many bits does a set need?", of.bits),
        Number("misses", 2, f"{LINES} lines of one set are read in turn, {ROUNDS} times. The set "
               "is empty before; a miss takes a free way, else the victim, and both hit and miss "
               "are uses. How many reads miss?", misses(of)),
        *PLACE.built("the data cache is generated with it"),
        Check("cleared", 1, "the victim after a clear", partial(part, "cleared"), ("verilog",)),
        Check("once", 4, "no way is used twice, and no age is at its end", partial(part, "once"),
              ("verilog",)),
        Check("long", 6, "ways are used again and again", partial(part, "long"), ("verilog",)),
        Check("mixed", 4, "uses and clears of several sets", partial(part, "mixed"), ("long",)),
        Check("size", 2, f"the state has at most {of.bits} bits", partial(small, of), ("mixed",)),
        Prose("why_misses", 3, f"With LRU all {LINES * ROUNDS} reads of the question 'misses' "
              "miss. What does your policy do in the second round, and is a policy better that "
              "misses less here?"),
    )  # fmt: skip
    return Sheet(str(of), parts)


LAB = Lab(9, "a replacement policy (hardware)", sheet, ("Policy.scala",))
